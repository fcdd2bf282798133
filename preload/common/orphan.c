/* SPDX-License-Identifier: MIT */
#include "preload/common/orphan.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "preload/common/environment.h"

#define STACK_BYTES 65536

struct orphan_call {
	const char *path;
	char *const *argv;
	const int *fds;
	char **environment;
	char *stacks; /* one for each generation */
	pid_t orphan;
};

/* Runs on a stack of its own in our memory, the caller waiting: system calls only.  The program's
 * handlers go first, then signals are unblocked. */
static int execute(void *argument)
{
	struct orphan_call *call = argument;
	int null = open("/dev/null", O_RDWR);
	sigset_t none;

	for (int fd = 0; fd <= 2; fd++) {
		int from = call->fds[fd] < 0 ? null : call->fds[fd];

		if (from != fd)
			dup2(from, fd);
	}
	syscall(SYS_close_range, 3, ~0U, 0);
	setsid();
	for (int signal = 1; signal <= SIGRTMAX; signal++)
		sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execve(call->path, call->argv, call->environment);
	_Exit(127);
}

/* What makes a process one of the recording's. */
static const char *const recording_variables[] = {"LD_PRELOAD", "PWRTRACE_RECORDING", NULL};

static int make_orphan(void *argument)
{
	struct orphan_call *call = argument;

	call->orphan = clone(execute, call->stacks + 2 * STACK_BYTES, CLONE_VM | CLONE_VFORK, call);
	_exit(0);
}

/* The program must not notice: a child whose exit signal is 0 raises no SIGCHLD, and wait() does
 * not see it.  It would after an exec, so that the one that executes is that child's. */
pid_t orphan_start(const char *path, char *const argv[], const int fds[3])
{
	struct orphan_call call = {.path = path, .argv = argv, .fds = fds, .orphan = -1};
	sigset_t all, before;
	pid_t child;

	call.stacks = malloc(2 * STACK_BYTES);
	call.environment = environment_copy(0, recording_variables);
	if (call.stacks && call.environment) {
		sigfillset(&all);
		pthread_sigmask(SIG_SETMASK, &all, &before);
		child = clone(
			make_orphan, call.stacks + STACK_BYTES, CLONE_VM | CLONE_VFORK, &call);
		while (child > 0 && waitpid(child, NULL, __WCLONE) < 0 && errno == EINTR)
			;
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	}
	free(call.environment);
	free(call.stacks);
	return call.orphan > 0 ? call.orphan : 0;
}
