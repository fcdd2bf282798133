/* SPDX-License-Identifier: MIT */
#include "preload/common/orphan.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "preload/common/environment.h"

#define STACK_BYTES 65536
#define AGAIN_NS 500000

struct orphan_call {
	const char *path;
	char *const *argv;
	const int *fds;
	char **environment;
	char *stacks; /* one for each generation */
	pid_t orphan; /* 0: not started yet */
};

/* Runs on a stack of its own in our memory, the caller waiting: system calls only, and its end is a
 * return, as _exit is one of our hooks in the shim.  The program's handlers go first, then signals
 * are unblocked. */
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
	return 127;
}

/* What makes a process one of the recording's. */
static const char *const recording_variables[] = {"LD_PRELOAD", "PWRTRACE_RECORDING", NULL};

/* Whether orphans among its descendants become the program's own children: it is the first process
 * of a container, or has asked for them. */
static bool adopts_orphans(void)
{
	int asked = 0;

	prctl(PR_GET_CHILD_SUBREAPER, &asked);
	return asked || getpid() == 1;
}

/* Stays between the program and the one that executes, with the daemons that this starts, for as
 * long as the program lives, or is executed anew: so they are no orphans.  It has the program's
 * memory and nothing else of it; all signals are blocked.  The thread with whose libc state it runs
 * goes on beside it: system calls only. */
static int adopt(void *argument)
{
	struct orphan_call *call = argument;
	struct pollfd program = {.events = POLLIN};
	pid_t child;

	syscall(SYS_prctl, PR_SET_CHILD_SUBREAPER, 1);
	syscall(SYS_prctl, PR_SET_NAME, "pwrtrace");
	syscall(SYS_setsid);
	sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);
	child = clone(
		execute, call->stacks + 2 * STACK_BYTES, CLONE_VM | CLONE_VFORK | SIGCHLD, call);
	syscall(SYS_close_range, 0, ~0U, 0);
	program.fd = (int)syscall(SYS_pidfd_open, getppid(), 0);
	__atomic_store_n(&call->orphan, child > 0 ? child : -1, __ATOMIC_RELEASE);
	if (child > 0 && program.fd >= 0)
		syscall(SYS_ppoll, &program, 1, NULL, NULL, 0);
	return 0;
}

static int make_orphan(void *argument)
{
	struct orphan_call *call = argument;

	call->orphan = clone(execute, call->stacks + 2 * STACK_BYTES, CLONE_VM | CLONE_VFORK, call);
	return 0;
}

/* Waits until a child of the program has started the one that executes and is gone, or stays. */
static void await_start(const struct orphan_call *call, pid_t child, bool stays)
{
	if (!stays)
		while (child > 0 && waitpid(child, NULL, __WCLONE) < 0 && errno == EINTR)
			;
	else
		while (child > 0 && !__atomic_load_n(&call->orphan, __ATOMIC_ACQUIRE) &&
			waitpid(child, NULL, __WCLONE | WNOHANG) == 0)
			nanosleep(&(struct timespec){.tv_nsec = AGAIN_NS}, NULL);
}

/* The program must not notice: a child whose exit signal is 0 raises no SIGCHLD, and wait() does
 * not see it.  It would after an exec, so that the one that executes is that child's. */
pid_t orphan_start(const char *path, char *const argv[], const int fds[3])
{
	struct orphan_call call = {.path = path, .argv = argv, .fds = fds};
	bool stays = adopts_orphans();
	sigset_t all, before;
	pid_t child = -1;

	call.stacks = malloc(2 * STACK_BYTES);
	call.environment = environment_copy(0, recording_variables);
	if (call.stacks && call.environment) {
		sigfillset(&all);
		pthread_sigmask(SIG_SETMASK, &all, &before);
		child = clone(stays ? adopt : make_orphan, call.stacks + STACK_BYTES,
			stays ? CLONE_VM : CLONE_VM | CLONE_VFORK, &call);
		await_start(&call, child, stays);
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	}
	free(call.environment);
	if (!stays || child < 0)
		free(call.stacks);
	return call.orphan > 0 ? call.orphan : 0;
}
