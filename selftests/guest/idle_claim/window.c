// SPDX-License-Identifier: GPL-2.0-or-later
#define _GNU_SOURCE

#include <errno.h>
#include <linux/bpf.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../harness/ktap.h"
#include "window.h"

#define TURNS 60000	/* of the program's loop at most; the verifier follows each */

/* Shared with the program, which sees it as a map of one value. */
struct window {
	_Atomic uint32_t waker;		/* whose wakeup is to be held; 0: none */
	_Atomic uint32_t open;
	_Atomic uint32_t close;		/* it may go on */
	_Atomic uint32_t cpu;		/* that it has chosen */
	_Atomic uint64_t opened;	/* ns, CLOCK_MONOTONIC */
	_Atomic uint32_t relaxed;	/* not for the program: relax() has effect */
};

static struct window *window;
static pid_t turn_taker;

static int bpf(int command, union bpf_attr *attr)
{
	return syscall(SYS_bpf, command, attr, sizeof(*attr));
}

#define INSN(op, d, s, o, i) \
	((struct bpf_insn){ .code = (op), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i) })
#define MOV(d, i)	INSN(BPF_ALU64 | BPF_MOV | BPF_K, d, 0, 0, i)
#define COPY(d, s)	INSN(BPF_ALU64 | BPF_MOV | BPF_X, d, s, 0, 0)
#define LOAD(d, field)	INSN(BPF_LDX | BPF_MEM | BPF_W, d, 7, offsetof(struct window, field), 0)
#define STORE(field, s)	INSN(BPF_STX | BPF_MEM | BPF_W, 7, s, offsetof(struct window, field), 0)
#define CALL(function)	INSN(BPF_JMP | BPF_CALL, 0, 0, 0, function)

static int load_program(int map)
{
	/* r7: the window; r8: turns left. */
	const struct bpf_insn program[] = {
		INSN(BPF_LDX | BPF_MEM | BPF_DW, 6, 1, 8, 0),	/* argument 1: the CPU */
		INSN(BPF_LD | BPF_DW | BPF_IMM, 7, BPF_PSEUDO_MAP_VALUE, 0, map),
		INSN(0, 0, 0, 0, 0),
		CALL(BPF_FUNC_get_current_pid_tgid),
		INSN(BPF_ALU | BPF_MOV | BPF_X, 0, 0, 0, 0),	/* the task's own number */
		LOAD(1, waker),
		INSN(BPF_JMP | BPF_JNE | BPF_X, 0, 1, 16, 0),	/* not this one: the end */
		MOV(1, 0),
		STORE(waker, 1),				/* no second time */
		STORE(cpu, 6),
		CALL(BPF_FUNC_ktime_get_ns),
		INSN(BPF_STX | BPF_MEM | BPF_DW, 7, 0, offsetof(struct window, opened), 0),
		MOV(8, TURNS),
		MOV(1, 1),
		STORE(open, 1),
		/* Each turn: */
		LOAD(1, close),
		INSN(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 1, 0),
		INSN(BPF_JMP | BPF_JA, 0, 0, 3, 0),
		CALL(BPF_FUNC_ktime_get_ns),			/* some 20 to 50 ns */
		INSN(BPF_ALU64 | BPF_SUB | BPF_K, 8, 0, 0, 1),
		INSN(BPF_JMP | BPF_JNE | BPF_K, 8, 0, -6, 0),
		MOV(1, 0),
		STORE(open, 1),
		/* The end: */
		MOV(0, 0),
		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
	};
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT,
		.insns = (uintptr_t)program,
		.insn_cnt = sizeof(program) / sizeof(program[0]),
		.license = (uintptr_t)"GPL",
	};

	return bpf(BPF_PROG_LOAD, &attr);
}

const char *find_window(void)
{
	union bpf_attr map = {
		.map_type = BPF_MAP_TYPE_ARRAY,
		.key_size = sizeof(uint32_t),
		.value_size = sizeof(*window),
		.max_entries = 1,
		.map_flags = BPF_F_MMAPABLE,
	};
	union bpf_attr tracepoint = {
		.raw_tracepoint.name = (uintptr_t)"sched_migrate_task",
	};
	int fd = bpf(BPF_MAP_CREATE, &map), program;

	if (fd < 0)
		return "no BPF maps";
	window = mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (window == MAP_FAILED)
		return "BPF maps cannot be mapped";
	program = load_program(fd);
	if (program < 0)
		return "the BPF program cannot be loaded";
	tracepoint.raw_tracepoint.prog_fd = program;
	if (bpf(BPF_RAW_TRACEPOINT_OPEN, &tracepoint) < 0)
		return "no tracepoint sched_migrate_task for BPF";
	return NULL;
}

long long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static pid_t take_short_turns(int cpu)
{
	const struct timespec turn = { .tv_nsec = 5000 };
	pid_t pid = start_process();

	if (pid)
		return pid;
	pin(0, cpu);
	prctl(PR_SET_TIMERSLACK, 1);
	for (;;)
		nanosleep(&turn, NULL);
}

void relax(void)
{
	if (!window->relaxed)
		return;
#ifdef __aarch64__
	asm volatile("yield");
#else
	__builtin_ia32_pause();
#endif
}

void hog(int cpu, int policy)
{
	pid_t pid = start_process();

	while (!pid)
		relax();
	if (sched_setscheduler(pid, policy, &(struct sched_param){ 0 }))
		die("sched_setscheduler");
	pin(pid, cpu);
	usleep(20000);	/* it runs there */
}

int open_window(int waker, const struct wakee *wakee, int short_turns)
{
	const long long limit = now_ns() + 1000000000;

	turn_taker = take_short_turns(short_turns);
	usleep(2000);		/* until it does */
	window->close = 0;
	window->relaxed = 1;
	if (!start_process()) {
		pin(0, waker);
		window->waker = getpid();
		wake(wakee);
		pause();
	}
	while (!window->open) {
		errno = ETIME;
		if (now_ns() > limit)
			die("a wakeup that moves its task");
		relax();
	}
	return window->cpu;
}

int window_age_us(void)
{
	return (now_ns() - (long long)window->opened) / 1000;
}

void close_window(void)
{
	errno = ETIME;
	if (!window->open)
		die("a window to close");
	window->close = 1;
	while (window->open)
		relax();
	window->relaxed = 0;
	kill(turn_taker, SIGKILL);
}
