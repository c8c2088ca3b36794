// SPDX-License-Identifier: GPL-2.0-or-later
#include "guest/emulator.h"

#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <sys/mman.h>

#include "core/emulator.h"
#include "core/error.h"
#include "sys/fd.h"

#ifdef __x86_64__
#include <sys/io.h>
#else
#include <filesystem>

#include "sys/files.h"
#endif

namespace schedlab {

namespace {

// QEMU docs/specs/fw_cfg: an item is chosen by its key and then read byte by byte; numbers are big-endian.
constexpr std::uint16_t directory_key = 0x19;
constexpr std::size_t name_bytes = 56;

// Intel 6300ESB, its PCI configuration: counts in µs rather than ms, two stages of 2^20 each; and starts.
constexpr unsigned watchdog_config = 0x60, watchdog_lock = 0x68;
constexpr std::uint16_t in_microseconds = 1 << 2;
constexpr std::uint8_t enable = 1 << 1;

#ifdef __x86_64__

class PortAccess {
public:
    PortAccess(unsigned first, unsigned count) : first_(first), count_(count) {
        if (::ioperm(first_, count_, 1) != 0)
            throw environment_error("cannot reach the emulator's ports: " + errno_text(errno),
                                    "the kernel needs CONFIG_X86_IOPL_IOPERM=y");
    }
    PortAccess(const PortAccess &) = delete;
    ~PortAccess() { ::ioperm(first_, count_, 0); } // nothing that is started later inherits it

private:
    unsigned first_, count_;
};

class FwCfg {
public:
    void choose(std::uint16_t key) { ::outw(key, 0x510); }
    std::uint8_t byte() { return ::inb(0x511); }

private:
    PortAccess ports_{0x510, 2};
};

class WatchdogConfig {
public:
    void set(unsigned at, std::uint16_t value) { ::outw(value, data_port(at)); }
    void set(unsigned at, std::uint8_t value) { ::outb(value, data_port(at)); }

private:
    static unsigned short data_port(unsigned at) {
        ::outl(1u << 31 | watchdog_slot << 11 | (at & ~3u), 0xcf8);
        return static_cast<unsigned short>(0xcfc + (at & 3));
    }
    PortAccess ports_{0xcf8, 8};
};

#else

// The first address range of the device tree's node NAME@..., in two cells.
std::uint64_t address_of(const std::string &name) {
    for (const auto &node : std::filesystem::directory_iterator("/sys/firmware/devicetree/base")) {
        if (!node.path().filename().string().starts_with(name + "@"))
            continue;
        std::uint64_t address = 0;
        for (const unsigned char c : read_file(node.path() / "reg").substr(0, 8))
            address = address << 8 | c;
        return address;
    }
    throw environment_error("the machine has no " + name);
}

class Registers {
public:
    Registers(std::uint64_t address, std::size_t bytes) : bytes_(bytes) {
        const Fd memory(::open("/dev/mem", O_RDWR | O_SYNC | O_CLOEXEC));
        void *at = memory ? ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory.get(), off_t(address))
                          : MAP_FAILED;
        if (at == MAP_FAILED)
            throw environment_error("cannot reach the emulator's registers: " + errno_text(errno),
                                    "the kernel needs CONFIG_DEVMEM=y");
        at_ = static_cast<char *>(at);
    }
    Registers(const Registers &) = delete;
    ~Registers() { ::munmap(at_, bytes_); }

    template <class T> volatile T &as(unsigned offset) { return *reinterpret_cast<volatile T *>(at_ + offset); }

private:
    char *at_ = nullptr;
    std::size_t bytes_;
};

class FwCfg {
public:
    void choose(std::uint16_t key) { registers_.as<std::uint16_t>(8) = __builtin_bswap16(key); }
    std::uint8_t byte() { return registers_.as<std::uint8_t>(0); }

private:
    Registers registers_{address_of("fw-cfg"), 4096};
};

class WatchdogConfig {
public:
    template <class T> void set(unsigned at, T value) { registers_.as<T>(at) = value; }

private:
    Registers registers_{address_of("pcie") + (watchdog_slot << 15), 4096}; // 8 functions of 4 KiB to a slot
};

#endif

std::uint32_t number(FwCfg &device, int bytes) {
    std::uint32_t value = 0;
    while (bytes-- > 0)
        value = value << 8 | device.byte();
    return value;
}

std::string text(FwCfg &device, std::size_t bytes) {
    std::string read(bytes, '\0');
    for (char &c : read)
        c = char(device.byte());
    return read;
}

} // namespace

std::string fetch_job_text() {
    FwCfg device;
    device.choose(directory_key);
    for (std::uint32_t left = number(device, 4); left > 0; --left) {
        const std::uint32_t size = number(device, 4);
        const auto key = std::uint16_t(number(device, 2));
        number(device, 2); // reserved
        if (text(device, name_bytes).c_str() != std::string_view(job_item))
            continue;
        device.choose(key);
        return text(device, size);
    }
    return {};
}

void ask_to_be_stopped() {
    WatchdogConfig watchdog;
    watchdog.set(watchdog_config, in_microseconds);
    watchdog.set(watchdog_lock, enable);
}

} // namespace schedlab
