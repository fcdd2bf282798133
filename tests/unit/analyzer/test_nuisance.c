/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/nuisance.h"

#include "tests/unit/analyzer/varied_work.h"

#define MS 1e6
#define BY 0.02 /* of what a slope is for */

/* By the powers that are true; the last is the static one. */
static void set_fit(struct fit *fit, const struct one_gpu *gpu, const struct response_shape *shape)
{
	*fit = (struct fit){.source = &gpu->source,
		.period_ns = WORK_PERIOD_NS,
		.classes = classes_of(&gpu->model, &gpu->source),
		.found = {.shape = *shape, .origin = RESPONSE_FOUND},
		.powers = WORK_KERNELS + 1,
		.power_w = g_new0(double, WORK_KERNELS + 1)};
	for (guint i = 0; i < fit->classes->list->len; i++) {
		const struct kernel_class *class =
			&g_array_index(fit->classes->list, struct kernel_class, i);

		fit->power_w[class->column] = work_kernel_w(class->origin->kernel - 1);
	}
	response_of_shape(&fit->response, shape);
}

/* What a reading says by the response of a fit that has been moved by so much of a nuisance. */
static double moved_w(const struct one_gpu *gpu, const struct fit *fit, int nuisance, double by,
	const struct power_reading *reading)
{
	double by_all[NUISANCES] = {0};
	struct fit moved = *fit;

	by_all[nuisance] = by;
	nuisances_move(&moved, by_all);
	return work_seen_w(gpu, &moved.response, reading);
}

static void slopes_are_differences_of_what_is_predicted(void **state)
{
	static const struct response_shape shapes[] = {
		{3 * MS, 14 * MS, 6 * MS}, {3 * MS, 30 * MS, 4 * MS}, {1 * MS, 6 * MS, 15 * MS}};

	(void)state;
	for (size_t s = 0; s < G_N_ELEMENTS(shapes); s++) {
		const struct work_plan plan = {.seed = 1, .seconds = 4, .shape = shapes[s]};
		struct nuisances nuisances;
		struct one_gpu gpu;
		struct fit fit;
		GArray *readings;

		work_begin(&gpu, &plan);
		set_fit(&fit, &gpu, &shapes[s]);
		readings = readings_of(&gpu.source, NULL);
		nuisances_make(&nuisances, &fit, (const void *)readings->data, readings->len);
		for (int i = 0; i < NUISANCES; i++) {
			double squares = 0, off_squares = 0;

			for (guint row = 0; row < readings->len; row++) {
				const struct power_reading *reading =
					&g_array_index(readings, struct power_reading, row);
				double slope = (moved_w(&gpu, &fit, i, BY, reading) -
						       moved_w(&gpu, &fit, i, -BY, reading)) /
					       (2 * BY);

				squares += slope * slope;
				off_squares += pow(nuisances.slope[i][row] - slope, 2);
			}
			print_message("# shape %zu, nuisance %d: off by %.2f %%\n", s, i,
				100 * sqrt(off_squares / squares));
			assert_true(squares > 0);
			assert_true(sqrt(off_squares / squares) < 0.03);
		}
		nuisances_clear(&nuisances);
		g_array_free(readings, TRUE);
		classes_free(fit.classes);
		g_free(fit.power_w);
		one_gpu_end(&gpu);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slopes_are_differences_of_what_is_predicted),
	};

	return cmocka_run_group_tests_name("nuisance", tests, NULL, NULL);
}
