/* SPDX-License-Identifier: MIT */
/*
 * Launches, and waits for all its children, of which there is one.
 *
 *	cl_wait [--reaper]	and is the reaper of orphans among its descendants
 *
 * Prints how many it has seen end, and the totals.
 */
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "client.h"

int main(int argc, char **argv)
{
	bool reaper = argc > 1 && strcmp(argv[argc - 1], "--reaper") == 0;
	struct client client;
	cl_command_queue queue;
	int ended = 0;

	if (reaper)
		prctl(PR_SET_CHILD_SUBREAPER, 1);
	client = client_open(first_device());
	queue = new_queue(&client, 0);
	launch_empty(&client, queue, 10);
	check(clFinish(queue), "clFinish");
	if (fork() == 0)
		_exit(0);
	while (wait(NULL) > 0)
		ended++;
	printf("children=%d\n", ended);
	print_started();
	clReleaseCommandQueue(queue);
	return 0;
}
