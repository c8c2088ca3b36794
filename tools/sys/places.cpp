// SPDX-License-Identifier: GPL-2.0-or-later
#include "sys/places.h"

#include <cstdlib>
#include <vector>

#include "core/error.h"
#include "source_dir.h" // SCHEDLAB_SOURCE_DIR, which the Makefile writes
#include "sys/files.h"

namespace schedlab {

namespace fs = std::filesystem;

fs::path cache_root() {
    const char *xdg = std::getenv("XDG_CACHE_HOME");
    const char *home = std::getenv("HOME");
    if ((!xdg || !*xdg) && (!home || !*home))
        throw environment_error("no place for the cache: neither XDG_CACHE_HOME nor HOME is set",
                                "set XDG_CACHE_HOME to a directory with some GiB free");
    const fs::path root = (xdg && *xdg ? fs::path(xdg) : fs::path(home) / ".cache") / "schedlab";
    std::error_code err;
    fs::create_directories(root, err);
    if (err)
        throw file_error("make the cache", root, err.value());
    return root;
}

fs::path data_root() {
    if (const char *given = std::getenv("SCHEDLAB_DATA"); given && *given) {
        if (!fs::exists(fs::path(given) / "Kconfig.fragment"))
            throw environment_error(std::string("SCHEDLAB_DATA=") + given + " holds no Kconfig.fragment",
                                    "name a schedlab checkout or PREFIX/share/schedlab, or unset it");
        return given;
    }
    const fs::path self = fs::read_symlink("/proc/self/exe");
    std::vector<fs::path> tried = {self.parent_path().parent_path() / "share" / "schedlab"};
    // A build directory inside the checkout, however deep, or (make O=) outside it.
    for (fs::path at = self.parent_path(); at.has_relative_path(); at = at.parent_path())
        tried.push_back(at);
    tried.push_back(SCHEDLAB_SOURCE_DIR);
    for (const fs::path &root : tried)
        if (fs::exists(root / "Kconfig.fragment"))
            return root;
    throw environment_error("schedlab's data (Kconfig.fragment, patches, machines) is neither beside " +
                                self.string() + " nor in its share directory",
                            "set SCHEDLAB_DATA to a schedlab checkout, or install with 'make install'");
}

} // namespace schedlab
