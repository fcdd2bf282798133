/* SPDX-License-Identifier: MIT */
#include "analyzer/numeric/solve.h"
#include "tests/unit/unit.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#define MOST 12

/* A well-conditioned positive definite matrix, of which both triangles are set. */
static void make_matrix(GRand *random, size_t n, double *matrix)
{
	double factors[MOST * MOST] = {0};

	for (size_t i = 0; i < n * n; i++)
		factors[i] = g_rand_double_range(random, -1, 1);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++) {
			matrix[i * n + k] = i == k ? 0.5 : 0;
			for (size_t l = 0; l < n; l++)
				matrix[i * n + k] += factors[l * n + i] * factors[l * n + k];
		}
}

/* The conditions of Karush, Kuhn and Tucker: they hold of the solution, and of nothing else. */
static void assert_is_least(size_t n, const double *matrix, const double *right, size_t free_from,
	size_t free_end, const double *x)
{
	for (size_t i = 0; i < n; i++) {
		bool bound = (i < free_from || i >= free_end) && x[i] < 1e-12;
		double gradient = -right[i];

		for (size_t k = 0; k < n; k++)
			gradient += matrix[i * n + k] * x[k];
		if (bound)
			assert_true(x[i] >= 0 && gradient > -1e-8);
		else
			assert_true(fabs(gradient) < 1e-8);
	}
}

static void the_least_is_found_within_its_bounds(void **state)
{
	GRand *random = g_rand_new_with_seed(1);
	unsigned bound = 0, negative = 0;

	(void)state;
	for (int round = 0; round < 500; round++) {
		size_t n = 1 + (size_t)g_rand_int_range(random, 0, MOST);
		size_t free_from = (size_t)g_rand_int_range(random, 0, (gint32)n + 1);
		double matrix[MOST * MOST], right[MOST], x[MOST];

		make_matrix(random, n, matrix);
		for (size_t i = 0; i < n; i++)
			right[i] = g_rand_double_range(random, -1, 1);
		assert_true(solve_nonnegative(n, matrix, right, x));
		assert_is_least(n, matrix, right, n, n, x);
		assert_true(solve_partly_nonnegative(n, matrix, right, free_from, n, x));
		assert_is_least(n, matrix, right, free_from, n, x);
		for (size_t i = 0; i < n; i++) {
			bound += i < free_from && x[i] < 1e-12;
			negative += x[i] < 0;
		}
	}
	/* Both have been tried. */
	assert_true(bound > 100 && negative > 100);
	g_rand_free(random);
}

static void an_inverse_undoes_its_matrix(void **state)
{
	GRand *random = g_rand_new_with_seed(2);
	double matrix[MOST * MOST], inverse[MOST * MOST];

	(void)state;
	make_matrix(random, MOST, matrix);
	memcpy(inverse, matrix, sizeof(matrix));
	assert_true(solve_invert(MOST, inverse));
	for (size_t i = 0; i < MOST; i++)
		for (size_t k = 0; k < MOST; k++) {
			double sum = 0;

			for (size_t l = 0; l < MOST; l++)
				sum += matrix[i * MOST + l] * inverse[l * MOST + k];
			assert_true(fabs(sum - (i == k)) < 1e-9);
		}
	g_rand_free(random);
}

static void what_is_not_positive_definite_is_refused(void **state)
{
	double matrix[4] = {1, 2, 2, 1}, right[2] = {1, 1}, x[2];

	(void)state;
	assert_false(solve_nonnegative(2, matrix, right, x));
	assert_false(solve_log_det(2, matrix, x));
	assert_false(solve_invert(2, matrix));
}

/* det (4 2 0; 2 5 0; 0 0 3) = 16 * 3; the lower triangle is not read. */
static void a_determinant_is_a_logarithm(void **state)
{
	const double matrix[9] = {4, 2, 0, -1, 5, 0, -1, -1, 3};
	double log_det;

	(void)state;
	assert_true(solve_log_det(3, matrix, &log_det));
	assert_true(fabs(log_det - log(48)) < 1e-12);
}

/* 2 x + y = 1 and x + 2 y = -1 have the solution 1, -1.  With y >= 0 it is y = 0 and 2 x = 1: there
 * y would rather be less, as its gradient x + 1 is positive. */
static void a_bound_moves_what_is_beside_it(void **state)
{
	const double matrix[4] = {2, 1, 1, 2}, right[2] = {1, -1};
	double x[2];

	(void)state;
	assert_true(solve_partly_nonnegative(2, matrix, right, 0, 2, x));
	assert_true(fabs(x[0] - 1) < 1e-12 && fabs(x[1] + 1) < 1e-12);
	assert_true(solve_partly_nonnegative(2, matrix, right, 0, 1, x));
	assert_true(fabs(x[0] - 0.5) < 1e-12 && fabs(x[1]) < 1e-12);
	assert_true(solve_nonnegative(2, matrix, right, x));
	assert_true(fabs(x[0] - 0.5) < 1e-12 && fabs(x[1]) < 1e-12);
}

/* Eight readings that saw half of each of two classes, of 1 W², and a prior of 1 W² for each class:
 * 8/4 of ones and the unit matrix.  Along the sum that is 2·2 + 1 = 5, along the difference 1.  So
 * each has a variance of (1/5 + 1) / 2 = 0.6, and they have a covariance of (1/5 - 1) / 2 = -0.4:
 * the prior alone tells the difference, of 2·0.6 + 2·0.4 = 2, and the readings the sum, of 0.4. */
static void readings_tell_the_sum_of_what_runs_together(void **state)
{
	static const double inverse[4] = {0.6, -0.4, -0.4, 0.6};
	double matrix[4] = {3, 2, 2, 3};

	(void)state;
	assert_true(solve_invert(2, matrix));
	for (int i = 0; i < 4; i++)
		assert_true(fabs(matrix[i] - inverse[i]) < 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_least_is_found_within_its_bounds),
		cmocka_unit_test(an_inverse_undoes_its_matrix),
		cmocka_unit_test(what_is_not_positive_definite_is_refused),
		cmocka_unit_test(a_determinant_is_a_logarithm),
		cmocka_unit_test(a_bound_moves_what_is_beside_it),
		cmocka_unit_test(readings_tell_the_sum_of_what_runs_together),
	};

	return cmocka_run_group_tests_name("solve", tests, NULL, NULL);
}
