/* SPDX-License-Identifier: MIT */
/*
 * Processes: the parent prints what all of them launched.
 *
 *	processes fork         the child uses CUDA, then the parent
 *	processes fork-idle    the parent uses CUDA, and its child does not
 *	processes spawn        both use CUDA, the child by posix_spawn
 *	processes vfork        the same, by vfork and exec
 */
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime.h"

enum { LAUNCHES = 1000 };

extern char **environ;

static void launch(void)
{
	for (int i = 0; i < LAUNCHES; i++)
		empty<<<1, 32>>>();
	TRY(cudaDeviceSynchronize());
}

static void wait_for(pid_t child)
{
	int status;

	if (child <= 0 || waitpid(child, &status, 0) != child || status) {
		fprintf(stderr, "the child did not end well\n");
		exit(1);
	}
	/* Nobody but the child we made may be seen. */
	if (waitpid(-1, &status, WNOHANG) != -1) {
		fprintf(stderr, "there is a child of somebody else\n");
		exit(1);
	}
}

static pid_t forked(bool launches)
{
	pid_t child = fork();

	if (child == 0) {
		if (!launches)
			_exit(0);
		launch();
		exit(0);
	}
	return child;
}

static char *const child_argv[] = {(char *)"processes", (char *)"child", NULL};

static pid_t spawned(void)
{
	pid_t child = 0;

	return posix_spawn(&child, "/proc/self/exe", NULL, NULL, child_argv, environ) ? 0 : child;
}

static pid_t vforked(void)
{
	pid_t child = vfork();

	if (child == 0) {
		execve("/proc/self/exe", child_argv, environ);
		_exit(1);
	}
	return child;
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";
	struct counts counts = {};

	if (strcmp(way, "child") == 0) {
		launch();
		return 0;
	}
	if (strcmp(way, "fork") == 0)
		wait_for(forked(true));
	launch();
	if (strcmp(way, "fork-idle") == 0)
		wait_for(forked(false));
	if (strcmp(way, "spawn") == 0)
		wait_for(spawned());
	if (strcmp(way, "vfork") == 0)
		wait_for(vforked());
	launch();
	counts.kernels = 2 * LAUNCHES + (strcmp(way, "fork-idle") == 0 ? 0 : LAUNCHES);
	counts_print(&counts);
	return 0;
}
