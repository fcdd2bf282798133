/* SPDX-License-Identifier: MIT */
#include "analyzer/compare/judge.h"

#include <math.h>
#include <string.h>

#define LIMIT_APART 0.001 /* limits that are no further apart are equal */
#define LIMITED_LEAST 0.5 /* the part of its time for which a kernel is throttled by the limit */

static bool clocks_agree(const struct comparison_row *row, char **why)
{
	double base_hz = row->figures[SIDE_BASE].value[FIGURE_CLOCK];
	double other_hz = row->figures[SIDE_OTHER].value[FIGURE_CLOCK];

	if (isnan(base_hz) || isnan(other_hz))
		*why = g_strdup_printf("the clock of \"%s\" is not known in the %s", row->label,
			side_names[isnan(base_hz) ? SIDE_BASE : SIDE_OTHER]);
	else if (fabs(other_hz / base_hz - 1) > JUDGE_CLOCK_APART)
		*why = g_strdup_printf(
			"\"%s\" ran at %.0f MHz in the base and at %.0f MHz in the other",
			row->label, base_hz / 1e6, other_hz / 1e6);
	return !*why;
}

static bool both_at_limit(const struct comparison_row *row, char **why)
{
	for (int side = 0; side < SIDES && !*why; side++) {
		double part = row->figures[side].at_limit;

		if (isnan(part))
			*why = g_strdup_printf("it is not known what throttled \"%s\" in the %s",
				row->label, side_names[side]);
		else if (part < LIMITED_LEAST)
			*why = g_strdup_printf("the limit throttled \"%s\" for %.0f %% of its time "
					       "in the %s",
				row->label, part * 100, side_names[side]);
	}
	return !*why;
}

static bool limits_agree(const struct comparison *comparison, char **why)
{
	const double *limit_w = conditions_find(comparison->conditions, "limit")->value;

	if (isnan(limit_w[SIDE_BASE]) || isnan(limit_w[SIDE_OTHER]))
		*why = g_strdup_printf("the limit of power is not known in the %s",
			side_names[isnan(limit_w[SIDE_BASE]) ? SIDE_BASE : SIDE_OTHER]);
	else if (fabs(limit_w[SIDE_OTHER] / limit_w[SIDE_BASE] - 1) > LIMIT_APART)
		*why = g_strdup_printf("the limit was %.0f W in the base and %.0f W in the other",
			limit_w[SIDE_BASE], limit_w[SIDE_OTHER]);
	return !*why;
}

bool judge_equal(const struct comparison *comparison, enum compare_at at, char **why)
{
	bool (*const agree)(const struct comparison_row *, char **) =
		at == COMPARE_AT_CLOCK ? clocks_agree : both_at_limit;
	guint checked = 0;

	*why = NULL;
	if (at == COMPARE_AT_ANY)
		return true;
	if (at == COMPARE_AT_LIMIT && !limits_agree(comparison, why))
		return false;
	for (guint i = 0; i < comparison->rows->len; i++) {
		const struct comparison_row *row =
			&g_array_index(comparison->rows, struct comparison_row, i);

		if (strcmp(row->by, "kernel") != 0 || !row->there[SIDE_BASE] ||
			!row->there[SIDE_OTHER])
			continue;
		if (!agree(row, why))
			return false;
		checked++;
	}
	return checked || agree(&comparison->total, why);
}

const char *const verdict_names[] = {NULL, "same", "better", "worse"};

enum verdict judge_change(const struct change *change)
{
	if (isnan(change->p))
		return VERDICT_UNKNOWN;
	return !change->significant ? VERDICT_SAME
	       : change->delta < 0  ? VERDICT_BETTER
				    : VERDICT_WORSE;
}

enum side judge_unknown(const struct comparison_row *row, enum figure figure)
{
	enum side side = SIDE_BASE;

	while (side < SIDES && !isnan(row->figures[side].value[figure]))
		side++;
	return side;
}

const struct comparison_row *judge_subject(const struct comparison *comparison, bool paired)
{
	return paired && comparison->rows->len
		       ? &g_array_index(comparison->rows, struct comparison_row, 0)
		       : &comparison->total;
}

GPtrArray *judge_worse(const struct comparison *comparison, enum figure figure, double more)
{
	GPtrArray *worse = g_ptr_array_new();
	bool known = false;

	for (guint i = 0; i <= comparison->rows->len; i++) {
		const struct comparison_row *row =
			i < comparison->rows->len
				? &g_array_index(comparison->rows, struct comparison_row, i)
				: &comparison->total;
		const struct change *change = &row->change[figure];

		known |= !isnan(change->p);
		if (change->significant && change->delta > more)
			g_ptr_array_add(worse, (gpointer)row);
	}
	if (known)
		return worse;
	g_ptr_array_free(worse, TRUE);
	return NULL;
}
