/* SPDX-License-Identifier: MIT */
#include "analyzer/response/calibration/identify.h"

#include <stdlib.h>

#include "analyzer/model/source.h"
#include "analyzer/numeric/order.h"
#include "analyzer/response/calibration/gain.h"

#define READINGS_MIN 30 /* as many as calibrate_response needs */
#define FASTER 0.95     /* share of readings with a new value: the sensor may have more */
#define MEMORY 20       /* periods for which other executions may still affect readings */
#define SURE 3          /* standard deviations: beyond chance */
#define BETTER 0.9      /* of the residuals with a simpler timing: what a later one needs */
#define PRECISE 0.02    /* of the period: jitter of ticks that are not by chance on a grid */
#define AFTER 2         /* periods after the load's end in which readings still show it */
#define W_PER_MW 1e-3
#define J_PER_UJ 1e-6

/* ---- readings ---- */

static GArray *readings_of(const struct model_sensor *sensor, const struct load *load)
{
	GArray *readings = g_array_new(FALSE, FALSE, sizeof(struct update_reading));
	double unit = model_is_counter(sensor) ? J_PER_UJ : W_PER_MW;
	double cost_s = sensor->read_cost_ns == PWRTRACE_UNKNOWN_U64
				? 0
				: (double)sensor->read_cost_ns / 1e9;

	for (guint i = 0; i < sensor->readings->len; i++) {
		const struct model_reading *from =
			&g_array_index(sensor->readings, struct model_reading, i);
		double time_s = load_seconds(load, from->time_ns);
		struct update_reading reading = {
			time_s - cost_s / 2, time_s + cost_s / 2, unit * (double)from->value};

		g_array_append_val(readings, reading);
	}
	return readings;
}

/* The median distance of the elements, whose times are at this offset. */
static double usual_distance_s(const GArray *array, size_t offset)
{
	gsize bytes = g_array_get_element_size((GArray *)array);
	double *steps = g_new(double, array->len), middle = NAN;

	for (guint i = 1; i < array->len; i++)
		steps[i - 1] = *(double *)(array->data + i * bytes + offset) -
			       *(double *)(array->data + (i - 1) * bytes + offset);
	if (array->len > 1) {
		qsort(steps, array->len - 1, sizeof(*steps), order_doubles);
		middle = steps[(array->len - 1) / 2];
	}
	g_free(steps);
	return middle;
}

/* Readings that are closer together than the sensor was polled come from a buffer of the device,
 * with stamps of its own. */
static bool are_stamped(const struct identity *identity)
{
	return identity->sensor->poll_ns != PWRTRACE_UNKNOWN_U64 &&
	       identity->readings_s < 0.5e-9 * (double)identity->sensor->poll_ns;
}

/* Sets what the readings show of their timing.  Returns the updates (struct update); the caller
 * frees the array. */
static GArray *find_updates(struct identity *identity, const struct load *load)
{
	GArray *readings = readings_of(identity->sensor, load), *updates;

	identity->readings_s = usual_distance_s(readings, offsetof(struct update_reading, end_s));
	identity->stamped = are_stamped(identity);
	for (guint i = 0; identity->stamped && i < readings->len; i++) {
		struct update_reading *reading = &g_array_index(readings, struct update_reading, i);

		reading->begin_s = reading->end_s = (reading->begin_s + reading->end_s) / 2;
	}
	updates = updates_of(readings, identity->stamped);
	identity->updates_s = usual_distance_s(updates, offsetof(struct update, until_s));
	identity->every_reading = !identity->stamped && updates_share(updates, readings) > FASTER;
	g_array_free(readings, TRUE);
	return updates;
}

/* ---- observations ---- */

static double period_of(const struct identity *identity)
{
	return identity->has_grid ? identity->grid.period_s.value : identity->updates_s;
}

/* The timings: each returns the time of an update, or NaN where it is not known. */

static double on_grid(const struct grid *grid, const struct update *update)
{
	return grid_has(grid, update->until_s) ? update->until_s : NAN;
}

static double as_stamped(const struct grid *grid, const struct update *update)
{
	(void)grid;
	return update->until_s;
}

static double at_tick(const struct grid *grid, const struct update *update)
{
	double tick_s = grid_nearest_s(grid, update_middle_s(update));

	return tick_s < update->from_s - grid->jitter_s.high ||
			       tick_s > update->until_s + grid->jitter_s.high
		       ? NAN
		       : tick_s;
}

/* The sensor measures when it is read, and repeats its value when it is read again too soon. */
static double when_read(const struct grid *grid, const struct update *update)
{
	(void)grid;
	return update->until_s;
}

static const struct identity_timing timings[] = {
	{"on_grid", "stamps on the grid are true", true, true, on_grid},
	{"as_stamped", "all stamps are true", true, false, as_stamped},
	{"at_tick", "values are of their tick", false, true, at_tick},
	{"when_read", "values are of when they are read", false, false, when_read},
};

/* Whether only the load, and nothing else, can show in a reading at this time. */
static bool is_of_load(const struct load *load, double time_s, double period_s)
{
	const struct load_span *first = &g_array_index(load->on, struct load_span, 0);
	const struct load_span *last =
		&g_array_index(load->on, struct load_span, load->on->len - 1);

	return time_s >= first->begin_s - period_s && time_s <= last->end_s + AFTER * period_s &&
	       !load_is_spoiled(load, time_s - MEMORY * period_s, time_s);
}

static GArray *observe(const struct identity *identity, const struct identity_timing *timing,
	const struct load *load, const GArray *updates, guint *left_out)
{
	GArray *observations = g_array_new(FALSE, FALSE, sizeof(struct load_observation));
	bool counter = model_is_counter(identity->sensor);
	double before_s = NAN, before = 0, period_s = period_of(identity);

	for (guint i = 0; i < updates->len; i++) {
		const struct update *update = &UPDATE(updates, i);
		struct load_observation observation = {
			timing->time_s(&identity->grid, update), 0, update->value};
		bool known = !isnan(observation.time_s);
		double since_s = observation.time_s - before_s, gained = update->value - before;

		if (!known)
			++*left_out;
		if (counter) {
			observation.width_s = since_s;
			observation.power_w = gained / since_s;
			before_s = known ? observation.time_s : before_s;
			before = known ? update->value : before;
			known = since_s > period_s / 2 && gained >= 0;
		}
		if (known && is_of_load(load, observation.time_s, period_s))
			g_array_append_val(observations, observation);
	}
	return observations;
}

/* The timing with which the load explains the readings best; a later one must be clearly better. */
static const struct identity_timing *choose_timing(
	const struct identity *identity, const struct load *load, const GArray *updates)
{
	const struct identity_timing *best = NULL;
	double least_w = INFINITY;

	for (size_t i = 0; i < G_N_ELEMENTS(timings); i++) {
		guint left_out = 0;
		GArray *observations;
		double left_w;

		if (timings[i].stamped != identity->stamped ||
			(timings[i].needs_grid && !identity->has_grid))
			continue;
		observations = observe(identity, &timings[i], load, updates, &left_out);
		left_w = calibrate_least_w(observations, load->on, period_of(identity));
		g_array_free(observations, TRUE);
		if (!best || left_w < BETTER * least_w) {
			best = &timings[i];
			least_w = left_w;
		}
	}
	return best;
}

/* ---- all of it ---- */

/* Takes the taps of the shape, unless free taps fit significantly better: chi-square per degree of
 * freedom has a standard deviation of √(2 / n). */
static void choose_taps(
	struct identity *identity, const GArray *observations, const struct load *load)
{
	struct taps *taps = &identity->taps;
	double chance = SURE * sqrt(2.0 / observations->len);

	identity->has_taps = taps_fit(taps, &identity->response, observations, load->on);
	identity->formula = identity->has_taps && taps->fit > 1 - chance;
	if (identity->formula)
		taps_of_shape(taps, &identity->response.shape, taps->first_s, taps->step_s);
}

/* Whether the grid explains each update, and precisely.  Then the sensor ticks, even where values
 * of when they are read explain it better; else such values are on no grid. */
static bool ticks_precisely(const struct grid *grid, const GArray *updates)
{
	bool precise = grid->jitter_s.high < PRECISE * grid->period_s.value;

	for (guint i = 0; precise && i < updates->len; i++)
		precise = !isnan(at_tick(grid, &UPDATE(updates, i)));
	return precise;
}

static void find_response(struct identity *identity, const struct load *load, const GArray *updates)
{
	GArray *observations;

	identity->timing = choose_timing(identity, load, updates);
	observations = observe(identity, identity->timing, load, updates, &identity->left_out);
	identity->has_grid &= identity->timing->needs_grid || identity->stamped ||
			      ticks_precisely(&identity->grid, updates);
	if (observations->len < READINGS_MIN)
		identity->trouble = "too few new values while the load ran; let it run longer";
	else if (!calibrate_response(
			 &identity->response, observations, load->on, period_of(identity)))
		identity->trouble = "the load does not show in it; it measures something else";
	else if (!model_is_counter(identity->sensor))
		choose_taps(identity, observations, load);
	identity->observed = observations;
}

static void identify_sensor(
	struct identity *identity, const struct model_sensor *sensor, const struct load *load)
{
	GArray *updates;

	*identity = (struct identity){.sensor = sensor, .gain = ESTIMATE_UNKNOWN};
	if (sensor->readings->len < READINGS_MIN) {
		identity->trouble = "too few readings; let the load run longer";
		return;
	}
	updates = find_updates(identity, load);
	identity->has_grid = !identity->every_reading && grid_fit(&identity->grid, updates);
	find_response(identity, load, updates);
	g_array_free(updates, TRUE);
}

/* The device that a sensor measures and that ran something; MODEL_NONE where there is none. */
static guint gpu_of(const struct source *source, const struct model *model, struct load **loads)
{
	for (guint i = 0; i < model->gpus->len; i++)
		if (source->covers[i] && loads[i])
			return i;
	return MODEL_NONE;
}

/* The energy counter of the same domain; NULL: there is none. */
static const struct identity *reference_of(
	const GArray *identities, const struct identity *identity)
{
	for (guint i = 0; i < identities->len; i++) {
		const struct identity *other = &g_array_index(identities, struct identity, i);

		if (!other->trouble && model_is_counter(other->sensor) &&
			other->sensor->trace == identity->sensor->trace &&
			strcmp(other->sensor->device, identity->sensor->device) == 0 &&
			strcmp(other->sensor->domain, identity->sensor->domain) == 0)
			return other;
	}
	return NULL;
}

static void find_gains(GArray *identities)
{
	for (guint i = 0; i < identities->len; i++) {
		struct identity *identity = &g_array_index(identities, struct identity, i);
		const struct identity *reference;

		if (identity->trouble || model_is_counter(identity->sensor))
			continue;
		reference = reference_of(identities, identity);
		if (reference)
			identity->gain = gain_between(identity->observed, &identity->response,
				reference->observed, &reference->response);
	}
}

GArray *identify(const struct model *model, const struct load *given)
{
	GArray *identities = g_array_new(FALSE, TRUE, sizeof(struct identity));
	GArray *sources = sources_of(model, NULL);
	struct load **loads = g_new0(struct load *, model->gpus->len + 1);

	for (guint i = 0; i < model->gpus->len; i++)
		loads[i] = identify_load(model, i);
	for (guint i = 0; i < sources->len; i++) {
		const struct source *source = &g_array_index(sources, struct source, i);
		guint gpu = gpu_of(source, model, loads);
		const struct load *load = given || gpu == MODEL_NONE ? given : loads[gpu];
		struct identity identity;

		if (source->estimated || !load)
			continue;
		identify_sensor(&identity, source->sensor, load);
		g_array_append_val(identities, identity);
	}
	find_gains(identities);
	for (guint i = 0; i < model->gpus->len; i++)
		if (loads[i])
			load_free(loads[i]);
	g_free(loads);
	sources_free(sources);
	return identities;
}

void identities_free(GArray *identities)
{
	for (guint i = 0; i < identities->len; i++) {
		struct identity *identity = &g_array_index(identities, struct identity, i);

		if (identity->observed)
			g_array_free(identity->observed, TRUE);
	}
	g_array_free(identities, TRUE);
}
