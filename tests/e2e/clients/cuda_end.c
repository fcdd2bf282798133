/* SPDX-License-Identifier: MIT */
/* Launches kernels and leaves by a chosen way (endings.h), so that a test sees what a trace keeps.
 */
#include "cuda_client.h"
#include "endings.h"

static CUfunction kernel;
static CUstream stream;

static void work(void)
{
	launch(kernel, stream, launches);
	if (finish)
		CHECK(cuCtxSynchronize);
}

int main(int argc, char **argv)
{
	const struct ending *ending = parse_ending(argc, argv);

	open_device(0);
	kernel = get_kernel(load_module(), ADD);
	stream = new_stream();
	work();
	print_started();
	ending->leave();
	return 0;
}
