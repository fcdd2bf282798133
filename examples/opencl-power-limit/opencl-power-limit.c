/* SPDX-License-Identifier: MIT */
/*
 * What a power limit does to a device: matrix products beside reads of memory, products of zeros
 * and of random numbers, products in small and in large tiles, products and reads one after another
 * and at once.  Each is a layer, in which the products and the reads are layers of their own.
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <pwrtrace/pwrtrace.h>

#include "../opencl-example.h"

#define TURN_MS 20 /* a turn of products, then one of reads */
#define READ_ITEMS (1 << 20)
#define READ_FLOATS 16 /* by each item */

struct product {
	cl_kernel kernel;
	size_t tile;    /* an item computes tile × tile numbers */
	cl_mem a, b, c; /* [size][size] */
};

struct machine {
	struct gpu gpu;
	cl_command_queue queues[2];
	cl_int size; /* of the matrices */
	cl_kernel read;
	cl_mem numbers, sums;
};

/* How to keep the device busy: so much of its time with products, the rest with reads. */
struct pattern {
	const char *layer;
	const struct product *product;
	double share; /* of the time that goes to products; less than 0: both at once */
};

static const char source[] =
	"#define PRODUCT(name, TILE)\\\n"
	"kernel void name(global const float *a, global const float *b, global float *c, int "
	"size)\\\n"
	"{\\\n"
	"	int column = get_global_id(0) * TILE, row = get_global_id(1) * TILE;\\\n"
	"	float sums[TILE][TILE] = {{0}};\\\n"
	"	for (int k = 0; k < size; k++)\\\n"
	"		for (int i = 0; i < TILE; i++)\\\n"
	"			for (int j = 0; j < TILE; j++)\\\n"
	"				sums[i][j] += a[(row + i) * size + k] * b[k * size + "
	"column + j];\\\n"
	"	for (int i = 0; i < TILE; i++)\\\n"
	"		for (int j = 0; j < TILE; j++)\\\n"
	"			c[(row + i) * size + column + j] = sums[i][j];\\\n"
	"}\n"
	"PRODUCT(product_2x2, 2)\n"
	"PRODUCT(product_8x8, 8)\n"
	"kernel void read_memory(global const float16 *from, global float *sums)\n"
	"{\n"
	"	int i = get_global_id(0);\n"
	"	float8 sum = from[i].lo + from[i].hi;\n"
	"	sums[i] = dot(sum.lo, sum.hi);\n"
	"}\n";

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A buffer of random numbers from -0.5 to 0.5, or of zeros. */
static cl_mem numbers(struct gpu *gpu, size_t count, bool random)
{
	float *values = calloc(count, sizeof(*values));
	cl_mem buffer = gpu_buffer(gpu, count * sizeof(*values));

	if (!values)
		die("out of memory");
	for (size_t i = 0; random && i < count; i++)
		values[i] = (float)rand() / (float)RAND_MAX - 0.5f;
	gpu_write(gpu, buffer, values, count * sizeof(*values));
	free(values);
	return buffer;
}

static struct product product_of(struct machine *machine, size_t tile, bool random)
{
	const size_t count = (size_t)machine->size * (size_t)machine->size;

	return (struct product){
		.kernel = gpu_kernel(&machine->gpu, tile == 8 ? "product_8x8" : "product_2x2"),
		.tile = tile,
		.a = numbers(&machine->gpu, count, random),
		.b = numbers(&machine->gpu, count, random),
		.c = gpu_buffer(&machine->gpu, count * sizeof(float)),
	};
}

static void multiply(struct machine *machine, const struct product *product)
{
	const size_t items = (size_t)machine->size / product->tile, global[] = {items, items};
	const struct argument arguments[] = {ARGUMENT(product->a), ARGUMENT(product->b),
		ARGUMENT(product->c), ARGUMENT(machine->size)};

	gpu_launch(&machine->gpu, product->kernel, 2, global, 4, arguments);
}

static void read_memory(struct machine *machine)
{
	const size_t global[] = {READ_ITEMS};
	const struct argument arguments[] = {ARGUMENT(machine->numbers), ARGUMENT(machine->sums)};

	gpu_launch(&machine->gpu, machine->read, 1, global, 2, arguments);
}

/* Launches so many products, or reads (NULL), on one of the queues. */
static void launch(struct machine *machine, const struct product *product, int queue, int count)
{
	machine->gpu.queue = machine->queues[queue];
	pwrtrace_push(product ? "product" : "read");
	for (int i = 0; i < count; i++) {
		if (product)
			multiply(machine, product);
		else
			read_memory(machine);
	}
	pwrtrace_pop();
	check(clFlush(machine->gpu.queue), "clFlush");
}

static void finish(struct machine *machine)
{
	for (int i = 0; i < 2; i++)
		check(clFinish(machine->queues[i]), "clFinish");
}

/* How many products, or reads (NULL), take so long alone; 0 only if that is no time at all. */
static int how_many(struct machine *machine, const struct product *product, double ms)
{
	double least_s = 1e9;

	if (ms <= 0)
		return 0;
	pwrtrace_push("calibration");
	for (int i = 0; i < 4; i++) {
		const double begin_s = now_s();

		launch(machine, product, 0, 1);
		finish(machine);
		if (now_s() - begin_s < least_s)
			least_s = now_s() - begin_s;
	}
	pwrtrace_pop();
	return 1e-3 * ms > least_s ? (int)(1e-3 * ms / least_s + 0.5) : 1;
}

/* Runs a pattern for so many seconds, waiting for each turn of products and reads. */
static void run(struct machine *machine, const struct pattern *pattern, double seconds)
{
	const bool at_once = pattern->share < 0;
	const double share = at_once ? 0.5 : pattern->share;
	const int products = how_many(machine, pattern->product, share * TURN_MS);
	const int reads = how_many(machine, NULL, (1 - share) * TURN_MS);
	const double end_s = now_s() + seconds;
	int done = 0;

	pwrtrace_push(pattern->layer);
	for (; now_s() < end_s; done += products) {
		launch(machine, pattern->product, 0, products);
		launch(machine, NULL, at_once, reads);
		finish(machine);
	}
	pwrtrace_mark("products", done, "product");
	pwrtrace_pop();
}

static struct machine machine_open(cl_int size)
{
	struct machine machine = {.gpu = gpu_open(source), .size = size};
	cl_int error;

	machine.queues[0] = machine.gpu.queue;
	machine.queues[1] =
		clCreateCommandQueue(machine.gpu.context, machine.gpu.device, 0, &error);
	check(error, "clCreateCommandQueue");
	machine.read = gpu_kernel(&machine.gpu, "read_memory");
	machine.numbers = numbers(&machine.gpu, (size_t)READ_ITEMS * READ_FLOATS, true);
	machine.sums = gpu_buffer(&machine.gpu, READ_ITEMS * sizeof(float));
	return machine;
}

static void machine_close(struct machine *machine)
{
	clReleaseCommandQueue(machine->queues[1]);
	machine->gpu.queue = machine->queues[0];
	gpu_close(&machine->gpu);
}

int main(int argc, char **argv)
{
	const double seconds = argc > 1 ? number_option("seconds", argv[1], 0.001, 1e6) : 1;
	const char *wanted = argc > 2 ? argv[2] : "";
	const int size = argc > 3 ? (int)number_option("size", argv[3], 8, 32768) / 8 * 8 : 256;

	if (argc > 4) {
		fprintf(stderr,
			"usage: opencl-power-limit [SECONDS [PATTERN [SIZE]]]   of each pattern "
			"(1); only those whose name contains PATTERN; of the matrices "
			"(256)\n");
		return 2;
	}

	struct machine machine = machine_open(size);
	const struct product random = product_of(&machine, 8, true);
	const struct product zeros = product_of(&machine, 8, false);
	const struct product small = product_of(&machine, 2, true);
	const struct pattern patterns[] = {
		{"duty 100 %", &random, 1},
		{"duty 75 %", &random, 0.75},
		{"duty 50 %", &random, 0.5},
		{"duty 25 %", &random, 0.25},
		{"random numbers", &random, 1},
		{"zeros", &zeros, 1},
		{"tile 2x2", &small, 1},
		{"tile 8x8", &random, 1},
		{"one after another", &random, 0.5},
		{"at once", &random, -1},
	};

	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++)
		if (strstr(patterns[i].layer, wanted))
			run(&machine, &patterns[i], seconds);
	machine_close(&machine);
	return 0;
}
