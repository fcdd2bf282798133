/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "analyzer/model/curve.h"
#include "analyzer/model/source.h"
#include "analyzer/view/html/html_charts.h"

/* Into how many parts the time is divided: some for each reading, and no more than can be drawn. */
#define PARTS_MIN 256
#define PARTS_MAX 32768
#define PARTS_OF_ALL 400000 /* of all sensors together */
#define PARTS_PER_READING 4

/* A power over time: the least and the most in each part; NaN: not known. */
struct series {
	float *low_w, *high_w; /* [parts] */
	guint parts;
	double part_ns;
};

static struct series series_new(guint parts, double part_ns)
{
	struct series series = {g_new(float, parts), g_new(float, parts), parts, part_ns};

	for (guint i = 0; i < parts; i++)
		series.low_w[i] = series.high_w[i] = NAN;
	return series;
}

/* Sets what was drawn from begin_ns to end_ns. */
static void add_power(struct series *series, double begin_ns, double end_ns, double power_w)
{
	float value = (float)(round(power_w * 10) / 10);
	guint first = (guint)fmax(begin_ns / series->part_ns, 0);

	for (guint i = first; i < series->parts && i * series->part_ns < end_ns; i++) {
		series->low_w[i] = fminf(series->low_w[i], value);
		series->high_w[i] = fmaxf(series->high_w[i], value);
	}
}

static struct series series_of_sensor(
	const struct html_page *page, const struct source *source, guint parts, double part_ns)
{
	struct series series = series_new(parts, part_ns);
	GArray *curve = curve_of(source->sensor, &source->recording->span);
	double zero_ns = (double)html_begin_ns(page->gathering, source->recording->machine);

	for (guint i = 0; i < curve->len; i++) {
		const struct curve_interval *interval =
			&g_array_index(curve, struct curve_interval, i);

		if (interval->end_ns > interval->begin_ns)
			add_power(&series, (double)interval->begin_ns - zero_ns,
				(double)interval->end_ns - zero_ns,
				(double)interval->energy_nj /
					(double)(interval->end_ns - interval->begin_ns));
	}
	g_array_free(curve, TRUE);
	return series;
}

static const struct model_recording *recording_of(
	const struct model *model, const struct model_sensor *sensor)
{
	return source_recording(model, sensor->trace, sensor->process_number);
}

/* The limit of a device's mean power. */
static struct series series_of_limit(const struct html_page *page,
	const struct model_state_sensor *sensor, guint parts, double part_ns)
{
	struct series series = series_new(parts, part_ns);
	const struct model_recording *recording = recording_of(page->ledger->model, &sensor->about);
	double zero_ns = recording ? (double)html_begin_ns(page->gathering, recording->machine) : 0;

	for (guint i = 0; i < sensor->states->len; i++) {
		const struct model_state *state =
			&g_array_index(sensor->states, struct model_state, i);
		double end_ns = i + 1 < sensor->states->len ? (double)state[1].time_ns - zero_ns
				: recording ? (double)recording->span.end_ns - zero_ns
					    : parts * part_ns;

		if (state->limit_mw != PWRTRACE_UNKNOWN_U32)
			add_power(&series, (double)state->time_ns - zero_ns, end_ns,
				state->limit_mw / 1e3);
	}
	return series;
}

/* Returns whether anything of a series is known, adds that to the columns, and frees it. */
static bool add_series(GArray *low, GArray *high, struct series *series)
{
	bool known = false;

	for (guint i = 0; i < series->parts; i++)
		known |= !isnan(series->low_w[i]);
	if (known) {
		g_array_append_vals(low, series->low_w, series->parts);
		g_array_append_vals(high, series->high_w, series->parts);
	}
	g_free(series->low_w);
	g_free(series->high_w);
	return known;
}

static json_t *describe(const char *device, const char *domain, const char *kind, bool limit)
{
	return json_pack("{s:o, s:o, s:o, s:b}", "device", html_json_name(device), "domain",
		html_json_name(domain), "sensor", html_json_name(kind), "limit", limit);
}

static guint parts_of(const struct ledger *ledger)
{
	guint series = ledger->sources->len + ledger->model->state_sensors->len;
	guint readings = 0;

	for (guint i = 0; i < ledger->sources->len; i++)
		readings = MAX(readings,
			g_array_index(ledger->sources, struct source, i).sensor->readings->len);
	return CLAMP(PARTS_PER_READING * (guint64)readings, PARTS_MIN,
		MIN(PARTS_MAX, PARTS_MIN + PARTS_OF_ALL / MAX(series, 1)));
}

json_t *html_charts_power(const struct html_page *page)
{
	const struct ledger *ledger = page->ledger;
	guint parts = parts_of(ledger);
	double part_ns = (double)page->gathering->span_ns / parts;
	GArray *low = g_array_new(FALSE, FALSE, sizeof(float));
	GArray *high = g_array_new(FALSE, FALSE, sizeof(float));
	json_t *list = json_array();

	for (guint i = 0; i < ledger->sources->len; i++) {
		const struct source *source = &g_array_index(ledger->sources, struct source, i);
		struct series series;

		if (source->estimated)
			continue;
		series = series_of_sensor(page, source, parts, part_ns);
		if (add_series(low, high, &series))
			json_array_append_new(list,
				describe(source->device, source->sensor->domain,
					model_is_counter(source->sensor) ? "counter" : "readings",
					false));
	}
	for (guint i = 0; i < ledger->model->state_sensors->len; i++) {
		const struct model_state_sensor *sensor =
			&g_array_index(ledger->model->state_sensors, struct model_state_sensor, i);
		struct series series = series_of_limit(page, sensor, parts, part_ns);

		if (add_series(low, high, &series))
			json_array_append_new(
				list, describe(sensor->about.device, "limit", "", true));
	}
	html_put_data(page->out, "power-low-w", "Float32", low->data, low->len * sizeof(float));
	html_put_data(page->out, "power-high-w", "Float32", high->data, high->len * sizeof(float));
	g_array_free(low, TRUE);
	g_array_free(high, TRUE);
	return json_pack("{s:o, s:i}", "list", list, "parts", (int)parts);
}
