/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/scatter.h"

#include <math.h>
#include <string.h>

#define BLOCK_MAX_NS 10e9 /* slower changes are drift, for which longer blocks are tried */

double scatter_length_ns(const struct regression *regression, guint blocks)
{
	const struct design *design = regression->design;
	const struct fit *fit = regression->fit;
	double span_ns = design->readings[design->rows - 1].time_ns - design->readings[0].time_ns;
	double width_ns = fit->response.taps * fit->response.step_ns + fit->period_ns;

	return MAX(MIN(span_ns / blocks, BLOCK_MAX_NS), 3 * width_ns);
}

guint *scatter_blocks(const struct regression *regression, guint blocks, guint *count)
{
	const struct design *design = regression->design;
	double begin_ns = design->readings[0].time_ns,
	       length_ns = scatter_length_ns(regression, blocks);
	guint *block_of = g_new0(guint, design->rows);

	*count = 0;
	for (guint row = 0; row < design->rows; row++) {
		if (design->readings[row].time_ns >= begin_ns + length_ns) {
			begin_ns = design->readings[row].time_ns;
			++*count;
		}
		block_of[row] = *count;
	}
	++*count;
	return block_of;
}

/* Sums over the current block. */
struct block_sums {
	const struct regression *regression;
	const struct nuisances *nuisances;
	const double *sensitivity;
	size_t n;
	double *score;           /* by power and nuisance parameter */
	double *weight, *before; /* by power: of this block, and of those before */
};

static void add_row(struct block_sums *sums, guint row)
{
	const struct regression *regression = sums->regression;
	const struct design *design = regression->design;
	size_t always = regression->fit->powers - 1;
	const double *line = sums->sensitivity + always * sums->n;
	double weight = regression->weight[row], moves = line[always];

	for (gsize i = design->first[row]; i < design->first[row + 1]; i++) {
		const struct design_entry *entry =
			&g_array_index(design->entries, struct design_entry, i);

		sums->weight[entry->column] += weight * entry->part * entry->part;
		moves += line[entry->column] * entry->part;
	}
	/* Every reading contains the static power; its weight is by how much it moves the estimate.
	 */
	sums->weight[always] += weight * moves * moves;
	nuisances_add_score(
		sums->nuisances, regression, row, regression->residual_w[row], sums->score);
}

/* Adds the square of what the block moves each quantity by, and clears its sums. */
static void end_block(struct block_sums *sums, struct scatter *scatter)
{
	for (size_t i = 0; i < sums->n; i++) {
		const double *line = sums->sensitivity + i * sums->n;
		double move = 0;

		for (size_t k = 0; k < sums->n; k++)
			move += line[k] * sums->score[k];
		scatter->variance[i] += move * move;
		sums->before[i] += sums->weight[i];
		scatter->effective_blocks[i] += sums->weight[i] * sums->weight[i];
	}
	memset(sums->score, 0, sums->n * sizeof(double));
	memset(sums->weight, 0, sums->n * sizeof(double));
}

struct scatter scatter_of(const struct regression *regression, const struct nuisances *nuisances,
	const double *sensitivity, size_t n, guint blocks)
{
	struct block_sums sums = {regression, nuisances, sensitivity, n, g_new0(double, n),
		g_new0(double, n), g_new0(double, n)};
	struct scatter scatter = {g_new0(double, n), g_new0(double, n)};
	guint count, *block_of = scatter_blocks(regression, blocks, &count);

	for (guint row = 0; row < regression->design->rows; row++) {
		if (row && block_of[row] != block_of[row - 1])
			end_block(&sums, &scatter);
		add_row(&sums, row);
	}
	end_block(&sums, &scatter);
	for (size_t i = 0; i < n; i++)
		scatter.effective_blocks[i] =
			sums.before[i] * sums.before[i] / MAX(scatter.effective_blocks[i], 1e-300);
	g_free(block_of);
	g_free(sums.score);
	g_free(sums.weight);
	g_free(sums.before);
	return scatter;
}

void scatter_clear(struct scatter *scatter)
{
	g_free(scatter->variance);
	g_free(scatter->effective_blocks);
}

double scatter_quantile(double freedom, double z)
{
	double part = 2 / (9 * freedom);

	return pow(MAX(1 - part + z * sqrt(part), 0), 3);
}
