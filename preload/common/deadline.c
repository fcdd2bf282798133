/* SPDX-License-Identifier: MIT */
#include "preload/common/deadline.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "preload/common/clock.h"

struct deadline_call {
	int (*action)(void *argument);
	void *argument;
};

static void *run(void *argument)
{
	struct deadline_call call = *(struct deadline_call *)argument;

	free(argument);
	return (void *)(intptr_t)call.action(call.argument);
}

int within_deadline(int (*action)(void *argument), void *argument, uint64_t timeout_ns)
{
	uint64_t until_ns = clock_now_ns() + timeout_ns;
	struct timespec until = clock_timespec(until_ns);
	struct deadline_call *call = malloc(sizeof(*call));
	pthread_t thread;
	void *result;

	if (!call)
		return -ENOMEM;
	*call = (struct deadline_call){action, argument};
	if (pthread_create(&thread, NULL, run, call)) {
		free(call);
		return -EAGAIN;
	}
	if (pthread_clockjoin_np(thread, &result, CLOCK_MONOTONIC, &until))
		return -ETIMEDOUT;
	return (int)(intptr_t)result;
}
