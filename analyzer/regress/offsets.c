/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/offsets.h"

#include <string.h>

#include "analyzer/model/model.h"
#include "analyzer/response/ablation.h"

#define OFF 0.01         /* standard deviation, as a part of the static power (README.md, (11a)) */
#define SHARE_LEAST 0.05 /* of a reading, so that it counts as one of the replay */

/* Of the replays (struct model_span), the one in which most of a reading lies. */
struct replay_seen {
	guint replay;
	double share;
};

/* *first is the first one that the reading may have seen; it is moved on. */
static struct replay_seen seen_by(const struct power_reading *reading,
	const struct response *response, const GArray *replays, guint *first)
{
	double begin_ns = reading->since_ns - response_end_ns(response);
	struct replay_seen most = {.share = 0};

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
			most = (struct replay_seen){i, share};
	}
	return most;
}

void offsets_begin(struct offsets *offsets, const struct fit *fit, const struct design *design,
	const struct blocks *blocks, double low_w)
{
	const GArray *replays = fit->source->replays;
	double sigma_w = OFF * low_w + 1e-3;
	struct replay_seen before = {.share = 0};
	guint first = 0;

	*offsets = (struct offsets){.prior = 1 / (sigma_w * sigma_w)};
	if (!fit->classes->replayed || !replays || ablated(ABLATION_OFFSETS))
		return;
	offsets->list = g_array_new(FALSE, FALSE, sizeof(struct offset));
	offsets->share = g_new0(double, design->rows);
	offsets->of_row = g_new0(guint, design->rows);
	for (guint row = 0; row < design->rows; row++) {
		const struct power_reading *reading = &design->readings[row];
		struct replay_seen seen = seen_by(reading, &fit->response, replays, &first);
		struct offset offset = {
			.first = row, .fold = blocks_fold(blocks, reading->time_ns)};
		struct offset *last = NULL;

		if (seen.share < SHARE_LEAST)
			continue;
		if (offsets->list->len)
			last = &g_array_index(offsets->list, struct offset, offsets->list->len - 1);
		if (!last || before.replay != seen.replay || last->fold != offset.fold) {
			offset.sum = g_new0(double, design->columns + 1);
			g_array_append_val(offsets->list, offset);
			last = &g_array_index(offsets->list, struct offset, offsets->list->len - 1);
		}
		last->end = row + 1;
		offsets->share[row] = seen.share;
		offsets->of_row[row] = offsets->list->len;
		before = seen;
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

static void set_sums(const struct offsets *offsets, struct offset *offset,
	const struct design *design, const double *weight)
{
	memset(offset->sum, 0, (design->columns + 1) * sizeof(*offset->sum));
	offset->right = 0;
	offset->weight = offsets->prior;
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

		right += (offset->weight - offsets->prior) * before_w;
		offset->found_w = right / offset->weight;
		for (guint row = offset->first; row < offset->end; row++)
			residual_w[row] -= offsets->share[row] * (offset->found_w - before_w);
	}
}

double offsets_effective(const struct offsets *offsets)
{
	double effective = 0;

	for (guint o = 0; o < offsets_count(offsets); o++)
		effective += 1 - offsets->prior / offsets_at(offsets, o)->weight;
	return effective;
}
