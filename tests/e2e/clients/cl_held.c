/* SPDX-License-Identifier: MIT */
/* Launches kernels that wait for an event which does not come, and leaves (held.h). */
#include "client.h"
#include "held.h"

static struct client client;
static cl_command_queue queue;

static void open_and_work(void)
{
	client = client_open(first_device());
	queue = new_queue(&client, 0);
	launch_empty(&client, queue, 2);
	check(clFinish(queue), "clFinish");
}

static void work(void)
{
	cl_kernel empty = new_kernel(&client, "empty");
	cl_int error;
	cl_event never = clCreateUserEvent(client.context, &error);

	check(error, "clCreateUserEvent");
	for (unsigned long i = 0; i < launches; i++)
		launch(queue, empty, 1, 1, &never, NULL);
	check(clFlush(queue), "clFlush");
}

int main(int argc, char **argv)
{
	return leave_held(argc, argv);
}
