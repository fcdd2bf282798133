/* SPDX-License-Identifier: MIT */
/*
 * Executions whose times are far from any comparison of the clocks of host and device: for most of
 * a second, a kernel every ten milliseconds, in each context of one device in turn.  Then the
 * program kills itself, so that the clocks are not compared at the end.
 *
 *	cuda_clock CONTEXTS [await]
 *
 * await: the program waits for each kernel, by its stream, an event or its context in turn; without
 * it, for none.  CONTEXTS is 3 at most.  Work in all contexts but the first waits 30 ms for work in
 * that one, so that the time from launch to begin says nothing about the clocks of these contexts.
 */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cuda_client.h"

#define ROUNDS 80
#define PAUSE_US 10000

static struct place {
	CUcontext context;
	CUstream streams[2];
	CUfunction kernel;
	CUevent event;
} places[3];

static void make_place(struct place *place, const char *kernel)
{
	CHECK(cuCtxCreate_v2, &place->context, 0, 0);
	for (int i = 0; i < 2; i++) {
		place->streams[i] = new_stream();
		if (place > places)
			CHECK(cuStreamWaitEvent, place->streams[i], places[0].event, 0);
	}
	place->event = new_event();
	place->kernel = get_kernel(load_module(), kernel);
	launch(get_kernel(load_module(), LONG), place->streams[0], place == places);
	CHECK(cuEventRecord, place->event, place->streams[0]);
	launch(place->kernel, place->streams[1], 1);
}

static void await(struct place *place, int round)
{
	switch (round % 3) {
	case 0:
		CHECK(cuStreamSynchronize, place->streams[round % 2]);
		break;
	case 1:
		CHECK(cuEventRecord, place->event, place->streams[round % 2]);
		CHECK(cuEventSynchronize, place->event);
		break;
	default:
		CHECK(cuCtxSynchronize);
	}
}

int main(int argc, char **argv)
{
	static const char *const kernels[] = {
		"_Z5firstILm1000000EEvv", "_Z6secondILm1000000EEvv", "_Z5thirdILm1000000EEvv"};
	int count = argc > 1 ? atoi(argv[1]) : 0;
	bool awaits = argc > 2 && strcmp(argv[2], "await") == 0;

	if (count < 1 || (size_t)count > COUNT_OF(kernels))
		fail("usage: cuda_clock CONTEXTS [await]");
	open_device(0);
	for (int i = 0; i < count; i++)
		make_place(&places[i], kernels[i]);
	for (int round = 0; round < ROUNDS; round++) {
		struct place *place = &places[round % count];

		usleep(PAUSE_US);
		CHECK(cuCtxSetCurrent, place->context);
		launch(place->kernel, place->streams[round % 2], 1);
		if (awaits)
			await(place, round / count);
	}
	/* Give the collector time to write the last of them. */
	usleep(10 * PAUSE_US);
	kill(getpid(), SIGKILL);
	return 1;
}
