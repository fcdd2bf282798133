/* SPDX-License-Identifier: MIT */
/*
 * The schema pwrtrace-report/1, described in pwrtrace-json(5).
 *
 * Joules are printed with nine decimals, from integer nanojoules; jansson prints reals in its own
 * way, so that it makes the strings here and the numbers are ours.
 */
#include <string.h>

#include "analyzer/model/source.h"
#include "analyzer/model/timeline.h"
#include "analyzer/print/text.h"
#include "analyzer/view/content/agreement.h"
#include "analyzer/view/content/format.h"
#include "analyzer/view/content/shown_rows.h"
#include "analyzer/view/json/json_fits.h"
#include "analyzer/view/json/json_put.h"
#include "analyzer/view/json/json_replays.h"
#include "analyzer/view/json/json_rows.h"
#include "analyzer/view/json/json_work.h"

static void put_parts(FILE *out, const struct ledger *ledger, const struct ledger_balance *balance)
{
	put_joules(out, "measured_j", balance->known, balance->measured_nj);
	put_joules(out, "attributed_j", balance->known, balance->attributed_nj);
	put_joules(out, "idle_j", balance->known, balance->idle_nj);
	put_joules(out, "unattributed_j", balance->known, balance->unattributed_nj);
	if (ledger->model->replays->len)
		put_joules(out, "replay_j", balance->known, balance->replay_nj);
}

static void put_balance(FILE *out, const struct ledger *ledger, const struct view_options *options)
{
	struct shown_left_out left_out = shown_left_out(ledger, options);

	put_key(out, "balance");
	fputc('{', out);
	put_parts(out, ledger, &ledger->total);
	if (options->filter)
		put_joules(out, "filtered_j", ledger->total.known, left_out.filtered_nj);
	if (options->top)
		put_joules(out, "cut_j", ledger->total.known, left_out.cut_nj);
	fputs("\"devices\":[", out);
	for (guint i = 0; i < ledger->balances->len; i++) {
		const struct ledger_balance *balance =
			&g_array_index(ledger->balances, struct ledger_balance, i);

		fputs(i ? ",{" : "{", out);
		put_text(out, "device", balance->device);
		put_text(out, "domain", balance->domain);
		put_text(out, "source", balance->sensor->source);
		put_parts(out, ledger, balance);
		fprintf(out, "\"summed\":%s}", balance->summed ? "true" : "false");
	}
	fputs("]},\n ", out);
}

static void put_coverage(FILE *out, const struct ledger *ledger)
{
	const struct model *model = ledger->model;
	uint64_t lost = model->discarded;
	unsigned cut_off = 0;

	for (guint i = 0; i < model->processes->len; i++)
		cut_off += g_array_index(model->processes, struct model_process, i).cut_off;
	for (guint i = 0; i < model->lost->len; i++)
		lost += g_array_index(model->lost, struct model_lost, i).count;
	fprintf(out,
		"\"coverage\":{\"executions\":%" G_GUINT64_FORMAT
		",\"damaged_traces\":%" G_GUINT64_FORMAT ",\"lost_events\":%" G_GUINT64_FORMAT
		",\"unfinished\":%" G_GUINT64_FORMAT ",\"without_time\":%" G_GUINT64_FORMAT
		",\"cut_off_processes\":%u,",
		ledger_executions(ledger), model->damaged, lost, model->unfinished,
		model->without_time, cut_off);
	if (ledger->timeline)
		fprintf(out,
			"\"layers_not_closed\":%" G_GUINT64_FORMAT
			",\"layers_not_opened\":%" G_GUINT64_FORMAT ",",
			ledger->timeline->not_closed, ledger->timeline->not_opened);
	put_real(out, "power_gap_s",
		ledger->gap_ns == PWRTRACE_UNKNOWN_U64 ? -1 : (double)ledger->gap_ns / 1e9, 9);
	put_real(out, "unmeasured_s", (double)ledger->unmeasured.time_ns / 1e9, 9);
	fprintf(out, "\"unmeasured_executions\":%" G_GUINT64_FORMAT ",",
		ledger->unmeasured.executions);
	put_key(out, "clock_error_ns");
	if (model->clock_error_ns && model->clock_error_ns != PWRTRACE_UNKNOWN_U64)
		fprintf(out, "%" G_GUINT64_FORMAT, model->clock_error_ns);
	else
		fputs("null", out);
	fprintf(out, ",\"clock_contradicted\":%" G_GUINT64_FORMAT "},\n ",
		model->clock_contradicted);
}

/* What else is known of a sensor that was calibrated. */
static void put_calibration(FILE *out, const struct model_sensor *sensor)
{
	put_text(out, "calibrated", sensor->calibrated);
	put_ms(out, "jitter_ms", sensor->jitter_ns, ",");
	put_number(out, "noise_w", sensor->noise_w);
	put_number(out, "gain", sensor->gain);
	put_number(out, "off_grid", sensor->off_grid);
	fprintf(out, "\"taps\":[");
	for (guint i = 0; i < sensor->taps->len; i++) {
		const struct model_tap *tap = &g_array_index(sensor->taps, struct model_tap, i);

		fputs(i ? ",[" : "[", out);
		put_fixed(out, (double)tap->lag_ns / 1e6, 6);
		fputc(',', out);
		put_digits(out, tap->weight, 9);
		fputc(']', out);
	}
	fputs("],", out);
}

static void put_sensors(FILE *out, const struct ledger *ledger)
{
	const GArray *sensors = ledger->model->sensors;

	fputs("\"sensors\":[", out);
	for (guint i = 0; i < sensors->len; i++) {
		const struct model_sensor *sensor = &g_array_index(sensors, struct model_sensor, i);

		fputs(i ? ",{" : "{", out);
		put_text(out, "source", sensor->source);
		put_text(out, "device", sensor->device);
		put_text(out, "domain", sensor->domain);
		if (source_devices(ledger->model, sensor) > 1)
			fprintf(out, "\"devices\":%u,", source_devices(ledger->model, sensor));
		if (*sensor->calibrated)
			put_calibration(out, sensor);
		if (sensor->misdated)
			fprintf(out, "\"misdated\":%u,", sensor->misdated);
		put_ms(out, "period_ms", sensor->period_ns, ",");
		put_ms(out, "window_ms", sensor->window_ns, ",");
		put_ms(out, "lag_ms", sensor->lag_ns, "}");
	}
	fputs("],\n ", out);
}

/* Two sensors of one domain, and the same time. */
static void put_agreements(FILE *out, const struct ledger *ledger)
{
	GArray *agreements = agreements_of(ledger);

	fputs("\"agreements\":[", out);
	for (guint i = 0; i < agreements->len; i++) {
		const struct agreement *agreement = &g_array_index(agreements, struct agreement, i);

		fputs(i ? ",{" : "{", out);
		put_text(out, "device", agreement->a->device);
		put_text(out, "domain", agreement->a->sensor->domain);
		put_text(out, "source", agreement->a->sensor->source);
		put_text(out, "quantity", agreement->a->sensor->quantity);
		put_real(out, "energy_j", agreement->a_j, 9);
		put_text(out, "other_source", agreement->b->sensor->source);
		put_text(out, "other_quantity", agreement->b->sensor->quantity);
		put_real(out, "other_energy_j", agreement->b_j, 9);
		put_real(out, "time_s", agreement->time_s, 9);
		put_key(out, "residual");
		put_fixed(out, agreement_residual(agreement), 9);
		fputc('}', out);
	}
	fputs("],\n ", out);
	g_array_free(agreements, TRUE);
}

/* A key is there once: where recordings differ in its value, with an array of them. */
static void put_tags(FILE *out, const GArray *tags)
{
	json_t *object = json_object();
	char *text;

	for (guint i = 0; i < tags->len; i++) {
		const struct model_tag *tag = &g_array_index(tags, struct model_tag, i);
		json_t *value = json_string(tag->value), *known = json_object_get(object, tag->key);

		if (!known)
			json_object_set_new(object, tag->key, value);
		else if (json_is_array(known))
			json_array_append_new(known, value);
		else
			json_object_set_new(object, tag->key, json_pack("[O, o]", known, value));
	}
	text = json_dumps(object, JSON_COMPACT);
	put_key(out, "tags");
	fprintf(out, "%s,\n ", text);
	free(text);
	json_decref(object);
}

static void write_json(FILE *out, const struct ledger *ledger, const struct view_options *options)
{
	const struct model *model = ledger->model;

	fputs("{\"schema\":\"pwrtrace-report/1\",\n \"trace\":[", out);
	for (guint i = 0; i < model->directories->len; i++) {
		char *directory = text_valid(g_ptr_array_index(model->directories, i));

		if (i)
			fputc(',', out);
		put_string(out, directory);
		g_free(directory);
	}
	fputs("],\n ", out);
	put_text(out, "method", ledger->method);
	fprintf(out, "\"estimated\":%s,\n ", ledger->estimated ? "true" : "false");
	if (ledger->domain)
		put_text(out, "domain", ledger->domain);
	else
		fputs("\"domain\":null,", out);
	put_tags(out, model->tags);
	put_balance(out, ledger, options);
	put_coverage(out, ledger);
	json_put_replays(out, ledger);
	put_sensors(out, ledger);
	put_agreements(out, ledger);
	json_put_work(out, ledger, options);
	json_put_iterations(out, ledger);
	json_put_fits(out, ledger);
	json_put_rows(out, ledger, options);
	fputs("}\n", out);
}

const struct format format_json = {"json", "the stable schema pwrtrace-report/1", write_json};
