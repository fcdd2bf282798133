/* SPDX-License-Identifier: MIT */
#include "analyzer/view/identity_view.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/print/text.h"

#define MS_PER_S 1e3

/* ---- for people ---- */

/* "25.1 ms (24.0 to 26.2)" */
static void put_estimate(
	FILE *out, const char *what, struct estimate estimate, double scale, const char *unit)
{
	fprintf(out, "%s %.4g%s (%.4g to %.4g)", what, scale * estimate.value, unit,
		scale * estimate.low, scale * estimate.high);
}

static void put_grid(FILE *out, const struct identity *identity)
{
	const struct grid *grid = &identity->grid;

	fprintf(out, "  updates   ");
	if (identity->every_reading) {
		fprintf(out, "at least every %.4g ms: each reading is a new one\n",
			MS_PER_S * identity->readings_s);
		return;
	}
	if (!identity->has_grid) {
		fprintf(out, "every %.3g ms, on no grid\n", MS_PER_S * identity->updates_s);
		return;
	}
	fprintf(out, "every %.6g ms (%.6g to %.6g)", MS_PER_S * grid->period_s.value,
		MS_PER_S * grid->period_s.low, MS_PER_S * grid->period_s.high);
	put_estimate(out, ", jitter", grid->jitter_s, MS_PER_S, " ms");
	fputs(identity->stamped ? "; stamped by the device" : "", out);
	if (grid->off_share.low > 0)
		fprintf(out, "; %.0f %% off the grid, typically by %.3g ms",
			100 * grid->off_share.value, MS_PER_S * grid->off_by_s);
	fputc('\n', out);
}

static void put_shape(FILE *out, const struct identity *identity)
{
	const struct calibrated_response *response = &identity->response;

	fputs("  response ", out);
	if (estimate_known(response->equivalent_window_s))
		put_estimate(out, " window", response->equivalent_window_s, MS_PER_S, " ms");
	fputc(estimate_known(response->equivalent_window_s) ? ',' : ' ', out);
	put_estimate(out, " lag", response->equivalent_lag_s, MS_PER_S, " ms");
	fputs(response->at_edge ? "; perhaps more, it is the longest that was tried\n" : "\n", out);
	put_estimate(out, "  shape     delay", response->delay_s, MS_PER_S, " ms");
	if (estimate_known(response->window_s))
		put_estimate(out, ", boxcar", response->window_s, MS_PER_S, " ms");
	put_estimate(out, ", tail", response->tail_s, MS_PER_S, " ms");
	if (identity->has_taps)
		fprintf(out, "; %s",
			identity->formula ? "a free response agrees"
					  : "a free response fits better");
	fputc('\n', out);
}

static void put_response(FILE *out, const struct identity *identity)
{
	const struct calibrated_response *response = &identity->response;

	put_shape(out, identity);
	put_estimate(out, "  levels    idle", response->idle_w, 1, " W");
	put_estimate(out, ", load adds", response->step_w, 1, " W");
	fputc('\n', out);
	put_estimate(out, "  noise    ", response->noise_w, 1, " W");
	put_estimate(out, ", of time", response->timing_s, MS_PER_S, " ms");
	fprintf(out, "; %s; %.3g W left of %u values", identity->timing->help, response->residual_w,
		identity->observed->len);
	if (identity->left_out)
		fprintf(out, ", %u left out", identity->left_out);
	fputc('\n', out);
	if (estimate_known(identity->gain)) {
		put_estimate(out, "  gain     ", identity->gain, 1, "");
		fprintf(out, " of the energy counter\n");
	}
}

void identity_put_text(FILE *out, const struct identity *identity)
{
	const struct model_sensor *sensor = identity->sensor;

	text_put_line(out, "%s: %s, %s, %s", sensor->source, sensor->device, sensor->domain,
		sensor->quantity);
	if (sensor->readings->len)
		put_grid(out, identity);
	if (identity->trouble)
		fprintf(out, "  response  unknown: %s\n", identity->trouble);
	else
		put_response(out, identity);
}

/* ---- for programs ---- */

static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static void set_estimate(json_t *object, const char *key, struct estimate estimate, double scale)
{
	json_object_set_new(object, key,
		json_pack("[ooo]", number(scale * estimate.value), number(scale * estimate.low),
			number(scale * estimate.high)));
}

static void set_text(json_t *object, const char *key, const char *text)
{
	char *valid = text_valid(text);

	json_object_set_new(object, key, json_string(valid));
	g_free(valid);
}

static void set_grid(json_t *object, const struct identity *identity)
{
	const struct grid *grid = &identity->grid;

	json_object_set_new(object, "stamped", json_boolean(identity->stamped));
	if (!identity->has_grid)
		return;
	set_estimate(object, "period_ms", grid->period_s, MS_PER_S);
	set_estimate(object, "tick_ms", grid->tick_s, MS_PER_S);
	set_estimate(object, "jitter_ms", grid->jitter_s, MS_PER_S);
	set_estimate(object, "off_grid", grid->off_share, 1);
	json_object_set_new(object, "off_grid_by_ms", number(MS_PER_S * grid->off_by_s));
}

static void set_taps(json_t *object, const struct identity *identity)
{
	json_t *list = json_array();

	for (unsigned k = 0; k < identity->taps.count; k++)
		json_array_append_new(
			list, json_pack("{s:o,s:o,s:o}", "lag_ms",
				      number(MS_PER_S * (identity->taps.first_s +
								(k + 0.5) * identity->taps.step_s)),
				      "weight", number(identity->taps.weight[k]), "ci95",
				      number(identity->taps.error[k])));
	json_object_set_new(object, "taps", list);
	json_object_set_new(object, "formula", json_boolean(identity->formula));
}

static void set_response(json_t *object, const struct identity *identity)
{
	const struct calibrated_response *response = &identity->response;

	set_estimate(object, "window_ms", response->equivalent_window_s, MS_PER_S);
	set_estimate(object, "lag_ms", response->equivalent_lag_s, MS_PER_S);
	set_estimate(object, "delay_ms", response->delay_s, MS_PER_S);
	set_estimate(object, "boxcar_ms", response->window_s, MS_PER_S);
	set_estimate(object, "tail_ms", response->tail_s, MS_PER_S);
	set_estimate(object, "idle_w", response->idle_w, 1);
	set_estimate(object, "step_w", response->step_w, 1);
	set_estimate(object, "noise_w", response->noise_w, 1);
	set_estimate(object, "timing_ms", response->timing_s, MS_PER_S);
	set_estimate(object, "gain", identity->gain, 1);
	json_object_set_new(object, "residual_w", number(response->residual_w));
	json_object_set_new(object, "at_edge", json_boolean(response->at_edge));
	if (identity->has_taps)
		set_taps(object, identity);
}

void identity_put_json(FILE *out, const struct identity *identity)
{
	const struct model_sensor *sensor = identity->sensor;
	json_t *object = json_object();
	char *text;

	set_text(object, "source", sensor->source);
	set_text(object, "device", sensor->device);
	set_text(object, "driver", sensor->driver);
	set_text(object, "domain", sensor->domain);
	set_text(object, "quantity", sensor->quantity);
	set_grid(object, identity);
	json_object_set_new(object, "trouble",
		identity->trouble ? json_string(identity->trouble) : json_null());
	json_object_set_new(object, "observations",
		json_integer(identity->observed ? identity->observed->len : 0));
	json_object_set_new(object, "left_out", json_integer(identity->left_out));
	if (!identity->trouble)
		set_response(object, identity);
	text = json_dumps(object, JSON_REAL_PRECISION(9));
	fputs(text, out);
	free(text);
	json_decref(object);
}
