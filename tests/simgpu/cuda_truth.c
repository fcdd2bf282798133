/* SPDX-License-Identifier: MIT */
/*
 * The record of what the devices did, for tests/e2e/cuda_truth.py: a line for each kernel, copy,
 * fill and launch of a graph, written when its times are known.  Lines are not buffered, so that
 * none is lost however the program ends.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/simgpu/cuda_parts.h"

static const char *const words[] = {
	[SIM_KERNEL] = "kernel",
	[SIM_MEMORY] = "memory",
	[SIM_GRAPH] = "graph",
};

static int truth_file(void)
{
	static int file = -2;
	const char *path = getenv("SIMGPU_CUDA_TRUTH");

	if (file == -2)
		file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
	return file;
}

void sim_write_truth(const struct sim_record *record)
{
	int file = truth_file();

	if (file < 0 || record->kind > SIM_GRAPH)
		return;
	dprintf(file,
		"%s pid=%d device=%u context=%u stream=%u begin_ns=%llu end_ns=%llu "
		"global=%d,%d,%d local=%d,%d,%d shared=%u bytes=%llu graph=%u node=%llu name=%s\n",
		words[record->kind], getpid(), sim_device((CUdevice)record->device),
		record->context, record->stream, (unsigned long long)record->begin_ns,
		(unsigned long long)record->end_ns, record->grid[0] * record->block[0],
		record->grid[1] * record->block[1], record->grid[2] * record->block[2],
		record->block[0], record->block[1], record->block[2],
		record->shared_bytes + STATIC_SHARED_BYTES, (unsigned long long)record->bytes,
		record->graph, (unsigned long long)record->node, record->name ? record->name : "");
}
