/* SPDX-License-Identifier: MIT */
/*
 * The schema pwrtrace-report/1, described in pwrtrace-json(5).
 *
 * Joules are printed with nine decimals, from integer nanojoules; jansson prints reals in its own
 * way, so that it makes the strings here and the numbers are ours.
 */
#include <string.h>

#include "analyzer/model/source.h"
#include "analyzer/model/state.h"
#include "analyzer/view/content/agreement.h"
#include "analyzer/view/content/format.h"
#include "analyzer/view/content/shown_rows.h"
#include "analyzer/view/json/json_fits.h"
#include "analyzer/view/json/json_head.h"
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
		put_text(out, "host", balance->recording->host);
		put_text(out, "domain", balance->domain);
		put_text(out, "source", balance->sensor->source);
		put_parts(out, ledger, balance);
		fprintf(out, "\"summed\":%s}", balance->summed ? "true" : "false");
	}
	fputs("]},\n ", out);
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

/* For how many readings a device was throttled, by each reason. */
static void put_throttled(FILE *out, const struct model_state_sensor *sensor)
{
	const char *between = "";

	fputs("\"throttled\":[", out);
	for (unsigned bit = 0; bit < 64; bit++) {
		const char *name = state_reason_name(sensor->about.source, bit);
		guint count = state_throttled_count(sensor->states, sensor->about.source, bit);

		if (!count)
			continue;
		fprintf(out, "%s{\"bit\":%u,\"reason\":", between, bit);
		put_string(out, name);
		fprintf(out, ",\"readings\":%u}", count);
		between = ",";
	}
	fputs("]}", out);
}

/* What limited the devices; nothing where no sensor told it. */
static void put_states(FILE *out, const GArray *sensors)
{
	if (!sensors->len)
		return;
	fputs("\"states\":[", out);
	for (guint i = 0; i < sensors->len; i++) {
		const struct model_state_sensor *sensor =
			&g_array_index(sensors, struct model_state_sensor, i);
		double range[2];

		fputs(i ? ",{" : "{", out);
		put_text(out, "source", sensor->about.source);
		put_text(out, "device", sensor->about.device);
		fprintf(out, "\"readings\":%u,", sensor->states->len);
		for (size_t k = 0; state_quantities[k].name; k++)
			if (state_range(sensor->states, &state_quantities[k], range)) {
				put_key(out, state_quantities[k].key);
				fputc('[', out);
				put_digits(out, range[0], 12);
				fputc(',', out);
				put_digits(out, range[1], 12);
				fputs("],", out);
			}
		put_throttled(out, sensor);
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
		put_fixed(out, agreement_difference(agreement), 9);
		fputc('}', out);
	}
	fputs("],\n ", out);
	g_array_free(agreements, TRUE);
}

/* Of how many calls something is not known; only by collective. */
static void put_collectives(FILE *out, const struct ledger *ledger)
{
	const struct collectives *collectives = ledger->model->collectives;

	if (ledger_by_collective(ledger))
		fprintf(out, "\"collectives\":{\"calls\":%u,\"not_run\":%u,\"not_met\":%u},\n ",
			collectives->list->len, collectives->not_run, collectives->not_met);
}

static void write_json(FILE *out, const struct ledger *ledger, const struct view_options *options)
{
	json_put_opening(out, "pwrtrace-report/1", ledger);
	if (ledger->domain)
		put_text(out, "domain", ledger->domain);
	else
		fputs("\"domain\":null,", out);
	json_put_tags(out, ledger->model);
	put_balance(out, ledger, options);
	json_put_coverage(out, ledger);
	json_put_replays(out, ledger);
	put_sensors(out, ledger);
	put_states(out, ledger->model->state_sensors);
	put_agreements(out, ledger);
	put_collectives(out, ledger);
	json_put_work(out, ledger, options);
	json_put_iterations(out, ledger);
	json_put_fits(out, ledger);
	json_put_rows(out, ledger, options);
	fputs("}\n", out);
}

const struct format format_json = {
	.name = "json",
	.help = "the stable schema pwrtrace-report/1",
	.write = write_json,
};
