/* SPDX-License-Identifier: MIT */
/* What the size of a kernel tells of its power. */
#include "analyzer/regress/design/size_prior.h"

#include <math.h>

#include "tests/unit/analyzer/one_gpu.h"

#define US 1e3
#define RISE_US 4.3
#define LAUNCH_US 0.064

/* Each runs four times for so long. */
static const struct {
	const char *name;
	uint64_t groups; /* of 128 threads; sixteen fill a compute unit */
	double length_us;
} kernels[] = {
	{"long", 16 * 132, 9 * RISE_US}, /* nine tenths of the most */
	{"short", 16 * 132, RISE_US},    /* half of it */
	{"narrow", 33, 9 * RISE_US},     /* one group on a quarter of the compute units */
	{"some_GEMM_kernel", 132, 9 * RISE_US},
	{"nvjet_sm90_tst_128x8_64x12_2x1_v_bz_TNT", 132, 9 * RISE_US},
	{"cutlass_tensorop_bf16_s16816fprop_optimized", 132, 9 * RISE_US},
	{"void FillFunctor<float>", 16 * 132, 9 * RISE_US},
	{"void reduce_kernel<float>", 16 * 132, 9 * RISE_US},
	{"flash_fwd_kernel<cutlass::half_t>", 16 * 132, 9 * RISE_US},
};

static void begin(struct one_gpu *gpu, const char *device)
{
	struct model_process *process;
	double now_us = 0;

	one_gpu_begin(gpu, 100 * US, 2000 * US, G_N_ELEMENTS(kernels));
	process = &g_array_index(gpu->model.processes, struct model_process, 0);
	g_array_index(gpu->model.gpus, struct model_gpu, 0).name = device;
	g_array_index(gpu->model.gpus, struct model_gpu, 0).compute_units = 132;
	for (guint i = 0; i < G_N_ELEMENTS(kernels); i++) {
		struct model_kernel *kernel = table_slot(process->kernels, i + 1);

		kernel->name = kernels[i].name;
		for (int k = 0; k < 3; k++) {
			kernel->local[k] = k ? 1 : 128;
			kernel->global[k] = k ? 1 : kernels[i].groups * 128;
		}
		for (int k = 0; k < 4; k++, now_us += kernels[i].length_us)
			one_gpu_runs(gpu, i, now_us * US, (now_us + kernels[i].length_us) * US);
	}
	one_gpu_set_source(gpu);
}

/* Sets the sizes by kernel; returns their mean over the busy time. */
static double sizes_by_kernel(const struct one_gpu *gpu, struct expectation by_kernel[])
{
	struct classes *classes = classes_of(&gpu->model, &gpu->source);
	struct expectation *sizes = size_priors_of(&gpu->model, classes);
	double sum = 0, time_ns = 0;

	for (guint i = 0; i < classes->list->len; i++) {
		const struct kernel_class *class =
			&g_array_index(classes->list, struct kernel_class, i);

		by_kernel[class->origin->kernel - 1] = sizes[class->column];
		sum += sizes[class->column].mean * class->time_ns;
		time_ns += class->time_ns;
	}
	g_free(sizes);
	classes_free(classes);
	return sum / time_ns;
}

static void power_rises_with_duration_grid_threads_and_kind(void **state)
{
	/* Of what a long kernel draws that fills the device, beside the energy of a launch. */
	static const double expected[] = {0.9, 0.5,
		0.9 * 0.3896 /* (1/4)^0.68 */ * 0.3896 /* (1/16)^0.34 */, 0.9 * 1.68, 0.9,
		0.9 * 0.87, 0.9 * 0.62, 0.9 * 0.54, 0.9 * 1.59};
	double first = expected[0] + LAUNCH_US / kernels[0].length_us;
	struct expectation by_kernel[G_N_ELEMENTS(kernels)];
	struct one_gpu gpu;

	(void)state;
	begin(&gpu, "NVIDIA H200");
	assert_true(fabs(sizes_by_kernel(&gpu, by_kernel) - 1) < 1e-9);
	for (guint i = 0; i < G_N_ELEMENTS(kernels); i++)
		assert_true(
			fabs(by_kernel[i].mean / by_kernel[0].mean -
				(expected[i] + LAUNCH_US / kernels[i].length_us) / first) < 0.001);
	/* What draws less is known better, but not in proportion. */
	assert_true(by_kernel[2].deviation < by_kernel[0].deviation);
	assert_true(by_kernel[2].deviation / by_kernel[2].mean >
		    by_kernel[0].deviation / by_kernel[0].mean);
	one_gpu_end(&gpu);
}

static void of_a_device_that_was_not_measured_nothing_is_told(void **state)
{
	struct expectation by_kernel[G_N_ELEMENTS(kernels)];
	struct one_gpu gpu;

	(void)state;
	begin(&gpu, "Some GPU");
	assert_true(sizes_by_kernel(&gpu, by_kernel) == 0);
	one_gpu_end(&gpu);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(power_rises_with_duration_grid_threads_and_kind),
		cmocka_unit_test(of_a_device_that_was_not_measured_nothing_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
