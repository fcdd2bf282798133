/* SPDX-License-Identifier: MIT */
/* Normal equations, what solves them and their covariance, worked out by hand. */
#include "analyzer/regress/normal.h"

#include "analyzer/numeric/solve.h"
#include "tests/unit/analyzer/worked_example.h"

#define N WORKED_POWERS

static void readings_add_up_to_normal_equations(void **state)
{
	static const double matrix[N][N] = {{1.5, 0.5, 2}, {0, 1.5, 2}, {0, 0, 5}};
	static const double right[N] = {200, 150, 360};
	struct normal_equations *normal = worked_normal();

	(void)state;
	for (size_t i = 0; i < N; i++) {
		assert_near(normal->right[i], right[i], 1e-12);
		for (size_t k = i; k < N; k++)
			assert_near(normal->matrix[i * N + k], matrix[i][k], 1e-12);
	}
	normal_free(normal);
}

static void two_classes_are_told_apart(void **state)
{
	/* 0, -2.5, -2.5 and 2.5 W: with their weights they sum to 0, and so do those of each class,
	 * as those of least squares must. */
	static const double residual_w[WORKED_ROWS] = {0, -2.5, -2.5, 2.5};
	struct normal_equations *normal = worked_normal();
	struct design *design = worked_design();
	double power_w[N];

	(void)state;
	assert_true(solve_nonnegative(N, normal->matrix, normal->right, power_w));
	for (size_t i = 0; i < N; i++)
		assert_near(power_w[i], worked_power_w[i], 1e-9);
	for (guint row = 0; row < WORKED_ROWS; row++)
		assert_near(worked_readings[row].power_w - normal_predict(design, row, power_w),
			residual_w[row], 1e-9);
	normal_free(normal);
	design_free(design);
}

static void the_covariance_is_the_inverse(void **state)
{
	struct normal_equations *normal = worked_normal();

	(void)state;
	assert_true(solve_invert(N, normal->matrix));
	for (size_t i = 0; i < N * N; i++)
		assert_near(normal->matrix[i], worked_covariance[i], 1e-12);
	normal_free(normal);
}

/* Weights of 1 twice are weights of 2. */
static void equations_of_readings_add_up(void **state)
{
	struct normal_equations *normal = worked_normal(), *sum = normal_new(N);

	(void)state;
	normal_add(sum, normal, 1);
	normal_add(sum, normal, 0.5);
	for (size_t i = 0; i < N; i++) {
		assert_near(sum->right[i], 1.5 * normal->right[i], 1e-12);
		for (size_t k = i; k < N; k++)
			assert_near(sum->matrix[i * N + k], 1.5 * normal->matrix[i * N + k], 1e-12);
	}
	normal_free(normal);
	normal_free(sum);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(readings_add_up_to_normal_equations),
		cmocka_unit_test(two_classes_are_told_apart),
		cmocka_unit_test(the_covariance_is_the_inverse),
		cmocka_unit_test(equations_of_readings_add_up),
	};

	return cmocka_run_group_tests_name("normal", tests, NULL, NULL);
}
