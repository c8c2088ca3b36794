/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Results in the kernel's test protocol (Documentation/dev-tools/ktap.rst): a
 * plan, then a line for each test. Each test runs in a process group of its
 * own, which is killed when the test has ended or takes too long.
 */
#ifndef KTAP_H
#define KTAP_H

#include <stdbool.h>

#define TEST_SECONDS 120	/* of the tested kernel's clock */

enum outcome { PASSED, FAILED, SKIPPED };

struct test {
	const char *name;
	enum outcome (*run)(void);
};

/* Says what was measured, whether it is good or not. */
enum outcome verdict(bool good, const char *figures, ...)
	__attribute__((format(printf, 2, 3)));
enum outcome skip(const char *reason, ...) __attribute__((format(printf, 1, 2)));

/* The test cannot go on: something it needs has failed, which errno explains. */
void die(const char *what, ...)
	__attribute__((format(printf, 1, 2), noreturn));

/*
 * Runs the tests named in argv, or all; after each, @restore undoes what it may
 * have left. Returns the exit status: 0, or 1 if any failed, 2 for a name that
 * no test has, 4 if all were skipped.
 */
int run_tests(const struct test *tests, int count, int argc, char **argv,
	      void (*restore)(void));

#endif
