/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/design/noise.h"

#include <math.h>

#include "analyzer/numeric/solve.h"
#include "analyzer/response/ablation.h"
#include "analyzer/response/reading.h"

#define LEAST_PART 1e-4 /* of the mean: what is less is rounding */
#define ROUNDS 12       /* of reweighting: factors settle within these */
#define FAR 4.          /* standard deviations: by chance, one of 16 000 readings is further off */

struct noise noise_assumed(double mean_w)
{
	double floor_w = READING_ERROR_FLOOR * mean_w, least_w = LEAST_PART * mean_w;

	return (struct noise){
		.factor = {[NOISE_FLOOR] = floor_w * floor_w,
			[NOISE_PART] = READING_ERROR_PART * READING_ERROR_PART},
		.least_w2 = least_w * least_w + 1e-12,
	};
}

double noise_variance(const struct noise *noise, const struct noise_row *row)
{
	double sum = 0;

	for (int i = 0; i < NOISE_TERMS; i++)
		sum += noise->factor[i] * row->term[i];
	return MAX(sum, noise->least_w2);
}

double noise_weight(const struct noise *noise, const struct noise_row *row, double residual_w)
{
	double variance = noise_variance(noise, row);
	double far = fabs(residual_w) / sqrt(variance);

	return (ablated(ABLATION_ROBUST) ? 1 : MIN(1, FAR / far)) / variance;
}

/* One step of reweighted least squares on the squared residuals, whose variance is twice the square
 * of their mean.  Terms are divided by their maxima, so that the equations are well-conditioned. */
static bool learn_once(struct noise *noise, const struct noise_row *rows, const double *residual_w,
	guint count, double freedom, const double *most)
{
	double matrix[NOISE_TERMS * NOISE_TERMS] = {0}, right[NOISE_TERMS] = {0};
	double found[NOISE_TERMS], mean_w2 = 0;

	for (guint row = 0; row < count; row++)
		mean_w2 += residual_w[row] * residual_w[row] / freedom;
	for (guint row = 0; row < count; row++) {
		double variance = noise_variance(noise, &rows[row]), weight = mean_w2 / variance;
		double square = residual_w[row] * residual_w[row];

		if (!ablated(ABLATION_ROBUST))
			square = MIN(square, FAR * FAR * variance);
		for (int i = 0; i < NOISE_TERMS; i++) {
			double own = weight * weight * rows[row].term[i] / most[i];

			right[i] += own * square * count / freedom;
			for (int k = i; k < NOISE_TERMS; k++)
				matrix[i * NOISE_TERMS + k] += own * rows[row].term[k] / most[k];
		}
	}
	for (int i = 0; i < NOISE_TERMS; i++)
		matrix[i * NOISE_TERMS + i] += 1e-9 * count;
	if (!solve_nonnegative(NOISE_TERMS, matrix, right, found))
		return false;
	for (int i = 0; i < NOISE_TERMS; i++)
		noise->factor[i] = found[i] / most[i];
	return true;
}

void noise_learn(struct noise *noise, const struct noise_row *rows, const double *residual_w,
	guint count, double freedom)
{
	double most[NOISE_TERMS], squares = 0;
	struct noise learnt = {.least_w2 = noise->least_w2};

	for (int i = 0; i < NOISE_TERMS; i++)
		most[i] = 1e-12;
	for (guint row = 0; row < count; row++) {
		for (int i = 0; i < NOISE_TERMS; i++)
			most[i] = MAX(most[i], rows[row].term[i]);
		squares += residual_w[row] * residual_w[row];
	}
	learnt.factor[NOISE_FLOOR] = squares / freedom;
	for (int round = 0; round < ROUNDS; round++)
		if (!learn_once(&learnt, rows, residual_w, count, freedom, most))
			return;
	*noise = learnt;
}
