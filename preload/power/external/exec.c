/* SPDX-License-Identifier: MIT */
/* A meter that a program reads and writes to its standard output: see meter.h.  The program runs
 * from the opening of the source to its end. */
#include "preload/power/core/power.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload/common/orphan.h"
#include "preload/power/external/meter.h"

#define LEAST_FD 3

struct exec {
	struct meter meter; /* first: the ops of meter.h see this */
	pid_t pid;          /* and its group's; 0: it has ended */
};

/* The end that the program writes into is above 2, as orphan_start wants it. */
static int make_pipe(int fds[2])
{
	int moved;

	if (pipe2(fds, O_CLOEXEC))
		return -1;
	moved = fcntl(fds[1], F_DUPFD_CLOEXEC, LEAST_FD);
	close(fds[1]);
	fds[1] = moved;
	if (moved >= 0 && !fcntl(fds[0], F_SETFL, O_NONBLOCK))
		return 0;
	close(fds[0]);
	close(moved);
	return -1;
}

static void *open_exec(const char *command, char *why)
{
	struct exec *exec = calloc(1, sizeof(*exec));
	char *const argv[] = {"sh", "-c", (char *)command, NULL};
	int fds[2];

	if (!exec || !*command || make_pipe(fds)) {
		snprintf(why, POWER_WHY_MAX, "%s",
			exec && !*command ? "which command? say exec:COMMAND" : strerror(errno));
		free(exec);
		return NULL;
	}
	exec->pid = orphan_start("/bin/sh", argv, (int[]){-1, fds[1], -1});
	close(fds[1]);
	meter_begin(&exec->meter, fds[0], command);
	if (exec->pid)
		return exec;
	snprintf(why, POWER_WHY_MAX, "%s could not be started", command);
	meter_end(&exec->meter);
	free(exec);
	return NULL;
}

static void read_exec(void *state, size_t i)
{
	struct exec *exec = state;

	(void)i;
	if (meter_read(&exec->meter) || !exec->pid)
		return;
	exec->pid = 0;
	power_notes_add(&exec->meter.notes, "power_sample",
		"%s has ended; it measures nothing from here on", exec->meter.name);
}

static void close_exec(void *state)
{
	struct exec *exec = state;

	meter_end(&exec->meter);
	if (exec->pid)
		kill(-exec->pid, SIGTERM);
	free(exec);
}

const struct power_ops power_exec = {
	.open = open_exec,
	.sensors = meter_sensors,
	.read = read_exec,
	.write = meter_write,
	.note = meter_note,
	.close = close_exec,
};
