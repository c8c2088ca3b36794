// SPDX-License-Identifier: GPL-2.0-or-later
// attached OBJECT COMMAND...: runs the command while all programs of a BPF object are attached.
#include <bpf/libbpf.h>
#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
    bpf_object *object = argc > 2 ? bpf_object__open(argv[1]) : nullptr;
    if (!object || bpf_object__load(object) != 0)
        return std::perror("attached: cannot load the object"), 1;
    bpf_program *program = nullptr;
    bpf_object__for_each_program(program, object) {
        if (!bpf_program__attach(program))
            return std::perror("attached: cannot attach a program"), 1;
    }
    if (const pid_t child = ::fork(); child == 0) {
        ::execvp(argv[2], argv + 2);
        std::perror(argv[2]);
        ::_exit(127);
    }
    int status = 0;
    ::wait(&status);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
