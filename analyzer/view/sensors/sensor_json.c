/* SPDX-License-Identifier: MIT */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "analyzer/print/text.h"
#include "analyzer/view/sensors/sensor_view.h"

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

void sensor_put_json(FILE *out, const struct identity *identity)
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
