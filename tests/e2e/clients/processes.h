/* SPDX-License-Identifier: MIT */
/*
 * A process tree in which every process launches kernels of its own:
 * PROGRAM [fork|exec|spawn|vfork|after|opening] [N].
 *
 * fork		two children by fork before any use of a device (the default)
 * exec		the same, each child executing this program again
 * spawn	the same by posix_spawn
 * vfork	the same by vfork and exec
 * after	the parent has used a device when it forks; the children launch nothing
 * opening	two children by fork, while a thread of the parent waits for pwrtrace at its first
 *use of a device
 *
 * The parent launches N kernels (default 10), child i N + i.
 */
#ifndef PROCESSES_H
#define PROCESSES_H

#include <dirent.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"

#define CHILDREN 2

extern char **environ;

static unsigned long launches = 10;

/* Defined by the client: launches so many kernels, waits for them and prints a line, "process
 * name=parent|child-1|child-2 pid=N kernels=N". */
static void work(const char *name, unsigned long kernels);

static int child(int index, unsigned long kernels)
{
	char name[16];

	snprintf(name, sizeof(name), "child-%d", index);
	work(name, kernels);
	return 0;
}

/* The arguments with which this program is child index: "child INDEX KERNELS". */
static char **child_arguments(int index)
{
	static char index_text[16], kernels_text[32];
	static char *arguments[] = {"again", "child", index_text, kernels_text, NULL};

	snprintf(index_text, sizeof(index_text), "%d", index);
	snprintf(kernels_text, sizeof(kernels_text), "%lu", launches + index);
	return arguments;
}

static pid_t start_by_fork(int index)
{
	pid_t pid = fork();

	if (!pid)
		exit(child(index, launches + index));
	return pid;
}

static pid_t start_by_exec(int index)
{
	char **arguments = child_arguments(index);
	pid_t pid = fork();

	if (!pid) {
		execv("/proc/self/exe", arguments);
		_exit(127);
	}
	return pid;
}

static pid_t start_by_vfork(int index)
{
	char **arguments = child_arguments(index);
	pid_t pid = vfork();

	if (!pid) {
		execv("/proc/self/exe", arguments);
		_exit(127);
	}
	return pid;
}

static pid_t start_by_spawn(int index)
{
	pid_t pid;

	if (posix_spawn(&pid, "/proc/self/exe", NULL, NULL, child_arguments(index), environ))
		return -1;
	return pid;
}

static pid_t start_idle(int index)
{
	pid_t pid = fork();

	if (!pid) {
		started[KERNEL] = 0;
		exit(child(index, 0));
	}
	return pid;
}

enum turn { CHILDREN_FIRST, PARENT_FIRST, AT_ONCE };

static const struct way {
	const char *name;
	pid_t (*start)(int index);
	enum turn turn;
} ways[] = {
	{"fork", start_by_fork, CHILDREN_FIRST},
	{"exec", start_by_exec, CHILDREN_FIRST},
	{"spawn", start_by_spawn, CHILDREN_FIRST},
	{"vfork", start_by_vfork, CHILDREN_FIRST},
	{"after", start_idle, PARENT_FIRST},
	{"opening", start_by_fork, AT_ONCE},
};

/* Both children run at once. */
static void run_children(const struct way *way)
{
	pid_t children[CHILDREN];
	int status;

	for (int i = 0; i < CHILDREN; i++) {
		children[i] = way->start(i + 1);
		if (children[i] < 0)
			fail("no child process");
	}
	for (int i = 0; i < CHILDREN; i++)
		if (waitpid(children[i], &status, 0) != children[i] || status)
			fail("child %d ended with status %#x", i + 1, status);
}

static void *work_of_parent(void *unused)
{
	work("parent", launches);
	return unused;
}

static unsigned threads(void)
{
	DIR *tasks = opendir("/proc/self/task");
	unsigned count = 0;

	while (tasks && readdir(tasks))
		count++;
	if (tasks)
		closedir(tasks);
	return count;
}

/* Returns once the parent's thread has made pwrtrace start one of its own. */
static pthread_t start_parent(void)
{
	unsigned before = threads();
	pthread_t parent;

	if (pthread_create(&parent, NULL, work_of_parent, NULL))
		fail("no thread");
	while (threads() < before + 2)
		sched_yield();
	return parent;
}

static void have_no_more_children(void)
{
	int status;

	if (waitpid(-1, &status, __WALL | WNOHANG) != -1 || errno != ECHILD)
		fail("there is a child that is not ours");
}

static int run_processes(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "fork";
	pthread_t parent = 0;

	if (argc == 4 && !strcmp(name, "child"))
		return child(number(argv[2]), number(argv[3]));
	if (argc > 2)
		launches = number(argv[2]);
	for (size_t i = 0; i < COUNT_OF(ways); i++) {
		if (strcmp(name, ways[i].name))
			continue;
		if (ways[i].turn == PARENT_FIRST)
			work("parent", launches);
		if (ways[i].turn == AT_ONCE)
			parent = start_parent();
		run_children(&ways[i]);
		if (ways[i].turn == CHILDREN_FIRST)
			work("parent", launches);
		if (ways[i].turn == AT_ONCE)
			pthread_join(parent, NULL);
		have_no_more_children();
		return 0;
	}
	fprintf(stderr, "usage: %s [fork|exec|spawn|vfork|after|opening] [N]; see the source\n",
		argv[0]);
	return 2;
}

#endif
