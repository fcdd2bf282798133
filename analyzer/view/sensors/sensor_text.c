/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "analyzer/print/text.h"
#include "analyzer/view/sensors/sensor_view.h"

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

void sensor_put_text(FILE *out, const struct identity *identity)
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
