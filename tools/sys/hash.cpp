// SPDX-License-Identifier: GPL-2.0-or-later
#include "sys/hash.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <memory>
#include <openssl/evp.h>

#include "core/error.h"
#include "sys/fd.h"

namespace schedlab {

namespace {

class Sha256 {
public:
    Sha256() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
        if (!context_ || EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) != 1)
            throw environment_error("libcrypto has no SHA-256 here");
    }
    void add(const void *bytes, std::size_t n) { EVP_DigestUpdate(context_.get(), bytes, n); }
    std::string hex() {
        std::array<unsigned char, 32> digest{};
        EVP_DigestFinal_ex(context_.get(), digest.data(), nullptr);
        std::string text;
        for (unsigned char byte : digest) {
            text += "0123456789abcdef"[byte >> 4];
            text += "0123456789abcdef"[byte & 15];
        }
        return text;
    }

private:
    std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

} // namespace

std::string sha256_hex(std::string_view bytes) {
    Sha256 hash;
    hash.add(bytes.data(), bytes.size());
    return hash.hex();
}

std::string sha256_file(const std::filesystem::path &path) {
    const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd)
        throw environment_error("cannot read " + path.string() + ": " + errno_text(errno));
    Sha256 hash;
    std::array<char, 65536> block;
    for (;;) {
        const ssize_t n = ::read(fd.get(), block.data(), block.size());
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            throw environment_error("cannot read " + path.string() + ": " + errno_text(errno));
        if (n == 0)
            return hash.hex();
        hash.add(block.data(), std::size_t(n));
    }
}

} // namespace schedlab
