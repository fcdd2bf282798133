/* SPDX-License-Identifier: MIT */
/* One GPU (one_gpu.h) on which a kernel at a time runs for a while, and now and then nothing; what
 * its sensor says is computed from a known response, execution by execution. */
#ifndef PWRTRACE_TESTS_VARIED_WORK_H
#define PWRTRACE_TESTS_VARIED_WORK_H

#include <math.h>

#include "analyzer/regress/design/design.h"
#include "tests/unit/analyzer/one_gpu.h"

#define WORK_PERIOD_NS 20e6
#define WORK_KERNELS 4
#define WORK_STATIC_W 100.

struct work_plan {
	guint32 seed;
	double seconds, noise_w;
	double loop_ns; /* all kernels, each for a quarter of it, over and over; 0: varied */
	bool counter;
	struct response_shape shape;
};

static inline double work_kernel_w(guint kernel)
{
	return 80. + 70 * kernel;
}

static inline void work_run(struct one_gpu *one, const struct work_plan *plan, GRand *random)
{
	double now_ns = 300e6, end_ns = plan->seconds * 1e9 - 300e6;

	for (guint i = 0; now_ns < end_ns; i++) {
		bool loops = plan->loop_ns > 0;
		guint kernel =
			loops ? i % WORK_KERNELS : (guint)g_rand_int_range(random, 0, WORK_KERNELS);
		double length_ns = loops ? plan->loop_ns / WORK_KERNELS
					 : g_rand_double_range(random, 2e6, 60e6);

		one_gpu_runs(one, kernel, now_ns, now_ns + length_ns);
		now_ns += length_ns;
		if (!loops && g_rand_double(random) < 0.3)
			now_ns += g_rand_double_range(random, 3e6, 40e6);
	}
}

/* What the sensor says by a response, without noise. */
static inline double work_seen_w(const struct one_gpu *one, const struct response *response,
	const struct power_reading *reading)
{
	double power_w = WORK_STATIC_W;

	for (guint i = 0; i < one->model.executions->len; i++) {
		const struct model_execution *execution = one_gpu_execution(one, i);

		power_w += work_kernel_w(one_gpu_kernel_of(one, execution)) *
			   design_part(response, reading, (double)execution->begin_ns,
				   (double)execution->end_ns);
	}
	return power_w;
}

static inline void work_read(struct one_gpu *one, const struct work_plan *plan, GRand *random)
{
	struct response response;
	double energy_j = 0;

	response_of_shape(&response, &plan->shape);
	for (double time_ns = WORK_PERIOD_NS; time_ns < plan->seconds * 1e9;
		time_ns += WORK_PERIOD_NS) {
		const struct power_reading reading = {.time_ns = time_ns,
			.since_ns = plan->counter ? time_ns - WORK_PERIOD_NS : time_ns};
		double normal = sqrt(-2 * log(1 - g_rand_double(random))) *
				cos(2 * G_PI * g_rand_double(random));
		double power_w = work_seen_w(one, &response, &reading) + plan->noise_w * normal;

		energy_j += power_w * WORK_PERIOD_NS / 1e9;
		one_gpu_reads(one, time_ns, plan->counter ? 1e3 * energy_j : power_w);
	}
}

static inline void work_begin(struct one_gpu *one, const struct work_plan *plan)
{
	GRand *random = g_rand_new_with_seed(plan->seed);

	one_gpu_begin(one, WORK_PERIOD_NS, plan->seconds * 1e9, WORK_KERNELS);
	if (plan->counter)
		one->sensor.quantity = "energy";
	work_run(one, plan, random);
	work_read(one, plan, random);
	one_gpu_set_source(one);
	g_rand_free(random);
}

#endif
