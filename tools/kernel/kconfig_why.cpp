// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/kconfig_why.h"

#include <sstream>

#include "sys/files.h"

namespace schedlab {

namespace fs = std::filesystem;

namespace {

// Linked with the objects of the tree's scripts/kconfig, which `make tinyconfig` has built; it uses only what has
// been the same there since 4.x. Arguments: NAME=VALUE... as wanted.
constexpr const char *program = R"C(
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "lkc.h"

static int reasons;

static void reason(const char *word, struct expr *e)
{
    printf("%s ", reasons++ ? " and" : word);
    expr_fprint(e, stdout);
}

static void print_unmet(struct expr *e)
{
    if (!e || expr_calc_value(e) != no)
        return;
    if (e->type == E_AND) {
        print_unmet(e->left.expr);
        print_unmet(e->right.expr);
        return;
    }
    reason(" needs", e);
}

static void print_selecting(struct expr *e)
{
    if (!e || expr_calc_value(e) == no)
        return;
    if (e->type == E_OR) {
        print_selecting(e->left.expr);
        print_selecting(e->right.expr);
        return;
    }
    reason(" is selected by", e);
}

int main(int argc, char **argv)
{
    conf_parse("Kconfig");
    conf_read(getenv("WHY_CONFIG"));
    for (int i = 1; i < argc; i++) {
        char *value = strchr(argv[i], '=');
        *value++ = 0;
        struct symbol *sym = sym_find(argv[i]);
        printf("CONFIG_%s=%s", argv[i], value);
        reasons = 0;
        if (!sym || sym->type == S_UNKNOWN) {
            printf(" is not an option of this kernel and architecture\n");
            continue;
        }
        sym_calc_value(sym);
        if (!strcmp(value, "n")) {
            print_selecting(sym->rev_dep.expr);
        } else {
            print_unmet(sym->dir_dep.expr);
            for (struct property *p = sym->prop; p && !reasons; p = p->next)
                if (p->type == P_PROMPT)
                    print_unmet(p->visible.expr);
        }
        if (!reasons)
            printf(": its dependencies hold, but the kernel sets it to %s (another choice excludes it, or nobody may set it)",
                   sym_get_string_value(sym));
        printf("\n");
    }
    return 0;
}
)C";

// Kconfig's $(shell) runs it with the whole environment that Kbuild gives to its parser; cwd is OUT.
constexpr const char *script = R"(
objects=$(ls scripts/kconfig/*.o | grep -v '/[a-z]*conf\.o$')
gcc -w -I"$srctree/scripts/kconfig" -I"$srctree/scripts/include" -Iscripts/kconfig \
    -o "$WHY_DIR/why" "$WHY_DIR/why.c" $objects >"$WHY_DIR/errors" 2>&1 &&
    "$WHY_DIR/why" $WHY_OPTIONS >"$WHY_DIR/reasons" 2>>"$WHY_DIR/errors"
)";

} // namespace

std::vector<std::string> why_lost(const Kbuild &kbuild, const std::map<std::string, std::string> &lost) {
    const TempDir dir("why", kbuild.out);
    write_file_atomically(dir.path() / "why.c", program);
    write_file_atomically(dir.path() / "why.sh", script);
    write_file_atomically(dir.path() / "Kconfig", "$(shell,sh " + (dir.path() / "why.sh").string() + ")\n");
    std::string options;
    for (const auto &[option, value] : lost)
        options += option.substr(std::string_view("CONFIG_").size()) + "=" + value + " ";
    Command command = kbuild.command({"olddefconfig", "KBUILD_KCONFIG=" + (dir.path() / "Kconfig").string()});
    command.env["WHY_DIR"] = dir.path().string();
    command.env["WHY_CONFIG"] = (kbuild.out / ".config").string();
    command.env["WHY_OPTIONS"] = options;
    command.env["KCONFIG_CONFIG"] = (dir.path() / "unused").string();
    run(command);

    std::vector<std::string> reasons;
    std::istringstream lines(read_file_or(dir.path() / "reasons"));
    for (std::string line; std::getline(lines, line);)
        reasons.push_back(line);
    // The parser could not be asked (its interface changed): the names alone are still the truth.
    if (reasons.size() != lost.size()) {
        reasons.clear();
        for (const auto &[option, value] : lost)
            reasons.push_back(option + "=" + value);
    }
    return reasons;
}

} // namespace schedlab
