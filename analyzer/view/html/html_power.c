/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "analyzer/model/curve.h"
#include "analyzer/model/hosts.h"
#include "analyzer/model/source.h"
#include "analyzer/view/html/html_charts.h"

/* Into how many parts the time is divided: some for each reading, and no more than can be drawn. */
#define PARTS_MIN 256
#define PARTS_MAX 32768
#define PARTS_OF_ALL 400000 /* of all series together */
#define PARTS_PER_READING 4

/* What a sensor of all recordings read, or a limit of a device: the least and the most power in
 * each part of the time; NaN: not known. */
struct series {
	char *device; /* with the host's name where there are several */
	const char *domain, *kind;
	bool limit;
	float *low_w, *high_w; /* [parts] */
};

struct curves {
	const struct html_page *page;
	GArray *series; /* struct series */
	guint parts;
	double part_ns;
};

/* The series of that device of a host, domain and kind, which is new where there is none. */
static struct series *series_of(struct curves *curves, const struct model_recording *recording,
	const char *device, const char *domain, const char *kind, bool limit)
{
	char *place = hosts_place(curves->page->ledger->model, recording->host);
	struct series fresh = {g_strconcat(device, place, NULL), domain, kind, limit, NULL, NULL};

	g_free(place);
	for (guint i = 0; i < curves->series->len; i++) {
		struct series *series = &g_array_index(curves->series, struct series, i);

		if (strcmp(series->device, fresh.device) == 0 &&
			strcmp(series->domain, domain) == 0 && strcmp(series->kind, kind) == 0) {
			g_free(fresh.device);
			return series;
		}
	}
	fresh.low_w = g_new(float, curves->parts);
	fresh.high_w = g_new(float, curves->parts);
	for (guint i = 0; i < curves->parts; i++)
		fresh.low_w[i] = fresh.high_w[i] = NAN;
	g_array_append_val(curves->series, fresh);
	return &g_array_index(curves->series, struct series, curves->series->len - 1);
}

/* Sets what was drawn from begin_ns to end_ns. */
static void add_power(const struct curves *curves, const struct series *series, double begin_ns,
	double end_ns, double power_w)
{
	float value = (float)(round(power_w * 10) / 10);
	guint first = (guint)fmax(begin_ns / curves->part_ns, 0);

	for (guint i = first; i < curves->parts && i * curves->part_ns < end_ns; i++) {
		series->low_w[i] = fminf(series->low_w[i], value);
		series->high_w[i] = fmaxf(series->high_w[i], value);
	}
}

static void add_sensor(struct curves *curves, const struct source *source)
{
	const char *kind = model_is_counter(source->sensor) ? "counter" : "readings";
	double zero_ns = (double)html_begin_ns(curves->page->gathering, source->recording->machine);
	GArray *curve = curve_of(source->sensor, &source->recording->span);
	const struct series *series = curve->len
					      ? series_of(curves, source->recording, source->device,
							source->sensor->domain, kind, false)
					      : NULL;

	for (guint i = 0; i < curve->len; i++) {
		const struct curve_interval *interval =
			&g_array_index(curve, struct curve_interval, i);
		double time_ns = (double)(interval->end_ns - interval->begin_ns);

		if (time_ns > 0)
			add_power(curves, series, (double)interval->begin_ns - zero_ns,
				(double)interval->end_ns - zero_ns,
				(double)interval->energy_nj / time_ns);
	}
	g_array_free(curve, TRUE);
}

/* Adds what a limit was while a state held. */
static void add_limit(struct curves *curves, const struct model_recording *recording,
	const char *device, const char *kind, uint32_t limit_mw, double begin_ns, double end_ns)
{
	if (limit_mw != PWRTRACE_UNKNOWN_U32)
		add_power(curves, series_of(curves, recording, device, "", kind, true), begin_ns,
			end_ns, limit_mw / 1e3);
}

static void add_limits(struct curves *curves, const struct model_state_sensor *sensor)
{
	const struct model_recording *recording = source_recording(
		curves->page->ledger->model, sensor->about.trace, sensor->about.process_number);
	double zero_ns, end_ns;

	if (!recording)
		return;
	zero_ns = (double)html_begin_ns(curves->page->gathering, recording->machine);
	for (guint i = 0; i < sensor->states->len; i++) {
		const struct model_state *state =
			&g_array_index(sensor->states, struct model_state, i);
		double begin_ns = (double)state->time_ns - zero_ns;

		end_ns = (double)(i + 1 < sensor->states->len ? state[1].time_ns
							      : recording->span.end_ns) -
			 zero_ns;
		add_limit(curves, recording, sensor->about.device, "limit of the mean power",
			state->limit_mw, begin_ns, end_ns);
		add_limit(curves, recording, sensor->about.device, "limit of peaks",
			state->edpp_limit_mw, begin_ns, end_ns);
	}
}

static guint parts_of(const struct ledger *ledger)
{
	guint series = ledger->sources->len + 2 * ledger->model->state_sensors->len;
	guint64 readings = 0;

	for (guint i = 0; i < ledger->sources->len; i++)
		readings += g_array_index(ledger->sources, struct source, i).sensor->readings->len;
	return (guint)CLAMP(PARTS_PER_READING * readings, PARTS_MIN,
		MIN(PARTS_MAX, PARTS_MIN + PARTS_OF_ALL / MAX(series, 1)));
}

/* Writes the columns, and describes and frees the series. */
static json_t *put_series(const struct curves *curves)
{
	GArray *low = g_array_new(FALSE, FALSE, sizeof(float));
	GArray *high = g_array_new(FALSE, FALSE, sizeof(float));
	json_t *list = json_array();

	for (guint i = 0; i < curves->series->len; i++) {
		const struct series *series = &g_array_index(curves->series, struct series, i);

		g_array_append_vals(low, series->low_w, curves->parts);
		g_array_append_vals(high, series->high_w, curves->parts);
		json_array_append_new(list,
			json_pack("{s:o, s:o, s:s, s:b}", "device", html_json_name(series->device),
				"domain", html_json_name(series->domain), "kind", series->kind,
				"limit", series->limit));
		g_free(series->device);
		g_free(series->low_w);
		g_free(series->high_w);
	}
	html_put_data(
		curves->page->out, "power-low-w", "Float32", low->data, low->len * sizeof(float));
	html_put_data(curves->page->out, "power-high-w", "Float32", high->data,
		high->len * sizeof(float));
	g_array_free(low, TRUE);
	g_array_free(high, TRUE);
	return list;
}

json_t *html_charts_power(const struct html_page *page)
{
	const struct ledger *ledger = page->ledger;
	struct curves curves = {.page = page,
		.series = g_array_new(FALSE, FALSE, sizeof(struct series)),
		.parts = parts_of(ledger)};
	json_t *list;

	curves.part_ns = (double)page->gathering->span_ns / curves.parts;
	for (guint i = 0; i < ledger->sources->len; i++) {
		const struct source *source = &g_array_index(ledger->sources, struct source, i);

		if (!source->estimated)
			add_sensor(&curves, source);
	}
	for (guint i = 0; i < ledger->model->state_sensors->len; i++)
		add_limits(&curves,
			&g_array_index(ledger->model->state_sensors, struct model_state_sensor, i));
	list = put_series(&curves);
	g_array_free(curves.series, TRUE);
	return json_pack("{s:o, s:i}", "list", list, "parts", (int)curves.parts);
}
