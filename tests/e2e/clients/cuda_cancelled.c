/* SPDX-License-Identifier: MIT */
/* Cancels the thread that uses the GPU first, and launches kernels on another. */
#include <pthread.h>

#include "cuda_client.h"

static void *use_first(void *unused)
{
	(void)unused;
	CHECK(cuInit, 0);
	pthread_testcancel();
	return NULL;
}

int main(void)
{
	pthread_t thread;
	void *result;

	pthread_create(&thread, NULL, use_first, NULL);
	pthread_cancel(thread);
	pthread_join(thread, &result);
	if (result != PTHREAD_CANCELED)
		fail("the thread was not cancelled");
	open_device(0);
	launch(get_kernel(load_module(), SHORT), NULL, 10);
	CHECK(cuCtxSynchronize);
	print_started();
	return 0;
}
