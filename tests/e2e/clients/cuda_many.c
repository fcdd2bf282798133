/* SPDX-License-Identifier: MIT */
/*
 * Launches many kernels, linked with the driver.
 *
 *	cuda_many [--threads N] [--launches N] [--streams N] [--behind] [--mark] [--one-by-one]
 *
 * Every thread (default 1) launches N kernels (1000) in turn into its own streams (1).  --behind:
 *the first kernel of each stream takes longer than all the launches.  --mark: each thread launches
 *its kernels twice and calls getpgid before and after the second time, which a trace of system
 *calls shows.  --one-by-one: each thread waits for its kernels and ends before the next one begins;
 *at the end a line says how many events the process has created, pwrtrace's included.
 */
#include <getopt.h>
#include <pthread.h>
#include <unistd.h>

#include "cuda_client.h"

#define STREAMS_MAX 16

static unsigned long threads = 1, launches = 1000, streams = 1;
static bool behind, mark, one_by_one;
static CUcontext context;
static CUfunction kernel, first;

static void launch_all(CUstream *stream)
{
	for (unsigned long i = 0; i < launches; i++)
		launch(kernel, stream[i % streams], 1);
}

/* Before a context may be gone, pwrtrace collects all that was launched. */
static void wait_until_collected(void)
{
	CUcontext same;

	CHECK(cuCtxSynchronize);
	CHECK(cuDevicePrimaryCtxRetain, &same, 0);
	CHECK(cuDevicePrimaryCtxRelease_v2, 0);
}

static void *work(void *unused)
{
	CUstream stream[STREAMS_MAX];

	CHECK(cuCtxSetCurrent, context);
	for (unsigned long i = 0; i < streams; i++) {
		stream[i] = new_stream();
		launch(first, stream[i], behind);
	}
	launch_all(stream);
	if (one_by_one)
		wait_until_collected();
	if (mark) {
		CHECK(cuCtxSynchronize);
		usleep(300000);
		getpgid(0);
		launch_all(stream);
		getpgid(0);
	}
	return unused;
}

static void parse_options(int argc, char **argv)
{
	static const struct option options[] = {
		{"threads", required_argument, NULL, 't'},
		{"launches", required_argument, NULL, 'n'},
		{"streams", required_argument, NULL, 's'},
		{"behind", no_argument, NULL, 'b'},
		{"mark", no_argument, NULL, 'm'},
		{"one-by-one", no_argument, NULL, 'o'},
		{0},
	};
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 't')
			threads = number(optarg);
		else if (option == 'n')
			launches = number(optarg);
		else if (option == 's')
			streams = number(optarg);
		else if (option == 'b')
			behind = true;
		else if (option == 'm')
			mark = true;
		else if (option == 'o')
			one_by_one = true;
		else
			exit(2);
	}
	if (!streams || streams > STREAMS_MAX)
		fail("1 to %d streams", STREAMS_MAX);
}

int main(int argc, char **argv)
{
	pthread_t *thread;

	parse_options(argc, argv);
	context = open_device(0);
	/* With --mark the device must keep up, since launches into a full stream sleep. */
	kernel = get_kernel(load_module(), mark ? "_Z7instantILm0EEvv" : SHORT);
	first = get_kernel(load_module(), "_Z5firstILm500000000EEvv");
	thread = calloc(threads, sizeof(*thread));
	for (unsigned long i = 1; i < threads; i++) {
		if (!thread || pthread_create(&thread[i], NULL, work, NULL))
			fail("%lu threads are too many", threads);
		if (one_by_one)
			pthread_join(thread[i], NULL);
	}
	work(NULL);
	for (unsigned long i = 1; i < threads && !one_by_one; i++)
		pthread_join(thread[i], NULL);
	free(thread);
	CHECK(cuCtxSynchronize);
	if (one_by_one)
		printf("events=%llu\n", (unsigned long long)simgpu_events());
	print_started();
	return 0;
}
