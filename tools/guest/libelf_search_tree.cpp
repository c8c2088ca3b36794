// SPDX-License-Identifier: GPL-2.0-or-later
// Debian 13's static libelf (elfutils 0.192) calls a search tree that was left in a library which is not packaged, so
// nothing can be linked with it. libbpf needs no more of the tree than that it can be made and destroyed: it is filled
// by elf_getdata_rawchunk() alone, with tsearch(3)'s nodes. Weak, for the day when libelf is whole again.
#include <search.h>

extern "C" {

struct SearchTree {
    void *root; // first in libelf's struct too; the lock that follows is the missing functions' own
};

__attribute__((weak)) void eu_search_tree_init(SearchTree *tree) { tree->root = nullptr; }

__attribute__((weak)) void eu_search_tree_fini(SearchTree *tree, void (*free_node)(void *)) {
    ::tdestroy(tree->root, free_node);
    tree->root = nullptr;
}

} // extern "C"
