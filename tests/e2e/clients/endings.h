/* SPDX-License-Identifier: MIT */
/*
 * The ways to leave a program, for clients that launch kernels and then do: PROGRAM WAY [--finish]
 * [--launches N].
 *
 * WAY: return, exit, _exit, quick_exit, abort, kill (SIGKILL), terminate (SIGTERM), thread (the
 * main thread ends, and a second one then ends the process), exec (of true), atexit (as many
 * launches again from an atexit handler, and the totals again), twice (exit, which a destructor
 * cuts short by _exit).  --finish waits for the kernels before leaving.
 */
#ifndef ENDINGS_H
#define ENDINGS_H

#include <getopt.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "common.h"

static unsigned long launches = 100;
static bool finish;

/* Defined by the client: launches kernels, and waits for them if finish. */
static void work(void);

static void work_at_exit(void)
{
	work();
	print_started();
}

static void leave_by_return(void)
{
}

static void leave_by_exit(void)
{
	exit(3);
}

static void leave_by__exit(void)
{
	_exit(3);
}

static void leave_by_quick_exit(void)
{
	quick_exit(3);
}

static void leave_by_kill(void)
{
	kill(getpid(), SIGKILL);
}

static void leave_by_terminate(void)
{
	kill(getpid(), SIGTERM);
	pause();
}

static void leave_by_exec(void)
{
	execlp("true", "true", NULL);
}

static void *exit_alone(void *main_thread)
{
	pthread_join(*(pthread_t *)main_thread, NULL);
	exit(3);
}

static void leave_by_thread(void)
{
	static pthread_t main_thread;
	pthread_t other;

	main_thread = pthread_self();
	if (pthread_create(&other, NULL, exit_alone, &main_thread))
		fail("no second thread");
	pthread_exit(NULL);
}

static void leave_by_atexit(void)
{
	if (atexit(work_at_exit))
		fail("no atexit handler");
	exit(3);
}

static bool cut_short;

__attribute__((destructor)) static void cut_exit_short(void)
{
	if (cut_short)
		_exit(3);
}

static void leave_twice(void)
{
	cut_short = true;
	exit(3);
}

static const struct ending {
	const char *name;
	void (*leave)(void);
} endings[] = {
	{"return", leave_by_return},
	{"exit", leave_by_exit},
	{"_exit", leave_by__exit},
	{"quick_exit", leave_by_quick_exit},
	{"abort", abort},
	{"kill", leave_by_kill},
	{"terminate", leave_by_terminate},
	{"thread", leave_by_thread},
	{"exec", leave_by_exec},
	{"atexit", leave_by_atexit},
	{"twice", leave_twice},
};

static const struct ending *parse_ending(int argc, char **argv)
{
	static const struct option options[] = {
		{"finish", no_argument, NULL, 'f'},
		{"launches", required_argument, NULL, 'n'},
		{0},
	};
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'f')
			finish = true;
		else if (option == 'n')
			launches = number(optarg);
		else
			exit(2);
	}
	for (size_t i = 0; argv[optind] && i < COUNT_OF(endings); i++)
		if (!strcmp(argv[optind], endings[i].name))
			return &endings[i];
	fprintf(stderr, "usage: %s WAY [--finish] [--launches N]; see the source\n", argv[0]);
	exit(2);
}

#endif
