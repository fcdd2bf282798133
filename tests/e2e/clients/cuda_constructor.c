/* SPDX-License-Identifier: MIT */
/*
 * Launches kernels in a constructor, and more in main.  As a library (cuda_loader) dlopen runs the
 * constructor, and lets no other thread open a library meanwhile.
 */
#include "cuda_client.h"

static void launch_some(void)
{
	CUfunction kernel = get_kernel(load_module(), SHORT);

	for (int i = 0; i < 10; i++)
		launch(kernel, NULL, 1);
	CHECK(cuCtxSynchronize);
}

__attribute__((constructor)) static void begin(void)
{
	open_device(0);
	launch_some();
}

int main(void)
{
	launch_some();
	print_started();
	return 0;
}
