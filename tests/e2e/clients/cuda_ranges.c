/* SPDX-License-Identifier: MIT */
/*
 * The ranges of ranges.h by an interface whose functions are in a library: cuda_ranges
 * api|nvtx|roctx. The real libraries (tests/simgpu/nvtx.c, roctx.c) count what reaches them.
 */
#include <pwrtrace/pwrtrace.h>

#include "ranges.h"

int nvtxRangePushA(const char *message);
int nvtxRangePop(void);
uint64_t nvtxRangeStartA(const char *message);
void nvtxRangeEnd(uint64_t id);
int roctxRangePushA(const char *message);
int roctxRangePop(void);
uint64_t roctxRangeStartA(const char *message);
void roctxRangeStop(uint64_t id);
unsigned sim_roctx_calls(void);

static void push_nvtx(const char *name)
{
	nvtxRangePushA(name);
}

static void pop_nvtx(void)
{
	nvtxRangePop();
}

/* The real library's depth is what the program gets. */
static int depth;

static void push_roctx(const char *name)
{
	depth = roctxRangePushA(name);
}

static void pop_roctx(void)
{
	depth = roctxRangePop();
}

static const struct {
	const char *name;
	struct range_api by;
} interfaces[] = {
	{"api", {pwrtrace_push, pwrtrace_pop, NULL, NULL}},
	{"nvtx", {push_nvtx, pop_nvtx, nvtxRangeStartA, nvtxRangeEnd}},
	{"roctx", {push_roctx, pop_roctx, roctxRangeStartA, roctxRangeStop}},
};

int main(int argc, char **argv)
{
	const char *wanted = argc > 1 ? argv[1] : "api";

	open_small();
	for (size_t i = 0; i < sizeof(interfaces) / sizeof(*interfaces); i++)
		if (strcmp(interfaces[i].name, wanted) == 0)
			all_ranges(&interfaces[i].by);
	printf("real=%u depth=%d\n", sim_roctx_calls(), depth);
	return end_ranges();
}
