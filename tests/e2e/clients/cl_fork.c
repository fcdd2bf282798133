/* SPDX-License-Identifier: MIT */
/* A process tree in which every process launches kernels of its own (processes.h). */
#include "client.h"
#include "processes.h"

static void work(const char *name, unsigned long kernels)
{
	if (kernels) {
		struct client client = client_open(first_device());
		cl_command_queue queue = new_queue(&client, 0);

		launch_empty(&client, queue, kernels);
		check(clFinish(queue), "clFinish");
		clReleaseCommandQueue(queue);
		client_close(&client);
	}
	printf("process name=%s pid=%d kernels=%lu\n", name, getpid(), started[KERNEL]);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	return run_processes(argc, argv);
}
