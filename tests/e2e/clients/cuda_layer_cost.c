/* SPDX-License-Identifier: MIT */
/*
 * What a push or a pop costs: prints "api_ns=N nvtx_ns=N", the thread's CPU for one of them, of
 * pairs within four open layers.
 */
#include <time.h>

#include <pwrtrace/pwrtrace.h>

#include "cuda_client.h"

#define PAIRS 1000000

int nvtxRangePushA(const char *message);
int nvtxRangePop(void);

static const char *const names[] = {
	"encoder.layers.0", "encoder.layers.1.self_attn", "encoder.layers.2.linear1", "decoder"};

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static double api_ns(void)
{
	double begin_ns = now_ns();

	for (unsigned i = 0; i < PAIRS; i++) {
		pwrtrace_push(names[i % 4]);
		pwrtrace_pop();
	}
	return (now_ns() - begin_ns) / (2.0 * PAIRS);
}

static double nvtx_ns(void)
{
	double begin_ns = now_ns();

	for (unsigned i = 0; i < PAIRS; i++) {
		nvtxRangePushA(names[i % 4]);
		nvtxRangePop();
	}
	return (now_ns() - begin_ns) / (2.0 * PAIRS);
}

int main(void)
{
	open_device(0);
	launch(get_kernel(load_module(), SHORT), NULL, 1);
	for (int i = 0; i < 4; i++)
		pwrtrace_push(names[i]);
	api_ns();
	printf("api_ns=%.2f", api_ns());
	printf(" nvtx_ns=%.2f\n", nvtx_ns());
	return 0;
}
