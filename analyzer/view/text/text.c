/* SPDX-License-Identifier: MIT */
/* The report for people: a table, the balance, what is missing, the sensors. */
#include <math.h>
#include <string.h>

#include "analyzer/model/replays.h"
#include "analyzer/model/source.h"
#include "analyzer/model/timeline.h"
#include "analyzer/print/cell.h"
#include "analyzer/print/terminal.h"
#include "analyzer/print/text.h"
#include "analyzer/view/content/format.h"
#include "analyzer/view/content/shown_rows.h"
#include "analyzer/view/content/sums.h"
#include "analyzer/view/text/text_clocks.h"
#include "analyzer/view/text/text_collectives.h"
#include "analyzer/view/text/text_iterations.h"
#include "analyzer/view/text/text_name.h"
#include "analyzer/view/text/text_picture.h"
#include "analyzer/view/text/text_replays.h"
#include "analyzer/view/text/text_table.h"
#include "analyzer/view/text/text_trust.h"
#include "analyzer/view/text/text_work.h"

#define TERMINAL_ROWS 20 /* of the table, on a terminal */

static void put_balance_line(FILE *out, const char *title, const struct ledger_balance *balance,
	bool replays, bool estimated)
{
	const struct {
		uint64_t energy_nj;
		const char *word;
	} parts[] = {{balance->attributed_nj, " attributed + "}, {balance->idle_nj, " idle + "},
		{balance->unattributed_nj, replays ? " unattributed + " : " unattributed = "},
		{balance->replay_nj, " replay = "},
		{balance->measured_nj, estimated ? " estimated\n" : " measured\n"}};
	char cell[CELL_MAX];

	fputs("  ", out);
	text_put(out, title);
	fputs(": ", out);
	if (!balance->known) {
		fputs("unknown: no power was measured or estimated\n", out);
		return;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		if (i == 3 && !replays)
			continue;
		cell_joules(cell, true, parts[i].energy_nj);
		fprintf(out, "%s%s", cell, parts[i].word);
	}
}

/* The energy of the rows that the table does not show. */
static void put_left_out(FILE *out, const struct ledger *ledger, const struct view_options *options)
{
	struct shown_left_out left_out = shown_left_out(ledger, options);
	char filtered[CELL_MAX], cut[CELL_MAX];

	if (!ledger->total.known || (!options->filter && !options->top))
		return;
	cell_joules(filtered, true, left_out.filtered_nj);
	cell_joules(cut, true, left_out.cut_nj);
	fprintf(out, "  not shown above%s: ", sums_in_tree(ledger) ? ", as OWN" : "");
	if (options->filter)
		fprintf(out, "%s filtered out%s", filtered, options->top ? ", " : "\n");
	if (options->top)
		fprintf(out, "%s after the first rows\n", cut);
}

static void put_balance(FILE *out, const struct ledger *ledger, const struct view_options *options)
{
	bool replays = replays_span_ns(ledger->model);

	fprintf(out, "\nBalance%s\n", ledger->estimated ? " (estimated, not measured)" : "");
	put_balance_line(out, "total", &ledger->total, replays, ledger->estimated);
	if (replays)
		text_put_replays_energy(out, ledger);
	put_left_out(out, ledger, options);
	for (guint i = 0; i < ledger->balances->len; i++) {
		const struct ledger_balance *balance =
			&g_array_index(ledger->balances, struct ledger_balance, i);
		char *title = g_strdup_printf("%s, %s%s", balance->device, balance->domain,
			balance->summed                              ? ""
			: strcmp(balance->sensor->part_of, "*") == 0 ? " (beside the others)"
			: *balance->sensor->part_of                  ? " (within another domain)"
								     : " (not in this report)");

		put_balance_line(out, title, balance, replays,
			strcmp(balance->sensor->quantity, "model") == 0);
		g_free(title);
	}
}

static void put_coverage(FILE *out, const struct ledger *ledger)
{
	const struct model *model = ledger->model;
	char cell[CELL_MAX];

	fprintf(out, "\nCoverage\n  %" G_GUINT64_FORMAT " executions", ledger_executions(ledger));
	if (model->unfinished)
		fprintf(out, ", %" G_GUINT64_FORMAT " launches did not finish", model->unfinished);
	if (model->without_time)
		fprintf(out, ", %" G_GUINT64_FORMAT " without a time", model->without_time);
	if (model->clock_error_ns == PWRTRACE_UNKNOWN_U64)
		strcpy(cell, "an unknown time");
	else
		cell_scaled(cell, (double)model->clock_error_ns / 1e9, "s");
	if (model->clock_error_ns)
		fprintf(out, "; device clock within %s", cell);
	if (ledger->gap_ns == PWRTRACE_UNKNOWN_U64)
		strcpy(cell, "an unknown time");
	else
		cell_scaled(cell, (double)ledger->gap_ns / 1e9, "s");
	fprintf(out, "; power unknown for %s\n", cell);
	if (ledger->total.known && ledger->unmeasured.time_ns) {
		cell_scaled(cell, (double)ledger->unmeasured.time_ns / 1e9, "s");
		fprintf(out,
			"  unmeasured: %s of what ran (%" G_GUINT64_FORMAT
			" execution%s wholly): the energy of that time is unknown\n",
			cell, ledger->unmeasured.executions,
			ledger->unmeasured.executions == 1 ? "" : "s");
	}
	if (model->clock_steps)
		fprintf(out,
			"  clock: steps of devices' clocks against the host's: %u; each side has a "
			"fit of its own\n",
			model->clock_steps);
	if (model->clock_contradicted) {
		cell_scaled(cell, (double)model->contradiction_ns / 1e9, "s");
		fprintf(out,
			"  clock: executions that would have begun before their launch, or ended "
			"after a wait for them, by more than the stated error: %" G_GUINT64_FORMAT
			"; it is off by %s at least\n",
			model->clock_contradicted, cell);
	}
	if (model->damaged)
		fprintf(out,
			"  damaged: %" G_GUINT64_FORMAT " traces, of which a part is left out\n",
			model->damaged);
	if (model->discarded)
		fprintf(out, "  lost: %" G_GUINT64_FORMAT " events, LTTng had no room\n",
			model->discarded);
	for (guint i = 0; i < model->lost->len; i++) {
		const struct model_lost *lost = &g_array_index(model->lost, struct model_lost, i);

		text_put_line(out, "  lost: %" G_GUINT64_FORMAT " %s, %s", lost->count, lost->what,
			lost->why);
	}
	if (ledger->timeline && ledger->timeline->not_closed)
		fprintf(out, "  layers: %" G_GUINT64_FORMAT " never ended before their process\n",
			ledger->timeline->not_closed);
	if (ledger->timeline && ledger->timeline->not_opened)
		fprintf(out, "  layers: %" G_GUINT64_FORMAT " ends of layers that were not open\n",
			ledger->timeline->not_opened);
	for (guint i = 0; i < model->processes->len; i++) {
		const struct model_process *process =
			&g_array_index(model->processes, struct model_process, i);
		char pid[TEXT_ID];

		if (process->cut_off)
			text_put_line(out,
				"  cut off: process %s, %s: killed, left by exec, or still "
				"running; its "
				"last launches may be missing",
				text_id(pid, process->pid), process->executable);
	}
}

static void put_ms(FILE *out, const char *what, uint64_t ns)
{
	if (ns == PWRTRACE_UNKNOWN_U64)
		fprintf(out, ", %s unknown", what);
	else
		fprintf(out, ", %s %.4g ms", what, (double)ns / 1e6);
}

static void put_sensor(FILE *out, const struct model *model, const struct model_sensor *sensor)
{
	const char *const names[] = {sensor->source, sensor->device, sensor->domain};
	guint devices = source_devices(model, sensor);

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		fputs(i == 0 ? "  " : i == 1 ? ": " : ", ", out);
		text_put(out, *names[i] ? names[i] : "unknown");
	}
	put_ms(out, "period", sensor->period_ns);
	put_ms(out, "window", sensor->window_ns);
	put_ms(out, "lag", sensor->lag_ns);
	if (*sensor->calibrated) {
		fputs("; calibrated ", out);
		text_put(out, sensor->calibrated);
	}
	if (sensor->taps->len)
		fprintf(out, ", response of %u taps", sensor->taps->len);
	if (devices > 1)
		fprintf(out,
			"; it measures %u devices (partitions) together: what runs on them at "
			"the same time shares its power",
			devices);
	fputc('\n', out);
}

static void put_sensors(FILE *out, const struct ledger *ledger)
{
	const GArray *sensors = ledger->model->sensors;

	fputs("\nSensors\n", out);
	if (!sensors->len)
		fputs("  none\n", out);
	for (guint i = 0; i < sensors->len; i++) {
		const struct model_sensor *sensor = &g_array_index(sensors, struct model_sensor, i);

		if (strcmp(sensor->quantity, "model") == 0)
			fputs("  model: an estimate from what ran; no sensor measured it\n", out);
		else
			put_sensor(out, ledger->model, sensor);
	}
}

static void put_words(FILE *out, const struct model *model)
{
	if (model->tags->len || model->marks->len)
		fputs("\nTags and marks\n", out);
	for (guint i = 0; i < model->tags->len; i++) {
		const struct model_tag *tag = &g_array_index(model->tags, struct model_tag, i);

		text_put_line(out, "  %s = %s", tag->key, tag->value);
	}
	for (guint i = 0; i < model->marks->len; i++) {
		const struct model_mark *mark = &g_array_index(model->marks, struct model_mark, i);

		text_put_line(out, "  %s: %g %s in %" G_GUINT64_FORMAT " marks", mark->name,
			mark->sum, mark->unit, mark->count);
	}
}

static void write_text(FILE *out, const struct ledger *ledger, const struct view_options *options)
{
	struct text_names *names = text_names_new(ledger);
	struct view_options fitted = *options;

	if (terminal_columns(out) && !fitted.top) {
		fitted.top = TERMINAL_ROWS;
		options = &fitted;
	}
	if (ledger->estimated)
		fputs("All joules and watts here are ESTIMATES: no sensor measured them.\n\n", out);
	if (ledger->domain) {
		text_put_line(out, "Joules of the domain %s alone", ledger->domain);
		fputc('\n', out);
	}
	text_put_pictures(out, ledger, terminal_columns(out));
	if (ledger_by_collective(ledger))
		text_put_collectives(out, ledger, options);
	else
		text_put_table(out, ledger, names, options);
	text_put_iterations(out, ledger, options);
	text_put_work(out, ledger, options);
	text_put_replays(out, ledger);
	text_put_trust(out, ledger, options);
	put_balance(out, ledger, options);
	put_coverage(out, ledger);
	put_sensors(out, ledger);
	text_put_clocks(out, ledger, names, options);
	put_words(out, ledger->model);
	text_names_free(names);
}

const struct format format_text = {"text", "a table for people", write_text};
