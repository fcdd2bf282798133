/* SPDX-License-Identifier: MIT */
/* The schema pwrtrace-power/1, described in pwrtrace-json(5). */
#include "analyzer/view/json/json_head.h"
#include "analyzer/view/json/json_put.h"
#include "analyzer/view/power/power_view.h"

/* A last member. */
static void put_last(FILE *out, const char *key, double value)
{
	put_key(out, key);
	put_digits(out, value, 12);
}

static void put_causes(FILE *out, const GArray *causes)
{
	fputs("\"causes\":[", out);
	for (guint i = 0; i < causes->len; i++) {
		const struct power_cause *cause = &g_array_index(causes, struct power_cause, i);

		fputs(i ? ",{" : "{", out);
		put_text(out, "by", cause->by);
		put_text(out, "name", cause->name);
		put_text(out, "shape", cause->shape);
		put_number(out, "share", cause->share);
		put_last(out, "share_of_all", cause->share_of_all);
		fputc('}', out);
	}
	fputs("]", out);
}

static void put_windows(FILE *out, const GArray *windows)
{
	fputs("\"windows\":[", out);
	for (guint i = 0; i < windows->len; i++) {
		const struct power_window *window = &g_array_index(windows, struct power_window, i);

		fputs(i ? ",\n    {" : "\n    {", out);
		put_number(out, "window_s", window->window_s);
		put_number(out, "highest_w", window->highest_w);
		put_number(out, "lowest_w", window->lowest_w);
		put_number(out, "ramp_w_per_s", window->ramp_w_per_s);
		put_key(out, "kind");
		put_string(out, window->kind);
		fputc(',', out);
		put_causes(out, window->causes);
		fputc('}', out);
	}
	fputs("]", out);
}

static void put_throttled(FILE *out, const GArray *throttled)
{
	fputs("\"throttled\":[", out);
	for (guint i = 0; i < throttled->len; i++) {
		const struct power_throttle *throttle =
			&g_array_index(throttled, struct power_throttle, i);

		fputs(i ? ",{" : "{", out);
		put_text(out, "reason", throttle->reason);
		put_number(out, "share", throttle->share);
		put_last(out, "time_s", throttle->time_s);
		fputc('}', out);
	}
	fputs("]", out);
}

static void put_powers(FILE *out, const struct power_record *record)
{
	put_number(out, "mean_w", record->mean_w);
	put_number(out, "limit_w", record->limit_w);
	put_number(out, "edpp_w", record->edpp_w);
	put_number(out, "buffer_j", record->buffer_j);
	put_windows(out, record->windows);
}

void power_put_json(FILE *out, const void *result)
{
	const struct power_study *study = result;

	json_put_head(out, "pwrtrace-power/1", study->ledger);
	fputs("\"devices\":[", out);
	for (guint i = 0; i < study->records->len; i++) {
		const struct power_record *record =
			&g_array_index(study->records, struct power_record, i);

		fputs(i ? ",\n  {" : "\n  {", out);
		put_text(out, "device", record->device);
		put_powers(out, record);
		fputc(',', out);
		put_throttled(out, record->throttled);
		fputc('}', out);
	}
	fputs("],\n \"sum\":", out);
	if (study->sum.device) {
		fputc('{', out);
		put_number(out, "coincidence", study->coincidence);
		put_powers(out, &study->sum);
		fputc('}', out);
	} else {
		fputs("null", out);
	}
	fputs("}\n", out);
}
