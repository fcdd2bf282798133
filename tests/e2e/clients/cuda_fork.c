/* SPDX-License-Identifier: MIT */
/* A process tree in which every process launches kernels of its own (processes.h).  Children that
 * launch nothing try, and print what the driver answers. */
#include "cuda_client.h"
#include "processes.h"

static void work(const char *name, unsigned long kernels)
{
	if (kernels) {
		open_device(0);
		launch(get_kernel(load_module(), ADD), new_stream(), kernels);
		CHECK(cuCtxSynchronize);
	} else {
		printf("%s: cuInit %d, cuCtxSynchronize %d, cuStreamCreate %d\n", name, cuInit(0),
			cuCtxSynchronize(), cuStreamCreate(&(CUstream){NULL}, 0));
	}
	printf("process name=%s pid=%d kernels=%lu\n", name, getpid(), started[KERNEL]);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	return run_processes(argc, argv);
}
