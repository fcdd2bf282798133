/* SPDX-License-Identifier: MIT */
/*
 * Loads code and launches a kernel of it:
 *
 *	hip_modules file|memory|options FILE KERNEL
 */
#include <string.h>

#include "tests/e2e/clients/hip_client.h"

/* The image is freed at once: the runtime has a copy of its own. */
static void load_memory(hipModule_t *module, const char *path, bool options)
{
	FILE *file = fopen(path, "r");
	static char bytes[1 << 20];
	size_t count = file ? fread(bytes, 1, sizeof(bytes) - 1, file) : 0;
	char *copy = malloc(count + 1);

	if (!count || !copy)
		fail("%s cannot be read", path);
	memcpy(copy, bytes, count);
	copy[count] = 0;
	if (options)
		check(hipModuleLoadDataEx(module, copy, 0, NULL, NULL), "hipModuleLoadDataEx");
	else
		check(hipModuleLoadData(module, copy), "hipModuleLoadData");
	free(copy);
	fclose(file);
}

int main(int argc, char **argv)
{
	hipFunction_t kernel;
	hipModule_t module;

	if (argc != 4)
		fail("usage: hip_modules file|memory|options FILE KERNEL");
	check(hipInit(0), "hipInit");
	if (!strcmp(argv[1], "file"))
		check(hipModuleLoad(&module, argv[2]), "hipModuleLoad");
	else
		load_memory(&module, argv[2], !strcmp(argv[1], "options"));
	check(hipModuleGetFunction(&kernel, module, argv[3]), "hipModuleGetFunction");
	count(KERNEL, hipModuleLaunchKernel(kernel, 2, 1, 1, 64, 1, 1, 0, NULL, NULL, NULL),
		"hipModuleLaunchKernel");
	count(SYNC, hipDeviceSynchronize(), "hipDeviceSynchronize");
	check(hipModuleUnload(module), "hipModuleUnload");
	print_started();
	return 0;
}
