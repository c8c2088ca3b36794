// SPDX-License-Identifier: GPL-2.0-or-later
// From a source and patches to a kernel image in the content-addressed cache.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace schedlab {

struct Base {
    std::string name;           // "6.12"
    std::string package;        // "linux-source-6.12"
    std::string release;        // Debian release that carries it: "bookworm", "trixie-backports"
    std::string version_prefix; // "6.12." : what the tree's version must begin with
};

std::vector<Base> all_bases();                     // from DATA/patches/bases
const Base &find_base(const std::string &name);    // throws a usage error with the names there are

// A kernel to build. Exactly one of base, tree, image is set.
struct KernelSpec {
    std::string base;                              // base's own source
    bool with_series = false;                      // base: DATA/patches/<base>/series applied
    std::filesystem::path tree;                    // a git tree (with rev) or a plain one
    std::string rev;                               // git tree: this commit; empty = the tree as it is
    std::filesystem::path image;                   // already built: Image or bzImage
    std::vector<std::filesystem::path> patches;    // applied after the series: directories with series, files, mboxes
    std::vector<std::filesystem::path> configs;    // merged after Kconfig.fragment, in order
    std::string arch;                              // "arm64" or "x86_64"
};

// Parses what --a and --b take: "6.12" (base), "6.12+series", "path/to/Image", or a rev of `tree`.
KernelSpec parse_kernel_spec(const std::string &text, const std::filesystem::path &tree, const std::string &arch);

struct Image {
    std::filesystem::path image;   // Image (arm64) or bzImage (x86_64)
    std::filesystem::path config;  // empty for a foreign image
    std::string key;               // sha256 over source, patches, configuration, compiler; of the file for a foreign image
    std::string release;           // "6.12.117"; empty for a foreign image
    std::string title;             // for people: "6.12.117 + 4 patches"
};

// What takes long says so: a phase ("building 6.12.117 for arm64"), and how far it is, 0..1 (< 0: unknown).
using Progress = std::function<void(const std::string &phase, double fraction)>;

// Builds or finds the image. Throws: usage errors for bad patches, environment errors for what is missing here,
// run errors for compilation failures (with the first compiler error and the log's path).
Image build_kernel(const KernelSpec &spec, const Progress &progress);

} // namespace schedlab
