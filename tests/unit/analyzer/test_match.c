/* SPDX-License-Identifier: MIT */
/* What a library tells of kernels that ran elsewhere with other shapes. */
#include "analyzer/library/library.h"
#include "tests/unit/analyzer/one_gpu.h"

#define US 1e3
#define RUNS 10
#define THREADS 128

/* A library of a kernel that filled the device for 38.7 us and drew 400 W. */
static struct library *library_of(const char *device)
{
	struct library *library = library_new();
	struct library_message *message = library_message_new();
	const struct library_class class = {.work = {.kind = "kernel",
						    .name = "a",
						    .grid = {(uint64_t)16 * 132 * THREADS, 1, 1},
						    .block = {THREADS, 1, 1}},
		.executions = RUNS,
		.median_ns = 38.7 * US,
		.mean_ns = NAN,
		.clock_mhz = NAN,
		.follows = NAN,
		.exponent = NAN,
		.dynamic_w = 400,
		.deviation_w = 4,
		.prior_w = 300,
		.prior_deviation_w = 100};

	message->id = "elsewhere";
	message->program = "program";
	message->device = device;
	message->board = "G";
	message->driver = message->source = "";
	message->domain = "gpu";
	g_array_append_val(message->classes, class);
	assert_true(library_add(library, message));
	return library;
}

/* The power in W that it tells of that kernel with one work-group on a quarter of the compute
 * units, for 4.3 us; 0: none. */
static double told_w(const char *device)
{
	struct library *library = library_of(device);
	struct remembered *remembered;
	struct model_kernel *kernel;
	struct classes *classes;
	struct model_gpu *own;
	struct one_gpu gpu;
	double power_w = 0;

	one_gpu_begin(&gpu, 10 * US, 1000 * US, 1);
	own = &g_array_index(gpu.model.gpus, struct model_gpu, 0);
	own->name = device;
	own->compute_units = 132;
	kernel = table_slot(g_array_index(gpu.model.processes, struct model_process, 0).kernels, 1);
	kernel->global[0] = 33 * THREADS;
	kernel->local[0] = THREADS;
	kernel->global[1] = kernel->global[2] = kernel->local[1] = kernel->local[2] = 1;
	for (guint i = 0; i < RUNS; i++)
		one_gpu_runs(&gpu, 0, i * 20 * US, (i * 20 + 4.3) * US);
	one_gpu_set_source(&gpu);
	g_array_index(gpu.model.recordings, struct model_recording, 0).command = "program";
	gpu.source.device = "G";
	classes = classes_of(&gpu.model, &gpu.source);
	remembered = library_remember(library, &gpu.model, &gpu.source, classes);
	if (remembered && remembered->rows) {
		assert_int_equal(remembered->column[0].as, REMEMBERED_OTHER_SHAPE);
		power_w = remembered->sum[0] / remembered->part[0];
	}
	remembered_free(remembered);
	classes_free(classes);
	library_free(library);
	one_gpu_end(&gpu);
	return power_w;
}

/* It draws what its size makes of the power there: (8c) of analyzer/regress/README.md. */
static void another_shape_is_told_by_both_sizes(void **state)
{
	const double here = 0.064 / 4.3 + 0.5 * pow(0.25, 0.68) * pow(1. / 16, 0.34);
	const double there = 0.064 / 38.7 + 0.9;

	(void)state;
	assert_float_equal(told_w("NVIDIA H100 80GB HBM3"), 400 * here / there, 0.01);
}

static void where_sizes_tell_nothing_no_other_shape_does(void **state)
{
	(void)state;
	assert_float_equal(told_w("Some GPU"), 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(another_shape_is_told_by_both_sizes),
		cmocka_unit_test(where_sizes_tell_nothing_no_other_shape_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
