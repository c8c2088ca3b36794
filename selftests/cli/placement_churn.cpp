// SPDX-License-Identifier: GPL-2.0-or-later
// Tasks that change CPU in every way a program can bring about, each telling at its end how often the kernel says it
// did ("nr_migrations N"). Used by placement_exact.sh.
//
//   placement_churn affinity N   one task moves itself N times
//   placement_churn others N     a parent moves a running, then a sleeping child, N times each
//   placement_churn family N     N children, a third of them threads, a third of them across exec, all move and wait
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sched.h>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

std::vector<int> cpus; // that we may use

[[noreturn]] void die(const char *what) {
    std::perror(what);
    std::_Exit(1);
}

void move(pid_t task, int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    if (sched_setaffinity(task, sizeof(set), &set) != 0)
        die("sched_setaffinity");
}

void find_cpus() {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof(set), &set) != 0)
        die("sched_getaffinity");
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
        if (CPU_ISSET(cpu, &set))
            cpus.push_back(cpu);
}

// Nothing migrates a task that may use one CPU only: what the kernel says then is final.
void tell() {
    move(0, sched_getcpu());
    std::FILE *file = std::fopen("/proc/thread-self/sched", "r");
    if (!file)
        die("/proc/thread-self/sched");
    char line[256];
    long count = -1;
    while (std::fgets(line, sizeof(line), file))
        if (std::strstr(line, "nr_migrations"))
            count = std::strtol(std::strchr(line, ':') + 1, nullptr, 10);
    std::fclose(file);
    std::string text = "nr_migrations " + std::to_string(count) + "\n";
    if (write(1, text.data(), text.size()) != ssize_t(text.size()))
        die("write");
}

void wander(int times) {
    for (int i = 0; i < times; ++i) {
        move(0, cpus[i % cpus.size()]);
        if (i % 3 == 0)
            usleep(100);
    }
}

void widen() {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int cpu : cpus)
        CPU_SET(cpu, &set);
    sched_setaffinity(0, sizeof(set), &set);
}

template <class Body> pid_t spawn(Body body) {
    const pid_t child = fork();
    if (child < 0)
        die("fork");
    if (child == 0) {
        body();
        _exit(0);
    }
    return child;
}

void push_others(int times) {
    int stop[2];
    if (pipe(stop) != 0)
        die("pipe");
    void *shared = mmap(nullptr, sizeof(std::atomic<bool>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        die("mmap");
    auto *over = new (shared) std::atomic<bool>(false);
    const pid_t spinner = spawn([over] {
        while (!*over)
            ;
        tell();
    });
    const pid_t sleeper = spawn([&stop] {
        close(stop[1]);
        char byte;
        while (read(stop[0], &byte, 1) == 1)
            ;
        tell();
    });
    for (int i = 0; i < times; ++i) {
        move(spinner, cpus[i % cpus.size()]);
        move(sleeper, cpus[i % cpus.size()]);
        if (write(stop[1], "x", 1) != 1)
            die("write");
    }
    *over = true;
    close(stop[1]);
    while (wait(nullptr) > 0)
        ;
    tell();
}

void raise_family(const char *self, int children) {
    std::vector<std::thread> threads;
    for (int i = 0; i < children; ++i) {
        if (i % 3 == 0)
            threads.emplace_back([] {
                wander(10);
                tell();
            });
        else
            spawn([i, self] {
                wander(7);
                widen();
                if (i % 3 == 1)
                    execl(self, self, "affinity", "5", nullptr);
                tell();
            });
    }
    for (std::thread &thread : threads)
        thread.join();
    while (wait(nullptr) > 0)
        ;
    tell();
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    const std::string mode = argv[1];
    const int times = std::atoi(argv[2]);
    find_cpus();
    if (mode == "affinity") {
        wander(times);
        tell();
    } else if (mode == "others") {
        push_others(times);
    } else if (mode == "family") {
        raise_family(argv[0], times);
    } else {
        return 2;
    }
}
