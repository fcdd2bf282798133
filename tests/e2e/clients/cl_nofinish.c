/* SPDX-License-Identifier: MIT */
/* Launches kernels and leaves by a chosen way (endings.h), so that a test sees what a trace keeps.
 */
#include "client.h"
#include "endings.h"

static struct client client;
static cl_command_queue queue;

static void work(void)
{
	launch_empty(&client, queue, launches);
	if (finish)
		check(clFinish(queue), "clFinish");
}

int main(int argc, char **argv)
{
	const struct ending *ending = parse_ending(argc, argv);

	client = client_open(first_device());
	queue = new_queue(&client, 0);
	work();
	print_started();
	ending->leave();
	return 0;
}
