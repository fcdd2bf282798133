/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/covariance.h"

struct covariance_sums *covariance_sums_new(void)
{
	struct covariance_sums *sums = g_new(struct covariance_sums, 1);
	const size_t begin = 0;

	sums->terms = g_array_new(FALSE, FALSE, sizeof(struct covariance_term));
	sums->first = g_array_new(FALSE, FALSE, sizeof(size_t));
	g_array_append_val(sums->first, begin);
	return sums;
}

void covariance_sums_free(struct covariance_sums *sums)
{
	g_array_free(sums->terms, TRUE);
	g_array_free(sums->first, TRUE);
	g_free(sums);
}

void covariance_sums_add(struct covariance_sums *sums, size_t of, double amount)
{
	const struct covariance_term term = {of, amount};

	g_array_append_val(sums->terms, term);
}

void covariance_sums_end(struct covariance_sums *sums)
{
	const size_t end = sums->terms->len;

	g_array_append_val(sums->first, end);
}

static size_t rows_of(const struct covariance_sums *sums)
{
	return sums->first->len - 1;
}

/* The terms of a row. */
static const struct covariance_term *row_of(
	const struct covariance_sums *sums, size_t row, size_t *count)
{
	const size_t *first = (const void *)sums->first->data;

	*count = first[row + 1] - first[row];
	return (const struct covariance_term *)(const void *)sums->terms->data + first[row];
}

double covariance_sum(const struct covariance_sums *sums, size_t row, const double *x)
{
	size_t count;
	const struct covariance_term *terms = row_of(sums, row, &count);
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += terms[i].amount * x[terms[i].of];
	return sum;
}

double *covariance_left(const struct covariance_sums *sums, const double *c, size_t n)
{
	size_t rows = rows_of(sums);
	double *left = g_new0(double, rows *n + 1);

	for (size_t row = 0; row < rows; row++) {
		size_t count;
		const struct covariance_term *terms = row_of(sums, row, &count);

		for (size_t i = 0; i < count; i++)
			for (size_t k = 0; k < n; k++)
				left[row * n + k] += terms[i].amount * c[terms[i].of * n + k];
	}
	return left;
}

double *covariance_of_sums(const struct covariance_sums *sums, const double *c, size_t n)
{
	size_t rows = rows_of(sums);
	double *left = covariance_left(sums, c, n), *whole = g_new(double, rows *rows + 1);

	for (size_t row = 0; row < rows; row++)
		for (size_t k = 0; k < rows; k++)
			whole[row * rows + k] = covariance_sum(sums, k, left + row * n);
	g_free(left);
	return whole;
}

double covariance_variance(
	const struct covariance_term *terms, size_t count, const double *c, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < count; k++)
			sum += terms[i].amount * terms[k].amount * c[terms[i].of * n + terms[k].of];
	return MAX(sum, 0);
}

void covariance_times(const double *c, size_t n, const double *x, size_t count, double *product)
{
	for (size_t i = 0; i < count; i++) {
		product[i] = 0;
		for (size_t k = 0; k < n; k++)
			product[i] += c[i * n + k] * x[k];
	}
}

void covariance_add(double *c, size_t n, double weight, const double *moves)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++)
			c[i * n + k] += weight * moves[i] * moves[k];
}

void covariance_merge(double *c, size_t n, size_t from, size_t into)
{
	for (size_t k = 0; k < n; k++)
		c[into * n + k] += c[from * n + k];
	for (size_t k = 0; k < n; k++)
		c[k * n + into] += c[k * n + from];
}
