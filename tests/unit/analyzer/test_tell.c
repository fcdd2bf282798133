/* SPDX-License-Identifier: MIT */
/* What a fit tells libraries of its classes. */
#include <string.h>

#include "analyzer/library/library.h"
#include "analyzer/numeric/solve.h"
#include "tests/unit/analyzer/kind_called.h"
#include "tests/unit/analyzer/one_gpu.h"

#define MS 1e6
#define CLASSES ONE_GPU_KERNELS_MAX
#define ROUNDS 100

/* All kernels in turn, 10 ms each, read every 5 ms.  Returns its fit, to be freed before *gpu. */
static struct fit *fit_of_a_loop(struct one_gpu *gpu)
{
	struct fit *fit;

	one_gpu_begin(gpu, 5 * MS, ROUNDS * CLASSES * 20 * MS, CLASSES);
	g_array_index(gpu->model.recordings, struct model_recording, 0).command = "program";
	gpu->sensor.driver = "driver";
	for (guint i = 0; i < ROUNDS * CLASSES; i++)
		one_gpu_runs(gpu, i % CLASSES, i * 20 * MS, (i * 20 + 10) * MS);
	for (guint i = 1; i < ROUNDS * CLASSES * 4; i++)
		one_gpu_reads(gpu, i * 5 * MS, i % 4 == 1 || i % 4 == 2 ? 250 : 100);
	one_gpu_set_source(gpu);
	gpu->source.device = "G";
	fit = fit_make(&gpu->model, &gpu->source, NULL);
	assert_non_null(fit);
	assert_int_equal(fit->classes->columns.count, CLASSES);
	return fit;
}

/* What a message tells where nothing else is known: powers and their covariance. */
static void told(const struct library_message *message, double *power_w, double *covariance)
{
	memset(covariance, 0, CLASSES * CLASSES * sizeof(*covariance));
	memset(power_w, 0, CLASSES * sizeof(*power_w));
	for (guint row = 0; row < message->rows; row++)
		for (guint i = 0; i < CLASSES; i++)
			for (guint k = 0; k < CLASSES; k++)
				covariance[i * CLASSES + k] += message->part[row * CLASSES + i] *
							       message->part[row * CLASSES + k];
	assert_true(solve_invert(CLASSES, covariance));
	for (guint row = 0; row < message->rows; row++)
		for (guint i = 0; i < CLASSES; i++)
			for (guint k = 0; k < CLASSES; k++)
				power_w[i] += covariance[i * CLASSES + k] *
					      message->part[row * CLASSES + k] * message->sum[row];
}

/* The size had promised twice the power that was measured, and what is uncertain is common to all:
 * another fit, which no longer goes by the size, is told what was found, as uncertain as it is. */
static void what_was_measured_is_told_as_it_was_found(void **state)
{
	struct one_gpu gpu;
	struct fit *fit = fit_of_a_loop(&gpu);
	struct library *library = library_new();
	struct library_message *message;
	double power_w[CLASSES], covariance[CLASSES * CLASSES];

	(void)state;
	for (size_t i = 0; i < CLASSES; i++) {
		fit->power_w[i] = 150;
		fit->prior[i] = (struct class_prior){300, 1 / (80. * 80)};
		for (size_t k = 0; k < CLASSES; k++)
			fit->covariance[i * fit->powers + k] = 22.5 * 22.5 + (i == k ? 5. * 5 : 0);
	}
	message = library_tell(library, &gpu.model, fit);
	assert_non_null(message);
	told(message, power_w, covariance);
	for (size_t i = 0; i < CLASSES; i++) {
		assert_float_equal(power_w[i], 150, 1);
		assert_float_equal(sqrt(covariance[i * CLASSES + i]), hypot(22.5, 5), 0.1);
		assert_float_equal(sqrt(covariance[i * CLASSES + (i + 1) % CLASSES]), 22.5, 0.1);
	}
	library_message_free(message);
	library_free(library);
	fit_free(fit);
	one_gpu_end(&gpu);
}

/* Where power was found to follow how fast each execution ran, as of replays at a limit, durations
 * take a power elsewhere, by that exponent and from the duration to which it belongs. */
static void power_that_follows_the_speed_is_told_with_it(void **state)
{
	struct one_gpu gpu;
	struct fit *fit = fit_of_a_loop(&gpu);
	struct library *library = library_new();
	struct library_message *message;
	const struct library_class *class;

	(void)state;
	one_gpu_runs(&gpu, 0, 1e3 * MS, 1e3 * MS + 40 * MS); /* the mean is no longer the median */
	fit->influences.list[fit->influences.count++] =
		(struct influence){.kind = kind_called("speed"), .parameter = 2.4};
	message = library_tell(library, &gpu.model, fit);
	assert_non_null(message);
	class = &g_array_index(message->classes, struct library_class, 0);
	assert_float_equal(class->exponent, 2.4, 1e-9);
	assert_float_equal(class->follows, 1, 1e-9);
	assert_float_equal(class->mean_ns, 10 * MS, 1e-3);
	library_message_free(message);
	library_free(library);
	fit_free(fit);
	one_gpu_end(&gpu);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_measured_is_told_as_it_was_found),
		cmocka_unit_test(power_that_follows_the_speed_is_told_with_it)};

	return cmocka_run_group_tests_name("tell", tests, NULL, NULL);
}
