/* SPDX-License-Identifier: MIT */
/*
 * Empty kernels as fast as they can be launched.
 *
 *	cl_many [--launches N] [--batch M]	N launches (default 100000), a clFinish after every
 *						M of them (default 1000)
 *	        [--depth D]			from D calls of a function deep (default 0)
 *	        [--layer]			within a layer
 *
 * Prints cpu_ns_per_launch, the launching thread's CPU time in the launching calls alone,
 * wall_ns_per_launch, the time of everything with the clFinish calls, the totals, and when all is
 * recorded collector_ns_per_launch, the CPU time of pwrtrace's collector.
 */
#include <getopt.h>
#include <pwrtrace/pwrtrace.h>
#include <time.h>

#include "client.h"
#include "collector.h"

#define WARM_UP 1000

static double now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1e9 + now.tv_nsec;
}

/* Returns the launching thread's CPU time in the launching calls. */
static double launch_batch(cl_command_queue queue, cl_kernel kernel, unsigned long times)
{
	const double begin_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);

	for (unsigned long i = 0; i < times; i++)
		launch(queue, kernel, 1, 0, NULL, NULL);
	return now_ns(CLOCK_THREAD_CPUTIME_ID) - begin_ns;
}

static void measure(const struct client *client, unsigned long launches, unsigned long batch)
{
	cl_command_queue queue = new_queue(client, 0);
	cl_kernel empty = new_kernel(client, "empty");
	double begin_ns, cpu_ns = 0;

	launch_batch(queue, empty, WARM_UP);
	clFinish(queue);
	begin_to_measure_collector(launches);
	begin_ns = now_ns(CLOCK_MONOTONIC);
	for (unsigned long left = launches; left; left -= left < batch ? left : batch) {
		cpu_ns += launch_batch(queue, empty, left < batch ? left : batch);
		clFinish(queue);
	}
	printf("cpu_ns_per_launch=%.1f wall_ns_per_launch=%.1f\n", cpu_ns / launches,
		(now_ns(CLOCK_MONOTONIC) - begin_ns) / launches);
	clReleaseKernel(empty);
	clReleaseCommandQueue(queue);
}

__attribute__((noinline)) static void measure_deep(unsigned long depth, const struct client *client,
	unsigned long launches, unsigned long batch)
{
	if (depth)
		measure_deep(depth - 1, client, launches, batch);
	else
		measure(client, launches, batch);
	/* No call at the end, of which compilers make a jump. */
	__asm__ volatile("");
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{"launches", required_argument, NULL, 'n'},
		{"batch", required_argument, NULL, 'b'},
		{"depth", required_argument, NULL, 'd'},
		{"layer", no_argument, NULL, 'l'},
		{0},
	};
	unsigned long launches = 100000, batch = 1000, depth = 0;
	bool layer = false;
	struct client client;
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'n')
			launches = number(optarg);
		else if (option == 'b')
			batch = number(optarg);
		else if (option == 'd')
			depth = number(optarg);
		else if (option == 'l')
			layer = true;
		else
			exit(2);
	}
	if (!launches || !batch) {
		fprintf(stderr, "cl_many: --launches and --batch are at least 1\n");
		return 2;
	}
	print_collector_at_end();
	client = client_open(first_device());
	if (layer)
		pwrtrace_push("many");
	measure_deep(depth, &client, launches, batch);
	client_close(&client);
	print_started();
	return 0;
}
