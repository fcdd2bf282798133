/* SPDX-License-Identifier: MIT */
/*
 * A server of made-up requests under continuous batching: each step processes the prompts of those
 * that have arrived, and one token of each request that is being answered.  Marks say which request
 * the tokens of a step are of.
 */
#include <string.h>

#include <pwrtrace/pwrtrace.h>

#include "../opencl-example.h"

#define ITEMS_PER_TOKEN 64
#define TOKENS_MAX 4096 /* of a step */

/* A request: when it arrives, how long its prompt is and how many tokens it asks for. */
struct request {
	const char *name;
	int step, input, output;
	int done; /* tokens that came out */
};

static struct request requests[] = {
	{"short", 0, 16, 200, 0},
	{"long prompt", 0, 2000, 20, 0},
	{"long answer", 5, 16, 400, 0},
	{"late", 150, 500, 100, 0},
};

#define REQUESTS (sizeof(requests) / sizeof(*requests))

static const char source[] = "kernel void forward(global float4 *data, int repeats)\n"
			     "{\n"
			     "	int i = get_global_id(0);\n"
			     "	float4 a = data[i], x = a;\n"
			     "	for (int n = 0; n < repeats; n++)\n"
			     "		x = fma(x, a, a);\n"
			     "	data[i] = x;\n"
			     "}\n";

static void mark(const char *what, const struct request *request, int tokens)
{
	char name[64];

	snprintf(name, sizeof(name), "%s#%s", what, request->name);
	pwrtrace_mark(name, tokens, "token");
}

/* How many of its tokens the next step processes. */
static int tokens_of(const struct request *request, int step)
{
	if (step < request->step || request->done == request->output)
		return 0;
	return request->done ? 1 : request->input;
}

/* Returns whether there was anything to do, or will be. */
static int serve(struct gpu *gpu, cl_kernel forward, cl_mem data, cl_int repeats, int step)
{
	const struct argument arguments[] = {ARGUMENT(data), ARGUMENT(repeats)};
	int tokens[REQUESTS], goes_on = 0;
	size_t items = 0;

	for (size_t i = 0; i < REQUESTS; i++) {
		if (step == requests[i].step)
			mark("request", &requests[i], requests[i].input);
		tokens[i] = tokens_of(&requests[i], step);
		items += (size_t)tokens[i] * ITEMS_PER_TOKEN;
		goes_on |= requests[i].done < requests[i].output;
	}
	if (!items)
		return goes_on;
	gpu_launch(gpu, forward, 1, &items, 2, arguments);
	gpu_finish(gpu);
	for (size_t i = 0; i < REQUESTS; i++) {
		if (!tokens[i])
			continue;
		mark("tokens", &requests[i], tokens[i]);
		requests[i].done++;
	}
	return 1;
}

int main(int argc, char **argv)
{
	const cl_int repeats = argc > 1 ? (cl_int)number_option("repeats", argv[1], 1, 1e6) : 20000;
	struct gpu gpu = gpu_open(source);
	cl_kernel forward = gpu_kernel(&gpu, "forward");
	cl_mem data = gpu_buffer(&gpu, (size_t)TOKENS_MAX * ITEMS_PER_TOKEN * sizeof(cl_float4));

	for (int step = 0; serve(&gpu, forward, data, repeats, step); step++)
		;
	for (size_t i = 0; i < REQUESTS; i++)
		printf("request %s: %d tokens in, %d out\n", requests[i].name, requests[i].input,
			requests[i].done);
	clReleaseMemObject(data);
	clReleaseKernel(forward);
	gpu_close(&gpu);
	return 0;
}
