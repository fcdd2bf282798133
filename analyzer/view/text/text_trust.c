/* SPDX-License-Identifier: MIT */
#include "analyzer/view/text/text_trust.h"

#include <math.h>
#include <string.h>

#include "analyzer/attribute/method.h"
#include "analyzer/ledger/advice.h"
#include "analyzer/ledger/widths.h"
#include "analyzer/print/cell.h"
#include "analyzer/print/text.h"
#include "analyzer/regress/fit.h"
#include "analyzer/view/content/sums.h"
#include "analyzer/view/text/text_advice.h"
#include "analyzer/view/text/text_fit.h"
#include "analyzer/view/text/text_library.h"
#include "analyzer/view/text/text_warnings.h"

/* ---- the sensors, and how well the fits explain them ---- */

/* The least and the greatest value. */
struct range {
	double low, high;
};

static const struct range no_values = {INFINITY, -INFINITY};

static void extend(struct range *range, double value)
{
	range->low = fmin(range->low, value);
	range->high = fmax(range->high, value);
}

/* The fits of sensors that a reader takes for one, because each of several devices has one. */
struct fit_summary {
	const struct fit *first;
	guint fits;
	struct range period_ms, window_ms, lag_ms; /* of the readings, and of the response */
	struct range explained_percent;
	struct range error_percent, best_other_percent; /* of the energy of time held out */
};

static bool same_to_reader(const struct fit *a, const struct fit *b)
{
	return a->found.origin == b->found.origin &&
	       strcmp(a->source->sensor->source, b->source->sensor->source) == 0 &&
	       strcmp(a->source->sensor->domain, b->source->sensor->domain) == 0;
}

/* In percent, to four decimals: sums in another order differ behind them. */
static double percent_of(double part)
{
	return round(1e6 * part) / 1e4;
}

static struct fit_summary summary_of(const struct ledger *ledger, const struct fit *first)
{
	struct fit_summary summary = {
		first, 0, no_values, no_values, no_values, no_values, no_values, no_values};

	for (guint i = 0; i < ledger->fits->len; i++) {
		const struct fit *fit = g_ptr_array_index(ledger->fits, i);
		const struct heldout *heldout = attribution_heldout(ledger->attribution, fit);

		if (!same_to_reader(fit, first))
			continue;
		summary.fits++;
		extend(&summary.period_ms, fit->period_ns / 1e6);
		extend(&summary.window_ms, response_window_ns(&fit->response) / 1e6);
		extend(&summary.lag_ms, response_lag_ns(&fit->response) / 1e6);
		extend(&summary.explained_percent, 100 * fit->explained);
		if (!heldout->blocks)
			continue;
		extend(&summary.error_percent, percent_of(heldout->error[heldout->own]));
		extend(&summary.best_other_percent, percent_of(heldout_best_other(heldout)));
	}
	return summary;
}

/* One value where both are printed alike. */
static void put_range(FILE *out, const char *before, const struct range *range, const char *after)
{
	char *low = g_strdup_printf("%.3g", range->low);
	char *high = g_strdup_printf("%.3g", range->high);

	fprintf(out, "%s%s", before, low);
	if (strcmp(low, high) != 0)
		fprintf(out, " to %s", high);
	fputs(after, out);
	g_free(low);
	g_free(high);
}

static void put_sensor(FILE *out, const struct fit_summary *summary)
{
	const struct model_sensor *sensor = summary->first->source->sensor;

	fputs("  Sensor: ", out);
	text_put(out, sensor->source);
	fputs(", ", out);
	text_put(out, sensor->domain);
	if (summary->fits > 1)
		fprintf(out, " (%u sensors)", summary->fits);
	put_range(out, ": a reading every ", &summary->period_ms, " ms");
	put_range(out, ", the mean of ", &summary->window_ms, " ms");
	put_range(out, ", ", &summary->lag_ms, " ms late");
	fputs(" (", out);
	text_put_origin(out, &summary->first->found);
	fputs(")\n", out);
}

static void put_quality(FILE *out, const struct fit_summary *summary)
{
	put_range(out, "  Fit: explains ", &summary->explained_percent, " % of how power varied; ");
	if (summary->error_percent.low > summary->error_percent.high) {
		fputs("too short to be tested on time held out\n", out);
		return;
	}
	put_range(out, "off by ", &summary->error_percent, " % on held-out time");
	put_range(out, " (best other method: ", &summary->best_other_percent, " %)\n");
}

static bool is_first(const GPtrArray *fits, guint i)
{
	for (guint k = 0; k < i; k++)
		if (same_to_reader(g_ptr_array_index(fits, k), g_ptr_array_index(fits, i)))
			return false;
	return true;
}

/* ---- how far to trust the rows ---- */

/* Of each row alone (struct energy_width).  The caller frees the array. */
static GArray *widths_of(const struct ledger *ledger)
{
	GArray *widths = g_array_new(FALSE, FALSE, sizeof(struct energy_width));

	for (guint i = 0; i < ledger->rows->len; i++) {
		const struct ledger_row *row = &g_array_index(ledger->rows, struct ledger_row, i);
		struct ledger_sums own = sums_own(row);
		double ci95_j = sums_ci95(&own);
		struct energy_width width = {INFINITY, (double)row->energy_nj / 1e9};

		if (ci95_j >= 0)
			width.part = ci95_j / width.energy_j;
		if (row->energy_known && row->energy_nj)
			g_array_append_val(widths, width);
	}
	return widths;
}

static void put_widths(FILE *out, const struct ledger *ledger)
{
	GArray *widths = widths_of(ledger);
	const struct {
		double part;
		const char *of;
	} parts[] = {{0.5, " for half of the energy, "}, {0.9, " for 90 %; "}};
	char cell[CELL_MAX];

	if (!widths->len)
		fputs("no energy that is known; ", out);
	for (size_t i = 0; widths->len && i < G_N_ELEMENTS(parts); i++) {
		double width = widths_within(widths, parts[i].part);

		cell_percent(cell, width);
		fprintf(out, "%s%s%s", isinf(width) ? "unknown" : "±", isinf(width) ? "" : cell,
			parts[i].of);
	}
	g_array_free(widths, TRUE);
}

static void put_trust(FILE *out, const struct ledger *ledger)
{
	guint groups = 0, classes = 0;

	fputs("  Trust: ", out);
	put_widths(out, ledger);
	for (guint i = 0; i < ledger->fits->len; i++) {
		const struct fit *fit = g_ptr_array_index(ledger->fits, i);

		groups += fit->groups->len;
		for (guint k = 0; k < fit->groups->len; k++)
			classes += ((const struct fit_group *)g_ptr_array_index(fit->groups, k))
					   ->classes->len;
	}
	if (!groups)
		fputs("all kernels are told apart\n", out);
	else if (groups == 1)
		fprintf(out, "%u kernels not told apart (group 1)\n", classes);
	else
		fprintf(out, "%u kernels not told apart (groups 1 to %u)\n", classes, groups);
}

/* Whether intervals of these rows need no advice: layers may be known though kernels are not. */
static bool rows_are_narrow(const struct ledger *ledger)
{
	GArray *widths = widths_of(ledger);
	bool narrow = widths_within(widths, ADVICE_MOST) <= ADVICE_WIDE;

	g_array_free(widths, TRUE);
	return narrow;
}

/* ---- all of it ---- */

static void put_fits(FILE *out, const struct ledger *ledger)
{
	for (guint i = 0; i < ledger->fits->len; i++) {
		struct fit_summary summary;

		if (!is_first(ledger->fits, i))
			continue;
		summary = summary_of(ledger, g_ptr_array_index(ledger->fits, i));
		put_sensor(out, &summary);
		put_quality(out, &summary);
	}
	text_put_library(out, ledger);
	put_trust(out, ledger);
	if (!rows_are_narrow(ledger))
		text_put_advice(out, ledger);
}

static void put_method(FILE *out, const struct ledger *ledger)
{
	fprintf(out, "  Method %s: %s; no intervals\n", ledger->method,
		method_find(ledger->method)->help);
	if (!ledger->estimated && ledger->total.attributed_nj && !ledger->attribution->can_fit)
		fputs("  Too few readings for the method regress, which has intervals: run longer, "
		      "or read more often\n",
			out);
}

void text_put_trust(FILE *out, const struct ledger *ledger, const struct view_options *options)
{
	bool fitted = ledger->fits->len;
	guint number = 0;

	if (!ledger->total.known)
		return;
	fprintf(out, "\nHow far to trust it%s\n",
		fitted && !options->verbose ? " (-v says more)" : "");
	if (fitted)
		put_fits(out, ledger);
	else
		put_method(out, ledger);
	text_put_warnings(out, ledger, options);
	if (!fitted || !options->verbose)
		return;
	for (guint i = 0; i < ledger->fits->len; i++)
		text_put_fit(out, ledger, g_ptr_array_index(ledger->fits, i), &number);
	fputs("  No interval contains the error of a sensor's gain: some per cent, alike for all "
	      "rows\n",
		out);
}
