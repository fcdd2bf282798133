/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/offsets.h"

#include <math.h>
#include <string.h>

#include "analyzer/model/model.h"
#include "analyzer/response/ablation.h"

/* Standard deviations in a replay, and in a block of the program's time, as parts of the static
 * power (README.md, (11a)). */
#define OFF_REPLAYED 0.01
#define OFF 0.003
#define SHARE_LEAST 0.05 /* of a reading, so that it counts as one of the replay */

/* What a reading shares its offset with: most of those in a replay, or others in its block. */
struct neighbours {
	guint number;   /* of the replay, from 0; from there on of the block */
	double time_ns; /* when the replay begins, or one in the block */
	double share;   /* the part of the reading that lies in it */
};

/* The replay in which most of a reading lies, with a share of 0 if there is none.  replays: or
 * NULL. *first is the first one that the reading may have seen; it is moved on. */
static struct neighbours in_replay(const struct power_reading *reading,
	const struct response *response, const GArray *replays, guint *first)
{
	double begin_ns = reading->since_ns - response_end_ns(response);
	struct neighbours most = {.share = 0};

	if (!replays)
		return most;
	while (*first < replays->len &&
		(double)g_array_index(replays, struct model_span, *first).end_ns < begin_ns)
		++*first;
	for (guint i = *first; i < replays->len; i++) {
		const struct model_span *span = &g_array_index(replays, struct model_span, i);
		double share;

		if ((double)span->begin_ns > reading->time_ns - response->begin_ns)
			break;
		share = design_part(
			response, reading, (double)span->begin_ns, (double)span->end_ns);
		if (share > most.share)
			most = (struct neighbours){i, (double)span->begin_ns, share};
	}
	return most;
}

static struct neighbours in_block(const struct power_reading *reading, const struct blocks *blocks,
	const GArray *replays, double in_replay)
{
	return (struct neighbours){
		(replays ? replays->len : 0) + blocks_at(blocks, reading->time_ns),
		reading->time_ns, 1 - in_replay};
}

void offsets_begin(struct offsets *offsets, const struct fit *fit, const struct design *design,
	const struct blocks *blocks, double low_w)
{
	const GArray *replays = fit->source->replays;
	struct neighbours before = {.share = 0};
	guint first = 0;

	*offsets = (struct offsets){.list = NULL};
	if (ablated(ABLATION_OFFSETS))
		return;
	offsets->list = g_array_new(FALSE, FALSE, sizeof(struct offset));
	offsets->share = g_new0(double, design->rows);
	offsets->of_row = g_new0(guint, design->rows);
	for (guint row = 0; row < design->rows; row++) {
		const struct power_reading *reading = &design->readings[row];
		struct neighbours among = in_replay(reading, &fit->response, replays, &first);

		if (among.share < SHARE_LEAST)
			among = in_block(reading, blocks, replays, among.share);
		if (!offsets->list->len || before.number != among.number) {
			bool of_replay = replays && among.number < replays->len;
			double off = of_replay ? OFF_REPLAYED : OFF;
			struct offset offset = {.first = row,
				.of_replay = of_replay,
				.fold = blocks_fold(blocks, among.time_ns),
				.prior = pow(off * low_w + 1e-3, -2),
				.sum = g_new0(double, design->columns + 1)};

			g_array_append_val(offsets->list, offset);
		}
		g_array_index(offsets->list, struct offset, offsets->list->len - 1).end = row + 1;
		offsets->share[row] = among.share;
		offsets->of_row[row] = offsets->list->len - 1;
		before = among;
	}
}

void offsets_end(struct offsets *offsets)
{
	for (guint i = 0; i < offsets_count(offsets); i++)
		g_free(offsets_at(offsets, i)->sum);
	if (offsets->list)
		g_array_free(offsets->list, TRUE);
	g_free(offsets->share);
	g_free(offsets->of_row);
}

guint offsets_fold(const struct offsets *offsets, const struct design *design,
	const struct blocks *blocks, guint row)
{
	return offsets->list ? offsets_at(offsets, offsets->of_row[row])->fold
			     : blocks_fold(blocks, design->readings[row].time_ns);
}

static void set_sums(const struct offsets *offsets, struct offset *offset,
	const struct design *design, const double *weight)
{
	memset(offset->sum, 0, (design->columns + 1) * sizeof(*offset->sum));
	offset->right = 0;
	offset->weight = offset->prior;
	for (guint row = offset->first; row < offset->end; row++) {
		double share = offsets->share[row], own = weight[row] * share;

		for (gsize i = design->first[row]; i < design->first[row + 1]; i++) {
			const struct design_entry *entry =
				&g_array_index(design->entries, struct design_entry, i);

			offset->sum[entry->column] += own * entry->part;
		}
		offset->sum[design->columns] += own;
		offset->right += own * design->readings[row].power_w;
		offset->weight += own * share;
	}
}

void offsets_eliminate(struct offsets *offsets, const struct design *design, const double *weight,
	struct normal_equations *const *folds)
{
	size_t n = (size_t)design->columns + 1;

	for (guint o = 0; o < offsets_count(offsets); o++) {
		struct offset *offset = &g_array_index(offsets->list, struct offset, o);
		struct normal_equations *fold = folds[offset->fold];

		set_sums(offsets, offset, design, weight);
		for (size_t i = 0; i < n; i++) {
			double part = offset->sum[i] / offset->weight;

			if (!(part > 0 || part < 0))
				continue;
			for (size_t k = i; k < n; k++)
				fold->matrix[i * n + k] -= part * offset->sum[k];
			fold->right[i] -= part * offset->right;
		}
	}
}

double offsets_sum(const struct offsets *offsets, const struct offset *offset, const double *weight,
	const double *value)
{
	double sum = 0;

	for (guint row = offset->first; row < offset->end; row++)
		sum += weight[row] * offsets->share[row] * value[row];
	return sum;
}

void offsets_find(struct offsets *offsets, const double *weight, double *residual_w)
{
	for (guint o = 0; o < offsets_count(offsets); o++) {
		struct offset *offset = &g_array_index(offsets->list, struct offset, o);
		double right = offsets_sum(offsets, offset, weight, residual_w);
		double before_w = offset->found_w;

		right += (offset->weight - offset->prior) * before_w;
		offset->found_w = right / offset->weight;
		for (guint row = offset->first; row < offset->end; row++)
			residual_w[row] -= offsets->share[row] * (offset->found_w - before_w);
	}
}

double offsets_effective(const struct offsets *offsets)
{
	double effective = 0;

	for (guint o = 0; o < offsets_count(offsets); o++)
		effective += 1 - offsets_at(offsets, o)->prior / offsets_at(offsets, o)->weight;
	return effective;
}
