/* SPDX-License-Identifier: MIT */
/* What a library tells of kernels that ran elsewhere with other shapes, or in several sizes. */
#include "analyzer/library/library.h"
#include "analyzer/load/find_sizes.h"
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

/* ---- two sizes of one kernel ---- */

#define SIZES 2

/* A library of a kernel of two sizes, whose executions took so long each; each size was measured
 * by itself, to 1 W. */
static struct library *library_of_sizes(const double *times_us, double clock_mhz, double follows)
{
	struct library *library = library_new();
	struct library_message *message = library_message_new();

	message->id = "elsewhere";
	message->program = "program";
	message->device = "GPU";
	message->board = "G";
	message->driver = message->source = "";
	message->domain = "gpu";
	message->rows = SIZES;
	message->part = g_new0(double, SIZES *SIZES);
	message->sum = g_new0(double, SIZES);
	for (guint i = 0; i < SIZES; i++) {
		const struct library_class class = {.work = {.kind = "kernel", .name = "a"},
			.executions = RUNS,
			.median_ns = times_us[i] * US,
			.mean_ns = NAN,
			.clock_mhz = clock_mhz,
			.follows = follows,
			.exponent = 1,
			.dynamic_w = 100. * (i + 1),
			.deviation_w = 1,
			.prior_w = 300,
			.prior_deviation_w = 100};

		g_array_append_val(message->classes, class);
		message->part[i * SIZES + i] = 1;
		message->sum[i] = class.dynamic_w;
	}
	assert_true(library_add(library, message));
	return library;
}

/* What a library tells of a kernel that runs in one size or more at 1000 MHz: parts of its rows, by
 * column of the sizes in their order. */
static void remember_sizes(
	struct library *library, const double *times_us, guint sizes, double part[SIZES][SIZES])
{
	struct remembered *remembered;
	struct classes *classes;
	struct one_gpu gpu;

	one_gpu_begin(&gpu, 10 * US, 100e3 * US, 1);
	one_gpu_is(&gpu, 0, 1000, 0);
	one_gpu_is(&gpu, 100e3 * US, 1000, 0);
	for (guint i = 0; i < sizes * 10 * RUNS; i++)
		one_gpu_runs(&gpu, 0, i * 200 * US, (i * 200 + times_us[i % sizes]) * US);
	find_sizes(&gpu.model);
	one_gpu_set_source(&gpu);
	g_array_index(gpu.model.recordings, struct model_recording, 0).command = "program";
	gpu.source.device = "G";
	classes = classes_of(&gpu.model, &gpu.source);
	assert_int_equal(classes->list->len, sizes);
	remembered = library_remember(library, &gpu.model, &gpu.source, classes);
	assert_non_null(remembered);
	assert_int_equal(remembered->rows, SIZES);
	for (guint i = 0; i < sizes; i++) {
		const struct kernel_class *class = &g_array_index(classes->list,
			struct kernel_class, classes_find(classes, one_gpu_execution(&gpu, i)));

		for (guint row = 0; row < SIZES; row++)
			part[row][i] = remembered->part[row * remembered->columns + class->column];
	}
	remembered_free(remembered);
	classes_free(classes);
	library_free(library);
	one_gpu_end(&gpu);
}

/* At another clock 125 us there may be both of what ran here: the nearest is meant, which is known
 * by how times follow the clock. */
static void each_size_is_told_by_the_nearest(void **state)
{
	static const struct {
		double here_us[SIZES], clock_mhz, follows;
	} table[] = {
		{{125, 156.25}, 1250, 1},
		{{156.25, 125}, 1250, 1},
		{{100, 125}, 1250, 0},
		{{125, 100}, 1250, 0},
		{{112, 140}, 1250, NAN},
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
		double part[SIZES][SIZES];
		bool turned = table[i].here_us[0] > table[i].here_us[1];

		remember_sizes(library_of_sizes(
				       (double[]){100, 125}, table[i].clock_mhz, table[i].follows),
			table[i].here_us, SIZES, part);
		for (guint row = 0; row < SIZES; row++) {
			assert_float_equal(part[row][turned ? 1 - row : row], 1.25, 1e-9);
			assert_float_equal(part[row][turned ? row : 1 - row], 0, 0);
		}
	}
}

/* Where two classes there are one here, a measurement of both is one of their sum. */
static void sizes_that_are_one_here_are_added(void **state)
{
	struct library *library = library_of_sizes((double[]){100, 105}, 1000, NAN);
	struct library_message *message = g_ptr_array_index(library->messages, 0);
	double part[SIZES][SIZES];

	(void)state;
	message->part[1] = 3;
	remember_sizes(library, (double[]){102}, 1, part);
	assert_float_equal(part[0][0], 4, 1e-9);
	assert_float_equal(part[1][0], 1, 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(another_shape_is_told_by_both_sizes),
		cmocka_unit_test(where_sizes_tell_nothing_no_other_shape_does),
		cmocka_unit_test(each_size_is_told_by_the_nearest),
		cmocka_unit_test(sizes_that_are_one_here_are_added),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
