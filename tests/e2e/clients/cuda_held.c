/* SPDX-License-Identifier: MIT */
/* Launches kernels behind one that takes an hour, and leaves (held.h). */
#include "cuda_client.h"
#include "held.h"

#define HOUR "_Z4hourILm3600000000000EEvv"

static void *module;
static CUstream stream;

static void open_and_work(void)
{
	open_device(0);
	module = load_module();
	stream = new_stream();
	launch(get_kernel(module, SHORT), stream, 2);
	CHECK(cuCtxSynchronize);
}

static void work(void)
{
	launch(get_kernel(module, HOUR), stream, 1);
	launch(get_kernel(module, SHORT), stream, launches - 1);
}

int main(int argc, char **argv)
{
	return leave_held(argc, argv);
}
