/* SPDX-License-Identifier: MIT */
/* Launches a kernel that takes 4.4 s, and behind it one that takes 2 us. */
#include "cuda_client.h"

int main(void)
{
	void *module;

	open_device(0);
	module = load_module();
	launch(get_kernel(module, "_Z7longestILm4400000000EEvv"), NULL, 1);
	launch(get_kernel(module, SHORT), NULL, 1);
	CHECK(cuCtxSynchronize);
	print_started();
	return 0;
}
