/* SPDX-License-Identifier: MIT */
/* A row for each window of each device, and of the sum. */
#include <math.h>

#include "analyzer/print/csv.h"
#include "analyzer/view/power/power_view.h"

struct row {
	const char *device;
	double window_s, highest_w, lowest_w, ramp_w_per_s;
	const char *kind, *cause;
	double cause_share, cause_share_of_all;
	double mean_w, limit_w, edpp_w, above_limit, above_edpp, buffer_j;
};

#define COLUMN(type, member)                                                                       \
	{                                                                                          \
#member, type, offsetof(struct row, member)                                        \
	}

static const struct csv_column columns[] = {
	COLUMN(CSV_TEXT, device),
	COLUMN(CSV_NUMBER, window_s),
	COLUMN(CSV_NUMBER, highest_w),
	COLUMN(CSV_NUMBER, lowest_w),
	COLUMN(CSV_NUMBER, ramp_w_per_s),
	COLUMN(CSV_TEXT, kind),
	COLUMN(CSV_TEXT, cause),
	COLUMN(CSV_NUMBER, cause_share),
	COLUMN(CSV_NUMBER, cause_share_of_all),
	COLUMN(CSV_NUMBER, mean_w),
	COLUMN(CSV_NUMBER, limit_w),
	COLUMN(CSV_NUMBER, edpp_w),
	COLUMN(CSV_NUMBER, above_limit),
	COLUMN(CSV_NUMBER, above_edpp),
	COLUMN(CSV_NUMBER, buffer_j),
	{NULL, CSV_TEXT, 0},
};

static void put_record(FILE *out, const struct power_record *record)
{
	for (guint i = 0; i < record->windows->len; i++) {
		const struct power_window *window =
			&g_array_index(record->windows, struct power_window, i);
		const struct power_cause *cause =
			window->causes->len ? &g_array_index(window->causes, struct power_cause, 0)
					    : NULL;

		csv_put_row(out, columns,
			&(struct row){record->device, window->window_s, window->highest_w,
				window->lowest_w, window->ramp_w_per_s, window->kind,
				cause ? cause->name : NULL, cause ? cause->share : NAN,
				cause ? cause->share_of_all : NAN, record->mean_w, record->limit_w,
				record->edpp_w, record->above_limit, record->above_edpp,
				record->buffer_j});
	}
}

void power_put_csv(FILE *out, const void *result)
{
	const struct power_study *study = result;

	csv_put_headings(out, columns);
	for (guint i = 0; i < study->records->len; i++)
		put_record(out, &g_array_index(study->records, struct power_record, i));
	if (power_shows_sum(study))
		put_record(out, &study->sum);
}
