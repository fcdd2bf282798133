/* SPDX-License-Identifier: MIT */
/*
 * Runs a program that was built as a library, as a Python module would be.
 *
 *	cuda_loader local|deepbind|dlmopen LIBRARY [ARGUMENT...]
 *
 * What the library needs, the driver and CUPTI, comes with it: nobody looks a symbol up.
 */
#include <dlfcn.h>

#include "common.h"

static void *load(const char *way, const char *library)
{
	if (!strcmp(way, "dlmopen"))
		return dlmopen(LM_ID_NEWLM, library, RTLD_NOW);
	return dlopen(
		library, RTLD_NOW | RTLD_LOCAL | (strcmp(way, "deepbind") ? 0 : RTLD_DEEPBIND));
}

int main(int argc, char **argv)
{
	int (*run)(int, char **);
	void *library;

	if (argc < 3) {
		fprintf(stderr, "usage: cuda_loader WAY LIBRARY [ARGUMENT...]; see the source\n");
		return 2;
	}
	library = load(argv[1], argv[2]);
	if (!library)
		fail("%s", dlerror());
	run = (int (*)(int, char **))dlsym(library, "main");
	if (!run)
		fail("%s", dlerror());
	return run(argc - 2, argv + 2);
}
