/* SPDX-License-Identifier: MIT */
/* The covariance of sums, from that of the worked example (worked_example.h). */
#include "analyzer/regress/covariance.h"

#include <string.h>

#include "tests/unit/analyzer/worked_example.h"

#define N WORKED_POWERS

enum { OF_A, OF_B, BOTH, SUMS };

/* Joules of a in 2 s, of b in 3 s, alone, and of both. */
static struct covariance_sums *energies(void)
{
	static const double seconds[SUMS][N] = {{2, 0, 2}, {0, 3, 3}, {2, 3, 5}};
	struct covariance_sums *sums = covariance_sums_new();

	for (size_t row = 0; row < SUMS; row++) {
		for (size_t i = 0; i < N; i++)
			if (seconds[row][i] > 0)
				covariance_sums_add(sums, i, seconds[row][i]);
		covariance_sums_end(sums);
	}
	return sums;
}

/* 2·102.5 + 2·10 = 225 J, 3·52.5 + 3·10 = 187.5 J, and their sum. */
static void a_sum_is_that_of_its_terms(void **state)
{
	static const double expected[SUMS] = {225, 187.5, 412.5};
	struct covariance_sums *sums = energies();

	(void)state;
	for (size_t row = 0; row < SUMS; row++)
		assert_near(covariance_sum(sums, row, worked_power_w), expected[row], 1e-9);
	covariance_sums_free(sums);
}

/*
 *	       ( 2 0 2 )   (  7/4  3/4 -1 )   (   3/2  -1/2   0 )
 *	T C  = ( 0 3 3 ) · (  3/4  7/4 -1 ) = (  -3/4   9/4   0 )
 *	       ( 2 3 5 )   ( -1   -1    1 )   (   3/4   7/4   0 )
 *
 * Its rows times those of T: 3 J² for a, 27/4 for b, -3/2 between them, and of the sum, with
 *either, 3 - 3/2 = 3/2 and 27/4 - 3/2 = 21/4, so 27/4 with itself.
 */
static void covariances_are_those_of_the_terms(void **state)
{
	static const double left[SUMS * N] = {1.5, -0.5, 0, -0.75, 2.25, 0, 0.75, 1.75, 0};
	static const double whole[SUMS * SUMS] = {3, -1.5, 1.5, -1.5, 6.75, 5.25, 1.5, 5.25, 6.75};
	struct covariance_sums *sums = energies();
	double *found_left = covariance_left(sums, worked_covariance, N);
	double *found = covariance_of_sums(sums, worked_covariance, N);

	(void)state;
	for (size_t i = 0; i < SUMS * N; i++)
		assert_near(found_left[i], left[i], 1e-12);
	for (size_t i = 0; i < SUMS * SUMS; i++)
		assert_near(found[i], whole[i], 1e-12);
	g_free(found_left);
	g_free(found);
	covariance_sums_free(sums);
}

/* A term may come twice. */
static void one_sum_has_the_variance_of_its_row(void **state)
{
	static const struct covariance_term both[] = {
		{WORKED_A, 2}, {WORKED_B, 3}, {WORKED_STATIC, 2}, {WORKED_STATIC, 3}};

	(void)state;
	assert_near(covariance_variance(both, 4, worked_covariance, N), 6.75, 1e-12);
}

/* An unknown of 4 W² that moves a by 1/2 and b by -1 W for a watt: 1, 4 and -2 W². */
static void what_is_not_known_adds_up(void **state)
{
	static const double moves[N] = {0.5, -1, 0}, added[N * N] = {1, -2, 0, -2, 4, 0};
	double covariance[N * N];

	(void)state;
	memcpy(covariance, worked_covariance, sizeof(covariance));
	covariance_add(covariance, N, 4, moves);
	for (size_t i = 0; i < N * N; i++)
		assert_near(covariance[i], worked_covariance[i] + added[i], 1e-12);
}

/* The covariance of a, b and c, once a has been put into b, is that of a, a + b and c; what is left
 * of a is asked no more. */
static void merging_adds_a_sum_to_another(void **state)
{
	double covariance[N * N];

	(void)state;
	memcpy(covariance, worked_covariance, sizeof(covariance));
	covariance_merge(covariance, N, WORKED_A, WORKED_B);
	assert_near(covariance[WORKED_B * N + WORKED_B], 1.75 + 1.75 + 2 * 0.75, 1e-12);
	assert_near(covariance[WORKED_B * N + WORKED_STATIC], -2, 1e-12);
	assert_near(covariance[WORKED_STATIC * N + WORKED_B], -2, 1e-12);
	assert_near(covariance[WORKED_STATIC * N + WORKED_STATIC], 1, 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sum_is_that_of_its_terms),
		cmocka_unit_test(covariances_are_those_of_the_terms),
		cmocka_unit_test(one_sum_has_the_variance_of_its_row),
		cmocka_unit_test(what_is_not_known_adds_up),
		cmocka_unit_test(merging_adds_a_sum_to_another),
	};

	return cmocka_run_group_tests_name("covariance", tests, NULL, NULL);
}
