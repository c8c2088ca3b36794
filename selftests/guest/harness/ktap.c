// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ktap.h"

static int reason_pipe[2];	/* why a test was skipped, from its process */

enum outcome verdict(bool good, const char *figures, ...)
{
	va_list args;

	va_start(args, figures);
	printf("# ");
	vprintf(figures, args);
	printf("\n");
	va_end(args);
	return good ? PASSED : FAILED;
}

enum outcome skip(const char *reason, ...)
{
	va_list args;

	va_start(args, reason);
	vdprintf(reason_pipe[1], reason, args);
	va_end(args);
	return SKIPPED;
}

void die(const char *what, ...)
{
	int err = errno;
	va_list args;

	va_start(args, what);
	printf("# ");
	vprintf(what, args);
	printf(": %s\n", strerror(err));
	va_end(args);
	exit(FAILED);
}

static enum outcome run_apart(const struct test *test)
{
	int status;
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (!pid) {
		setpgid(0, 0);
		alarm(TEST_SECONDS);
		exit(test->run());
	}

	setpgid(pid, pid);
	if (waitpid(pid, &status, 0) < 0)
		die("waitpid");
	kill(-pid, SIGKILL);

	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	if (WTERMSIG(status) == SIGALRM)
		return verdict(false, "not done within %d s", TEST_SECONDS);
	return verdict(false, "ended by signal %d (%s)", WTERMSIG(status),
		       strsignal(WTERMSIG(status)));
}

static bool chosen(const char *name, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], name))
			return true;
	return argc < 2;
}

static bool known(const char *name, const struct test *tests, int count)
{
	for (int i = 0; i < count; i++)
		if (!strcmp(tests[i].name, name))
			return true;
	return false;
}

static void report(int number, const char *name, enum outcome outcome)
{
	char reason[200] = "";

	if (outcome != SKIPPED) {
		printf("%sok %d %s\n", outcome == PASSED ? "" : "not ", number, name);
		return;
	}
	if (read(reason_pipe[0], reason, sizeof(reason) - 1) < 0)
		die("read");
	printf("ok %d %s # SKIP %s\n", number, name, reason);
}

int run_tests(const struct test *tests, int count, int argc, char **argv,
	      void (*restore)(void))
{
	int planned = 0, number = 0, outcomes[3] = { 0 };

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = 1; i < argc; i++) {
		if (!known(argv[i], tests, count)) {
			printf("KTAP version 1\nBail out! no test '%s'; there are:", argv[i]);
			for (int j = 0; j < count; j++)
				printf(" %s", tests[j].name);
			printf("\n");
			return 2;
		}
	}
	if (pipe(reason_pipe))
		die("pipe");

	for (int i = 0; i < count; i++)
		planned += chosen(tests[i].name, argc, argv);
	printf("KTAP version 1\n1..%d\n", planned);

	for (int i = 0; i < count; i++) {
		enum outcome outcome;

		if (!chosen(tests[i].name, argc, argv))
			continue;
		outcome = run_apart(&tests[i]);
		restore();
		report(++number, tests[i].name, outcome);
		outcomes[outcome == PASSED || outcome == SKIPPED ? outcome : FAILED]++;
	}

	printf("# Totals: pass:%d fail:%d xfail:0 xpass:0 skip:%d error:0\n",
	       outcomes[PASSED], outcomes[FAILED], outcomes[SKIPPED]);
	if (outcomes[FAILED])
		return 1;
	return outcomes[SKIPPED] == planned ? 4 : 0;
}
