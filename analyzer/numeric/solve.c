/* SPDX-License-Identifier: MIT */
#include "analyzer/numeric/solve.h"

#include <dlfcn.h>
#include <glib.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

/* Iterations without progress in which all wrong variables are exchanged together; after these they
 * are exchanged one by one, which is slower and always ends. */
#define SWAPS_BEFORE_ONE_BY_ONE 3
#define TURNS_MAX 1000

/* Debian's alternatives choose the library behind LAPACK's interface; only OpenBLAS has threads. */
void solve_in_one_thread(void)
{
	void (*set_threads)(int) = (void (*)(int))dlsym(RTLD_DEFAULT, "openblas_set_num_threads");

	if (set_threads)
		set_threads(1);
}

/* Solves for the variables that are not fixed; those that are fixed are 0. */
static bool solve_free(
	size_t n, const double *matrix, const double *right, const bool *fixed, double *x)
{
	size_t *index = g_new(size_t, n + 1), count = 0;
	double *part, *values;
	bool solved;

	for (size_t i = 0; i < n; i++)
		if (!fixed[i])
			index[count++] = i;
	part = g_new(double, count *count + 1);
	values = g_new(double, count + 1);
	for (size_t i = 0; i < count; i++) {
		for (size_t k = i; k < count; k++)
			part[i * count + k] = matrix[index[i] * n + index[k]];
		values[i] = right[index[i]];
	}
	/* An upper triangle stored by rows is, to LAPACK, a lower one stored by columns. */
	solved = count == 0 || LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', (lapack_int)count, 1, part,
				       (lapack_int)count, values, (lapack_int)count) == 0;
	memset(x, 0, n * sizeof(*x));
	for (size_t i = 0; solved && i < count; i++)
		x[index[i]] = values[i];
	g_free(index);
	g_free(part);
	g_free(values);
	return solved;
}

/* The gradient of the objective in variable i: negative where the objective falls as x[i] grows. */
static double gradient(
	size_t n, const double *matrix, const double *right, const double *x, size_t i)
{
	double sum = -right[i];

	for (size_t k = 0; k < n; k++)
		sum += (k < i ? matrix[k * n + i] : matrix[i * n + k]) * x[k];
	return sum;
}

/* Whether a variable violates the optimality conditions: it is negative, or it is fixed at 0 though
 * the objective would fall if it grew. */
static bool is_wrong(
	size_t n, const double *matrix, const double *right, const double *x, size_t i, bool fixed)
{
	double tolerance = 1e-9 * (1 + fabs(right[i]));

	return fixed ? gradient(n, matrix, right, x, i) < -tolerance : x[i] < 0;
}

bool solve_nonnegative(size_t n, const double *matrix, const double *right, double *x)
{
	return solve_partly_nonnegative(n, matrix, right, n, n, x);
}

bool solve_partly_nonnegative(size_t n, const double *matrix, const double *right, size_t free_from,
	size_t free_end, double *x)
{
	bool *fixed = g_new0(bool, n + 1), *wrong = g_new(bool, n + 1), solved = true;
	size_t fewest = n + 1, swaps = SWAPS_BEFORE_ONE_BY_ONE;

	for (int turn = 0; turn < TURNS_MAX; turn++) {
		size_t count = 0, last = 0;
		bool all;

		solved = solve_free(n, matrix, right, fixed, x);
		for (size_t i = 0; solved && i < n; i++) {
			wrong[i] = (i < free_from || i >= free_end) &&
				   is_wrong(n, matrix, right, x, i, fixed[i]);
			count += wrong[i];
			last = wrong[i] ? i : last;
		}
		if (!solved || !count)
			break;
		all = count < fewest || swaps > 0;
		swaps = count < fewest ? SWAPS_BEFORE_ONE_BY_ONE : swaps ? swaps - 1 : 0;
		fewest = MIN(fewest, count);
		for (size_t i = 0; i < n; i++)
			if (wrong[i] && (all || i == last))
				fixed[i] = !fixed[i];
	}
	for (size_t i = 0; i < n; i++)
		x[i] = i < free_from || i >= free_end ? MAX(x[i], 0) : x[i];
	g_free(fixed);
	g_free(wrong);
	return solved;
}

bool solve_invert(size_t n, double *matrix)
{
	lapack_int size = (lapack_int)n;

	if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', size, matrix, size) != 0 ||
		LAPACKE_dpotri(LAPACK_COL_MAJOR, 'L', size, matrix, size) != 0)
		return false;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++)
			matrix[i * n + k] = matrix[k * n + i];
	return true;
}

bool solve_log_det(size_t n, const double *matrix, double *log_det)
{
	double *factor = g_memdup2(matrix, n * n * sizeof(*factor));
	bool positive =
		LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', (lapack_int)n, factor, (lapack_int)n) == 0;

	*log_det = 0;
	for (size_t i = 0; positive && i < n; i++)
		*log_det += 2 * log(factor[i * n + i]);
	g_free(factor);
	return positive;
}

bool solve_eigen(size_t n, double *matrix, double *values)
{
	lapack_int size = (lapack_int)n;

	return n == 0 ||
	       LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', size, matrix, size, values) == 0;
}
