/* SPDX-License-Identifier: MIT */
#include "analyzer/view/text/text_facts.h"

#include <string.h>

#include "analyzer/model/hosts.h"
#include "analyzer/model/source.h"
#include "analyzer/model/timeline.h"
#include "analyzer/print/cell.h"
#include "analyzer/print/text.h"

void text_put_coverage(FILE *out, const struct ledger *ledger)
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
	for (guint i = 0; i < model->recordings->len; i++) {
		const struct model_recording *recording =
			&g_array_index(model->recordings, struct model_recording, i);

		if (recording->cut_off)
			text_put_line(
				out, "  %s; what ran afterwards is not recorded", recording->why);
	}
	for (guint i = 0; i < model->processes->len; i++) {
		const struct model_process *process =
			&g_array_index(model->processes, struct model_process, i);
		char *place = hosts_place(model, process->host), pid[TEXT_ID];

		if (process->cut_off)
			text_put_line(out,
				"  cut off: process %s%s, %s: killed, left by exec, or still "
				"running; its last launches may be missing",
				text_id(pid, process->pid), place, process->executable);
		g_free(place);
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
	char *place = hosts_sensor_place(model, sensor);
	char *device = g_strconcat(*sensor->device ? sensor->device : "unknown", place, NULL);
	const char *const names[] = {sensor->source, device, sensor->domain};
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
	g_free(device);
	g_free(place);
}

void text_put_sensors(FILE *out, const struct ledger *ledger)
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

void text_put_words(FILE *out, const struct model *model)
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
