/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "analyzer/print/cell.h"
#include "analyzer/print/text.h"
#include "analyzer/view/profile/profile_view.h"

/* ---- numbers ---- */

#define ORDINAL_MAX 16

/* "1st", "2nd", "11th". */
static const char *ordinal(char text[ORDINAL_MAX], guint number)
{
	static const char *const endings[] = {"th", "st", "nd", "rd"};
	bool teen = number / 10 % 10 == 1;
	guint last = number % 10;

	g_snprintf(text, ORDINAL_MAX, "%u%s", number, endings[teen || last > 3 ? 0 : last]);
	return text;
}

/* " of the 3rd to 8th", where these are not told apart. */
static void put_group(FILE *out, const struct profile_position *position)
{
	const struct number_range *group = &position->group;
	char first[ORDINAL_MAX], last[ORDINAL_MAX];

	if (group->last > group->first && !isnan(position->together.power_w))
		fprintf(out, " of the %s to %s", ordinal(first, group->first),
			ordinal(last, group->last));
}

/* "500 W ±2", with as many decimals as the interval has a meaning for. */
static void put_power(FILE *out, const struct steady_power *power)
{
	int decimals = power->ci95_w < 0.95 ? 1 : 0;

	if (isnan(power->power_w))
		fputs("unknown power", out);
	else if (isnan(power->ci95_w))
		fprintf(out, "%.0f W ±unknown", power->power_w);
	else
		fprintf(out, "%.*f W ±%.*f", decimals, power->power_w, decimals, power->ci95_w);
}

/* ---- parts ---- */

static void put_head(FILE *out, const struct profile *profile)
{
	const char *what = profile->of_iterations ? "iteration" : "run";
	char bin[CELL_RANGE_MAX];

	cell_range(bin, profile->bin.low_s, profile->bin.high_s, "s");
	text_put(out, profile->name);
	fprintf(out, ": %u %s%s", profile->runs, what, profile->runs == 1 ? "" : "s");
	if (!profile->of_iterations)
		fprintf(out, " of %u", profile->fewest);
	if (profile->most > profile->fewest)
		fprintf(out, " to %u", profile->most);
	fprintf(out, ", %u golden (%s), %u point%s of %.0f wanted\n", profile->golden, bin,
		profile->studied_points, profile->studied_points == 1 ? "" : "s",
		profile->guidance.points);
}

static void put_steady(FILE *out, const char *what, const struct profile_position *position)
{
	char number[ORDINAL_MAX], time[CELL_MAX];

	if (!position) {
		fprintf(out, "%s  unknown", what);
		return;
	}
	cell_scaled(time, position->time_s, "s");
	fprintf(out, "%s  %s  %s  ", what, ordinal(number, position->execution), time);
	put_power(out, &position->together);
	put_group(out, position);
}

static void put_both(FILE *out, const struct profile *profile)
{
	const struct profile_position *sse = profile_position(profile, profile->sse);
	const struct profile_position *ssp = profile_position(profile, profile->ssp);

	put_steady(out, "SSE", sse);
	fputs("    ", out);
	put_steady(out, "SSP", ssp);
	if (sse && ssp && !isnan(sse->together.power_w))
		fprintf(out, "  %+.1f %%",
			100 * (ssp->together.power_w / sse->together.power_w - 1));
	fputc('\n', out);
}

/* What the sensor allows. */
static void put_resolution(FILE *out, const struct profile *profile)
{
	char window[CELL_MAX], time[CELL_MAX];

	if (profile->resolution == PROFILE_MEASURED)
		return;
	cell_scaled(window, profile->window_s, "s");
	cell_scaled(time, profile_position(profile, profile->studied)->time_s, "s");
	if (profile->resolution == PROFILE_MODELLED) {
		fprintf(out,
			"modelled: the sensor tells the mean of %s, longer than %s; powers are "
			"fitted\n",
			window, time);
		return;
	}
	fputs("refused: ", out);
	fprintf(out,
		"the sensor tells the mean of %s, and %.2g points of %.0f wanted are expected; "
		"all executions look alike\n",
		window, profile->expected_points, profile->guidance.points);
}

static void put_needed(FILE *out, const struct profile *profile)
{
	if (profile->runs_needed <= profile->runs || isnan(profile->runs_needed))
		return;
	if (profile->of_iterations) {
		fprintf(out, "%.0f iterations are needed\n", profile->runs_needed);
		return;
	}
	fprintf(out,
		"%.0f runs are needed: pwrtrace profile --kernel NAME -- COMMAND makes them; "
		"pwrtrace record --replay tells the steady power alone\n",
		profile->runs_needed);
}

static void put_befores(FILE *out, const struct profile *profile)
{
	for (guint i = 0; profile->befores && i < profile->befores->len; i++) {
		const struct profile_before *before =
			&g_array_index(profile->befores, struct profile_before, i);
		char cost[CELL_MAX];

		fputs("after ", out);
		text_put(out, before->name);
		fputs("  ", out);
		put_power(out, &before->power);
		fprintf(out, "  %" G_GUINT64_FORMAT " execution%s", before->executions,
			before->executions == 1 ? "" : "s");
		if (before->significant) {
			cell_scaled(cost, before->cost_j, "J");
			fprintf(out, "  significantly more: this order costs %s", cost);
		}
		fputc('\n', out);
	}
}

/* Every execution number; those of a group are not told apart. */
static void put_positions(FILE *out, const struct profile *profile)
{
	for (guint i = 1; i <= profile->positions->len; i++) {
		const struct profile_position *position = profile_position(profile, i);
		char number[ORDINAL_MAX], time[CELL_MAX];

		cell_scaled(time, position->time_s, "s");
		cell_put(out, ordinal(number, i), 6);
		cell_put(out, time, 9);
		fputs("  ", out);
		put_power(out, &position->power);
		if (position->points)
			fprintf(out, "  %u point%s", position->points,
				position->points == 1 ? "" : "s");
		if (position->group.last > position->group.first) {
			fputs("  (", out);
			put_power(out, &position->together);
			put_group(out, position);
			fputc(')', out);
		}
		fputc('\n', out);
	}
}

void profile_put_text(FILE *out, const void *result)
{
	const struct profile_view *view = result;

	put_head(out, view->profile);
	if (!view->profile->of_iterations)
		put_both(out, view->profile);
	put_resolution(out, view->profile);
	put_needed(out, view->profile);
	put_befores(out, view->profile);
	if (view->verbose || view->profile->of_iterations)
		put_positions(out, view->profile);
}
