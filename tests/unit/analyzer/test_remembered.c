/* SPDX-License-Identifier: MIT */
/* What other recordings add to the equations of a fit, in numbers that can be done by hand. */
#include "analyzer/regress/remembered.h"

#include <math.h>

#include "tests/unit/analyzer/worked_example.h"

#define COLUMNS 2
#define SEEN_W 100.
#define SPREAD 0.06
#define GAIN 0.04

/* Two classes, each of which a recording has measured alone: SEEN_W, with a deviation of 1 W. */
static struct remembered *two_measured(guint board)
{
	struct remembered *remembered = remembered_new(COLUMNS, COLUMNS);
	guint recording = remembered_add_recording(remembered, board);

	for (size_t i = 0; i < COLUMNS; i++) {
		g_array_index(remembered->recordings, struct remembered_recording, recording)
			.seen_w[i] = SEEN_W;
		remembered->column[i].as = REMEMBERED_SAME;
		remembered->column[i].spread = SPREAD;
		remembered->part[i * COLUMNS + i] = 1;
		remembered->sum[i] = SEEN_W;
		remembered->recording[i] = recording;
	}
	remembered_begin(remembered);
	return remembered;
}

/* The variance of a mean of both powers, by the precision alone. */
static double variance_of_mean(const struct remembered *remembered)
{
	const double *precision = remembered->precision;
	double determinant = precision[0] * precision[3] - precision[1] * precision[2];

	return (precision[0] + precision[3] - precision[1] - precision[2]) / determinant / 4;
}

static void test_same_board(void **state)
{
	struct remembered *remembered = two_measured(0);
	double variance = 1 + pow(SPREAD * SEEN_W, 2);

	(void)state;
	assert_near(remembered->precision[0], 1 / variance, 1e-9);
	assert_near(remembered->precision[1], 0, 1e-12);
	assert_near(remembered->right[0], SEEN_W / variance, 1e-9);
	assert_near(remembered_square(remembered, (double[]){1, 2}), 5 / variance, 1e-9);
	remembered_free(remembered);
}

static void test_other_board(void **state)
{
	struct remembered *same = two_measured(0), *other = two_measured(1);
	double gain = pow(GAIN * SEEN_W, 2);

	(void)state;
	/* What both have in common does not average out. */
	assert_near(variance_of_mean(other), variance_of_mean(same) + gain, 1e-6);
	remembered_free(same);
	remembered_free(other);
}

static void test_two_recordings(void **state)
{
	struct remembered *remembered = remembered_new(1, 2);

	(void)state;
	for (guint i = 0; i < 2; i++) {
		guint recording = remembered_add_recording(remembered, 0);

		g_array_index(remembered->recordings, struct remembered_recording, recording)
			.seen_w[0] = SEEN_W;
		remembered->part[i] = 1;
		remembered->sum[i] = SEEN_W;
		remembered->recording[i] = recording;
	}
	remembered->column[0].spread = SPREAD;
	remembered_begin(remembered);
	/* Half of the spread is that of the fit's own recording, and stays with any number. */
	assert_near(1 / remembered->precision[0], 0.5 + 0.75 * pow(SPREAD * SEEN_W, 2), 1e-6);
	remembered_free(remembered);
}

static void test_doubt(void **state)
{
	const double agrees[] = {SEEN_W + 3, SEEN_W}, contradicts[] = {0.6 * SEEN_W, SEEN_W};
	struct remembered *remembered = two_measured(0);
	double before = remembered->precision[0];

	(void)state;
	assert_false(remembered_weigh(remembered, agrees));
	assert_near(remembered->precision[0], before, 1e-12);
	assert_true(remembered_weigh(remembered, contradicts));
	assert_true(remembered->precision[0] < before / 5);
	assert_near(remembered->precision[3], before, 1e-9);
	remembered_begin(remembered);
	assert_near(remembered->precision[0], before, 1e-12);
	remembered_free(remembered);
}

static void test_conflict(void **state)
{
	const struct class_prior prior[] = {{SEEN_W, 1e-6}, {SEEN_W, 1e-6}};
	const double covariance[] = {1, 0, 0, 1}, power_w[] = {0.6 * SEEN_W, SEEN_W};
	struct remembered *remembered = two_measured(0);
	struct remembered_summary summary;

	(void)state;
	remembered_compare(remembered, power_w, covariance, COLUMNS, prior);
	summary = remembered_summarize(remembered);
	assert_int_equal(summary.same, 2);
	assert_int_equal(summary.conflicts, 1);
	assert_int_equal(summary.worst, 0);
	assert_true(summary.same_board && !summary.other_board);
	assert_near(remembered->column[0].conflict, -40 / sqrt(38), 0.01);
	assert_near(remembered->column[0].expected_w, SEEN_W, 1e-6);
	remembered_free(remembered);
}

static void test_nothing(void **state)
{
	double matrix[] = {1, 0, 0, 1}, right[] = {0, 0};

	(void)state;
	remembered_begin(NULL);
	assert_false(remembered_weigh(NULL, right));
	remembered_add(NULL, matrix, 2, right);
	assert_near(matrix[0], 1, 0);
	assert_near(remembered_square(NULL, right), 0, 0);
	remembered_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_board),
		cmocka_unit_test(test_other_board),
		cmocka_unit_test(test_two_recordings),
		cmocka_unit_test(test_doubt),
		cmocka_unit_test(test_conflict),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
