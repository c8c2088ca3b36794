// SPDX-License-Identifier: GPL-2.0-or-later
#include "guest/seed.h"

#include <cerrno>
#include <fcntl.h>
#include <linux/random.h>
#include <random>
#include <sched.h>
#include <sys/ioctl.h>

#include "core/error.h"
#include "sys/fd.h"

namespace schedlab {

namespace {

using Random = std::mt19937_64;

// Mixes 256 bits into the kernel's pool, and has all its generators start again from there.
void reseed_kernel(Random &random) {
    struct { // rand_pool_info, whose array has no length
        int entropy_bits = 256, bytes = 32;
        std::uint64_t words[4];
    } entropy;
    for (std::uint64_t &word : entropy.words)
        word = random();
    const Fd device(::open("/dev/urandom", O_RDWR | O_CLOEXEC));
    if (!device || ::ioctl(device.get(), RNDADDENTROPY, &entropy) != 0 || ::ioctl(device.get(), RNDRESEEDCRNG) != 0)
        throw environment_error("cannot seed the kernel's random numbers: " + errno_text(errno));
}

void move_to_a_cpu(Random &random) {
    cpu_set_t allowed, one;
    if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        throw environment_error("cannot ask for the guest's CPUs: " + errno_text(errno));
    auto left = int(random() % std::uint64_t(CPU_COUNT(&allowed)));
    int cpu = 0;
    while (!CPU_ISSET(cpu, &allowed) || left-- > 0)
        ++cpu;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    if (::sched_setaffinity(0, sizeof one, &one) != 0 || ::sched_setaffinity(0, sizeof allowed, &allowed) != 0)
        throw environment_error("cannot begin on CPU " + std::to_string(cpu) + ": " + errno_text(errno));
}

} // namespace

void apply_seed(std::uint64_t seed) {
    Random random(seed);
    reseed_kernel(random);
    move_to_a_cpu(random);
}

} // namespace schedlab
