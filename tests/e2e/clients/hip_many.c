/* SPDX-License-Identifier: MIT */
/*
 * Launches many kernels.
 *
 *	hip_many [THREADS [STREAMS [LAUNCHES [KERNEL...]]]]
 *
 * Every thread (1) launches so many kernels (1000) in turn into its own streams (1), on each device
 * in turn, and of each kernel in turn; their names say how long they take.  The second half of what
 * it launches stands between two system calls, getpgid.
 */
#include <pthread.h>
#include <unistd.h>

#include "hip_client.h"

#define STREAMS_MAX 16
#define KERNELS_MAX 8

static unsigned long threads = 1, streams = 1, launches = 1000, kernels = 1;
static const char symbols[KERNELS_MAX];
static int devices;

static void *work(void *place)
{
	int device = (int)(intptr_t)place % devices;
	hipStream_t stream[STREAMS_MAX];

	CHECK(hipSetDevice, device);
	for (unsigned long i = 0; i < streams; i++)
		stream[i] = new_stream();
	for (unsigned long i = 0; i < launches; i++) {
		if (i == launches / 2)
			getpgid(0);
		launch(&symbols[i % kernels], stream[i % streams], 1);
	}
	getpgid(0);
	ENQUEUE(SYNC, hipDeviceSynchronize);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread[64];

	if (argc > 1)
		threads = number(argv[1]);
	if (argc > 2)
		streams = number(argv[2]);
	if (argc > 3)
		launches = number(argv[3]);
	if (argc > 4)
		kernels = (unsigned long)argc - 4;
	if (threads > COUNT_OF(thread) || streams > STREAMS_MAX || kernels > KERNELS_MAX)
		fail("too many");
	for (unsigned long i = 0; i < kernels; i++)
		register_kernel(&symbols[i], argc > 4 ? argv[4 + i] : SHORT);
	CHECK(hipGetDeviceCount, &devices);
	for (unsigned long i = 1; i < threads; i++)
		if (pthread_create(&thread[i], NULL, work, (void *)i))
			fail("%lu threads are too many", threads);
	work(NULL);
	for (unsigned long i = 1; i < threads; i++)
		pthread_join(thread[i], NULL);
	print_started();
	return 0;
}
