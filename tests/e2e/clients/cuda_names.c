/* SPDX-License-Identifier: MIT */
/*
 * Launches kernels of many names as fast as it can.
 *
 *	cuda_names FILE [LAUNCHES]	the kernels that FILE names, one to a line, in turns
 *					(default 100000), a synchronization after every 1000
 *
 * Each round over all names is a layer.  Prints the totals, and when all is recorded
 * collector_ns_per_launch, the CPU time of pwrtrace's collector.
 */
#include <pwrtrace/pwrtrace.h>

#include "collector.h"
#include "cuda_client.h"

#define NAMES_MAX 200
#define BATCH 1000

static unsigned long launches = 100000;

static size_t get_kernels(const char *path, CUfunction kernels[NAMES_MAX])
{
	FILE *file = fopen(path, "r");
	void *module = load_module();
	char name[1000];
	size_t count = 0;

	if (!file)
		fail("%s: %s", path, strerror(errno));
	while (count < NAMES_MAX && fgets(name, sizeof(name), file)) {
		name[strcspn(name, "\n")] = 0;
		kernels[count++] = get_kernel(module, name);
	}
	fclose(file);
	if (!count)
		fail("%s names no kernel", path);
	return count;
}

static void launch_all(const CUfunction *kernels, size_t count, unsigned long times)
{
	char layer[32];

	for (unsigned long i = 0; i < times; i++) {
		if (i % count == 0) {
			snprintf(layer, sizeof(layer), "block %lu", i / count % 12);
			pwrtrace_push(layer);
		}
		launch(kernels[i % count], NULL, 1);
		if (i % count == count - 1 || i + 1 == times)
			pwrtrace_pop();
		if (i % BATCH == BATCH - 1)
			CHECK(cuCtxSynchronize);
	}
	CHECK(cuCtxSynchronize);
}

int main(int argc, char **argv)
{
	CUfunction kernels[NAMES_MAX];
	size_t count;

	if (argc != 2 && argc != 3)
		fail("usage: cuda_names FILE [LAUNCHES]");
	if (argc == 3)
		launches = number(argv[2]);
	if (!launches)
		fail("LAUNCHES is at least 1");
	print_collector_at_end();
	open_device(0);
	count = get_kernels(argv[1], kernels);
	launch_all(kernels, count, BATCH);
	begin_to_measure_collector(launches);
	launch_all(kernels, count, launches);
	print_started();
	return 0;
}
