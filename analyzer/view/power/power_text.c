/* SPDX-License-Identifier: MIT */
#include "analyzer/view/power/power_view.h"

#include <math.h>
#include <string.h>

#include "analyzer/print/cell.h"
#include "analyzer/print/text.h"

/* A length of time as it was asked for, as "1 ms" or "300 us". */
static void put_length(FILE *out, double length_s)
{
	static const char *const units[] = {"s", "ms", "µs", "ns"};
	size_t unit = 0;

	while (length_s < 0.9999999 && unit + 1 < G_N_ELEMENTS(units)) {
		length_s *= 1000;
		unit++;
	}
	fprintf(out, "%.6g %s", length_s, units[unit]);
}

static void put_scaled(FILE *out, double value, const char *unit)
{
	char cell[CELL_MAX];

	cell_scaled(cell, value, unit);
	fputs(cell, out);
}

/* "129 % of TGP" */
static void put_part(FILE *out, double power_w, double limit_w, const char *limit)
{
	if (isfinite(limit_w))
		fprintf(out, "%.0f %% of %s", power_w / limit_w * 100, limit);
	else
		fprintf(out, "%s unknown", limit);
}

/* "hot 100 % (66 % of all)": the first of the kernels, or of the layers. */
static void put_cause(FILE *out, const GArray *causes, const char *by, const char *before)
{
	for (guint i = 0; i < causes->len; i++) {
		const struct power_cause *cause = &g_array_index(causes, struct power_cause, i);

		if (strcmp(cause->by, by) != 0 || strcmp(cause->name, "(no layer)") == 0)
			continue;
		fputs(before, out);
		text_put(out, cause->short_name);
		if (cause->ambiguous && *cause->shape) {
			fputs(" [", out);
			text_put(out, cause->shape);
			fputc(']', out);
		}
		fprintf(out, " %.0f %% (%.0f %% of all)", cause->share * 100,
			cause->share_of_all * 100);
		return;
	}
}

static void put_window(
	FILE *out, const struct power_record *record, const struct power_window *window)
{
	text_put(out, record->device);
	fputs("  ", out);
	put_length(out, window->window_s);
	fputs("  ", out);
	put_scaled(out, window->highest_w, "W");
	if (isfinite(window->highest_w)) {
		fputs("  ", out);
		put_part(out, window->highest_w, record->limit_w, "TGP");
		fputs(", ", out);
		put_part(out, window->highest_w, record->edpp_w, "EDPp");
		fputs("  ", out);
		put_scaled(out, window->ramp_w_per_s, "W/s");
		fprintf(out, "  %s", window->kind);
		put_cause(out, window->causes, "kernel", "  ");
		put_cause(out, window->causes, "layer", "  ");
	}
	fputc('\n', out);
}

/* "lowest 200 W over 1 ms, 410 W over 10 ms" */
static void put_lowest(FILE *out, const GArray *windows)
{
	const char *before = "; lowest ";

	for (guint i = 0; i < windows->len; i++) {
		const struct power_window *window = &g_array_index(windows, struct power_window, i);

		if (!isfinite(window->lowest_w))
			continue;
		fputs(before, out);
		put_scaled(out, window->lowest_w, "W");
		fputs(" over ", out);
		put_length(out, window->window_s);
		before = ", ";
	}
}

static void put_above(FILE *out, const char *limit, double limit_w, double above)
{
	if (!isfinite(limit_w) || !isfinite(above))
		return;
	fprintf(out, "  above %s (", limit);
	put_scaled(out, limit_w, "W");
	fprintf(out, ") for %.1f %% of the time\n", above * 100);
}

/* why: what is missing where it is not measured. */
static void put_record(FILE *out, const struct power_record *record, const char *why)
{
	if (!record->measured) {
		text_put(out, record->device);
		fprintf(out, "  unknown: %s\n", why);
		return;
	}
	for (guint i = 0; i < record->windows->len; i++)
		put_window(out, record, &g_array_index(record->windows, struct power_window, i));
	fputs("  mean ", out);
	put_scaled(out, record->mean_w, "W");
	put_lowest(out, record->windows);
	fputc('\n', out);
	put_above(out, "TGP", record->limit_w, record->above_limit);
	put_above(out, "EDPp", record->edpp_w, record->above_edpp);
	if (isfinite(record->buffer_j)) {
		fputs("  a buffer of ", out);
		put_scaled(out, record->buffer_j, "J");
		fprintf(out, " would smooth it (%s)\n", record->kind);
	}
	for (guint i = 0; i < record->throttled->len; i++) {
		const struct power_throttle *throttle =
			&g_array_index(record->throttled, struct power_throttle, i);

		fprintf(out, "  throttled for %.1f %% of the time, ", throttle->share * 100);
		put_scaled(out, throttle->time_s, "s");
		fputs(", by ", out);
		text_put(out, throttle->reason);
		fputc('\n', out);
	}
}

void power_put_text(FILE *out, const void *result)
{
	const struct power_study *study = result;

	for (guint i = 0; i < study->records->len; i++)
		put_record(out, &g_array_index(study->records, struct power_record, i),
			"no sensor measured it");
	if (!power_shows_sum(study))
		return;
	put_record(out, &study->sum, "no sensor measured some of the devices");
	if (!study->sum.measured)
		return;
	fputs("  coincidence ", out);
	if (isfinite(study->coincidence))
		fprintf(out, "%.3f: the peak of the sum / the sum of the peaks, over 1 ms\n",
			study->coincidence);
	else
		fputs("unknown: powers over 1 ms are not known\n", out);
}
