/* SPDX-License-Identifier: MIT */
#include "analyzer/trace/survive.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

/* Raised by failed assertions, divisions by zero, and pages of a file that cannot be read.
 */
static const int signals[] = {SIGABRT, SIGFPE, SIGBUS};
enum { SIGNALS = sizeof(signals) / sizeof(*signals) };

static sigjmp_buf before;

/* abort() ends the process only if the handler returns (C11, 7.22.4.1). */
static void jump_back(int signal)
{
	(void)signal;
	siglongjmp(before, 1);
}

/* Sends stderr to /dev/null.  Returns a duplicate of what it was, for restore_stderr(), or -1. */
static int silence_stderr(void)
{
	int usual = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
	int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (usual >= 0 && nowhere >= 0)
		dup2(nowhere, STDERR_FILENO);
	if (nowhere >= 0)
		close(nowhere);
	return usual;
}

static void restore_stderr(int usual)
{
	if (usual < 0)
		return;
	dup2(usual, STDERR_FILENO);
	close(usual);
}

bool survive(void (*run)(void *data), void *data)
{
	const struct sigaction action = {.sa_handler = jump_back};
	struct sigaction usual_actions[SIGNALS];
	volatile bool survived = false;
	const int usual = silence_stderr();

	for (int i = 0; i < SIGNALS; i++)
		sigaction(signals[i], &action, &usual_actions[i]);
	if (sigsetjmp(before, true) == 0) {
		run(data);
		survived = true;
	}
	for (int i = 0; i < SIGNALS; i++)
		sigaction(signals[i], &usual_actions[i], NULL);
	restore_stderr(usual);
	return survived;
}
