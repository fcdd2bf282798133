/* SPDX-License-Identifier: MIT */
#include "analyzer/power/unit.h"

#include <math.h>
#include <string.h>

#include "analyzer/attribute/rake.h"
#include "analyzer/model/curve.h"
#include "analyzer/model/hosts.h"
#include "analyzer/response/response.h"

static const struct source *source_at(const struct attribution *attribution, guint i)
{
	return &g_array_index(attribution->sources, struct source, i);
}

/* Whether it tells of the power of some device of the traces. */
static bool counts(const struct attribution *attribution, const struct source *source)
{
	return source->top_level && !source->estimated && source->curve->len &&
	       source_covers_any(attribution->model, source);
}

/* ---- units ---- */

/* Joins the devices of a source, and those that are joined with them.  joined: by device the first
 * of those that it is joined with; MODEL_NONE: none counts yet. */
static void join_devices(guint *joined, guint devices, const struct source *source)
{
	bool *touched = g_new0(bool, devices + 1);
	guint first = MODEL_NONE;

	for (guint gpu = 0; gpu < devices; gpu++) {
		if (!source->covers[gpu])
			continue;
		if (joined[gpu] == MODEL_NONE)
			joined[gpu] = gpu;
		touched[joined[gpu]] = true;
		first = MIN(first, joined[gpu]);
	}
	for (guint gpu = 0; gpu < devices; gpu++)
		if (joined[gpu] != MODEL_NONE && touched[joined[gpu]])
			joined[gpu] = first;
	g_free(touched);
}

/* By device, whether it ran something of the program.  g_free it. */
static bool *busy_devices(const struct model *model)
{
	const GArray *origins = model->origins->list;
	bool *busy = g_new0(bool, model->gpus->len + 1);

	for (guint i = 0; i < origins->len; i++) {
		const struct model_origin *origin = &g_array_index(origins, struct model_origin, i);

		if (origin->gpu != MODEL_NONE && origin->replayed == MODEL_OF_PROGRAM)
			busy[origin->gpu] = true;
	}
	return busy;
}

/* Makes a unit for each set of joined devices, and for each other one that ran something, whose
 * power must be known and never is. */
static void make_units(struct power_units *units)
{
	const struct attribution *attribution = units->attribution;
	const GArray *gpus = attribution->model->gpus;
	guint *joined = g_new(guint, gpus->len + 1);
	bool *busy = busy_devices(attribution->model);

	for (guint gpu = 0; gpu < gpus->len; gpu++)
		joined[gpu] = MODEL_NONE;
	for (guint i = 0; i < attribution->sources->len; i++)
		if (counts(attribution, source_at(attribution, i)))
			join_devices(joined, gpus->len, source_at(attribution, i));
	for (guint gpu = 0; gpu < gpus->len; gpu++) {
		const struct model_gpu *device = &g_array_index(gpus, struct model_gpu, gpu);
		bool measured = joined[gpu] != MODEL_NONE;
		struct power_unit unit = {.gpu = gpu,
			.measured = measured,
			.machine = device->machine,
			.needs = measured ? 1 : 2};

		if (measured ? joined[gpu] < gpu : !busy[gpu]) {
			units->of_gpu[gpu] = measured ? units->of_gpu[joined[gpu]] : MODEL_NONE;
			continue;
		}
		if (!measured)
			unit.name = g_strdup(*device->uuid  ? device->uuid
					     : *device->pci ? device->pci
							    : device->name);
		units->of_gpu[gpu] = units->list->len;
		g_array_append_val(units->list, unit);
	}
	g_free(busy);
	g_free(joined);
}

static guint unit_of_source(const struct power_units *units, const struct source *source)
{
	guint gpu = 0;

	while (!source->covers[gpu])
		gpu++;
	return units->of_gpu[gpu];
}

/* Whether a source is the first one of its domain of its device. */
static bool is_first(const struct attribution *attribution, guint i)
{
	for (guint k = 0; k < i; k++)
		if (counts(attribution, source_at(attribution, k)) &&
			source_measures_same(source_at(attribution, k), source_at(attribution, i)))
			return false;
	return true;
}

/* An unknown window is taken to be the period. */
static void add_blur(struct power_unit *unit, const struct source *source, const struct fit *fit)
{
	uint64_t period_ns = curve_period_ns(source->sensor), window_ns = source->sensor->window_ns;
	double deviation_ns;

	if (period_ns == PWRTRACE_UNKNOWN_U64)
		period_ns = 0;
	if (window_ns == PWRTRACE_UNKNOWN_U64)
		window_ns = period_ns;
	deviation_ns = (double)window_ns / sqrt(12);
	if (fit && fit->found.origin != RESPONSE_ASSUMED && fit->found.origin != RESPONSE_STATED) {
		window_ns = (uint64_t)response_window_ns(&fit->response);
		deviation_ns = response_deviation_ns(&fit->response);
	}
	deviation_ns = hypot(deviation_ns, (double)period_ns / sqrt(12));
	unit->window_ns = MAX(unit->window_ns, MAX(window_ns, period_ns));
	unit->measures_ns = MAX(unit->measures_ns, (uint64_t)(deviation_ns / POWER_BLUR_MOST));
}

static void name_unit(struct power_unit *unit, const char *device)
{
	char *longer =
		unit->name ? g_strdup_printf("%s + %s", unit->name, device) : g_strdup(device);

	g_free(unit->name);
	unit->name = longer;
}

/* By class; the caller frees it. */
static bool *uncertain_classes(const struct fit *fit)
{
	guint count = fit->classes->list->len;
	bool *uncertain = g_new(bool, count + 1);

	for (guint i = 0; i < count; i++)
		uncertain[i] = !(fit_class_off(fit, i) <= POWER_UNCERTAIN_MOST);
	return uncertain;
}

static void add_host(const struct power_units *units, struct power_unit *unit)
{
	const struct model *model = units->attribution->model;
	char *place = hosts_place(model, hosts_of_machine(model, unit->machine));
	char *longer = g_strconcat(unit->name, place, NULL);

	g_free(place);
	g_free(unit->name);
	unit->name = longer;
}

static void describe(struct power_units *units)
{
	const struct attribution *attribution = units->attribution;

	for (guint i = 0; i < attribution->sources->len; i++) {
		const struct source *source = source_at(attribution, i);
		const struct fit *fit = fit_of_source(attribution->fits, source);
		struct power_unit *unit;

		if (!counts(attribution, source))
			continue;
		unit = power_unit_at(units, unit_of_source(units, source));
		unit->idle_nj += attribution->balances[i].idle_nj;
		if (!source->fills)
			add_blur(unit, source, fit);
		if (!unit->fit && fit) {
			unit->fit = fit;
			unit->uncertain = uncertain_classes(fit);
		}
		if (!is_first(attribution, i))
			continue;
		unit->needs++;
		if (!unit->name || !strstr(unit->name, source->device))
			name_unit(unit, source->device);
	}
	for (guint i = 0; i < units->list->len; i++)
		add_host(units, power_unit_at(units, i));
}

bool power_unit_uncertain(const struct power_unit *unit, const struct execution_energy *attributed)
{
	uint32_t class_index = unit->fit && isfinite(attributed->static_part)
				       ? classes_find(unit->fit->classes, attributed->execution)
				       : CLASSES_NONE;

	return class_index == CLASSES_NONE || unit->uncertain[class_index];
}

/* ---- steps ---- */

static void add_step(struct power_units *units, const struct power_step *step)
{
	g_array_append_vals(units->steps, step, 1);
}

/* More is known, or less, from begin_ns to end_ns. */
static void add_stretch(struct power_units *units, guint unit, uint64_t begin_ns, uint64_t end_ns,
	int known, int64_t power_uw)
{
	add_step(units, &(struct power_step){begin_ns, unit, known, power_uw, NULL});
	add_step(units, &(struct power_step){end_ns, unit, -known, -power_uw, NULL});
}

static uint64_t earlier(uint64_t time_ns, int64_t delay_ns)
{
	return delay_ns > 0 && time_ns < (uint64_t)delay_ns ? 0 : time_ns - (uint64_t)delay_ns;
}

static void add_source(struct power_units *units, const struct source *source)
{
	int64_t delay_ns = rake_delay_ns(source, fit_of_source(units->attribution->fits, source));
	guint unit = unit_of_source(units, source);

	for (guint i = 0; i < source->curve->len; i++) {
		const struct curve_interval *interval =
			&g_array_index(source->curve, struct curve_interval, i);
		uint64_t length_ns = interval->end_ns - interval->begin_ns;

		if (!interval->blurred)
			add_stretch(units, unit, earlier(interval->begin_ns, delay_ns),
				earlier(interval->end_ns, delay_ns), 1,
				(int64_t)curve_share(
					interval->energy_nj, POWER_UW_PER_W, length_ns));
	}
}

/* All times are known, but those of replays. */
static void add_replays(struct power_units *units, guint unit)
{
	const struct attribution *attribution = units->attribution;

	add_stretch(units, unit, 0, UINT64_MAX, 1, 0);
	for (guint i = 0; i < attribution->sources->len; i++) {
		const struct source *source = source_at(attribution, i);

		if (!counts(attribution, source) || unit_of_source(units, source) != unit ||
			!source->replays)
			continue;
		for (guint k = 0; k < source->replays->len; k++) {
			const struct model_span *span =
				&g_array_index(source->replays, struct model_span, k);

			add_stretch(units, unit, span->begin_ns, span->end_ns, -1, 0);
		}
		return; /* those of a machine are the same for all of its sources */
	}
}

static void add_states(struct power_units *units, guint unit)
{
	const GArray *states = states_list(units->states, power_unit_at(units, unit)->gpu);

	for (guint i = 0; i < states->len; i++) {
		const struct model_state *state = &g_array_index(states, struct model_state, i);

		add_step(units, &(struct power_step){state->time_ns, unit, 0, 0, state});
	}
}

static int by_time(gconstpointer a, gconstpointer b)
{
	const struct power_step *x = a, *y = b;

	return x->time_ns < y->time_ns ? -1 : x->time_ns > y->time_ns;
}

/* Whether, and how well, the times of a unit can be compared with those of the first one. */
static void compare_times(struct power_units *units, guint unit)
{
	const char *first = power_unit_at(units, 0)->machine;
	const char *machine = power_unit_at(units, unit)->machine;

	units->summable &= hosts_share_axis(units->attribution->model, first, machine);
	if (strcmp(first, machine) != 0)
		units->apart_ns = POWER_DAYS_APART_NS;
}

struct power_units *power_units_of(const struct attribution *attribution)
{
	struct power_units *units = g_new0(struct power_units, 1);

	units->attribution = attribution;
	units->summable = true;
	units->list = g_array_new(FALSE, TRUE, sizeof(struct power_unit));
	units->steps = g_array_new(FALSE, FALSE, sizeof(struct power_step));
	units->states = states_of(attribution->model);
	units->of_gpu = g_new(guint, attribution->model->gpus->len + 1);
	make_units(units);
	describe(units);
	for (guint i = 0; i < attribution->sources->len; i++)
		if (counts(attribution, source_at(attribution, i)))
			add_source(units, source_at(attribution, i));
	for (guint i = 0; i < units->list->len; i++) {
		add_replays(units, i);
		add_states(units, i);
		compare_times(units, i);
	}
	g_array_sort(units->steps, by_time);
	return units;
}

static void clear_unit(struct power_unit *unit)
{
	g_free(unit->name);
	g_free(unit->uncertain);
}

void power_units_free(struct power_units *units)
{
	for (guint i = 0; i < units->list->len; i++)
		clear_unit(power_unit_at(units, i));
	g_array_free(units->list, TRUE);
	g_array_free(units->steps, TRUE);
	states_free(units->states);
	g_free(units->of_gpu);
	g_free(units);
}

/* ---- restricting ---- */

/* Of a unit: the executions of chosen origins between two others. */
struct stretch {
	bool open;
	struct model_span span;
	uint64_t closed_ns; /* the end of those before */
};

static void close_stretch(struct power_units *units, guint unit, struct stretch *stretch)
{
	uint64_t begin_ns = MAX(stretch->span.begin_ns, stretch->closed_ns);

	if (!stretch->open)
		return;
	if (begin_ns < stretch->span.end_ns)
		add_stretch(units, unit, begin_ns, stretch->span.end_ns, 1, 0);
	stretch->closed_ns = MAX(stretch->closed_ns, stretch->span.end_ns);
	stretch->open = false;
}

static void lengthen(struct stretch *stretch, const struct model_execution *execution)
{
	if (!stretch->open)
		stretch->span = (struct model_span){execution->begin_ns, execution->end_ns};
	stretch->open = true;
	stretch->span.end_ns = MAX(stretch->span.end_ns, execution->end_ns);
}

void power_units_restrict(struct power_units *units, const bool *chosen)
{
	const struct model *model = units->attribution->model;
	struct stretch *stretches = g_new0(struct stretch, units->list->len + 1);

	for (guint i = 0; i < model->executions->len; i++) {
		const struct model_execution *execution = model_execution_at(model, i);
		guint unit = power_unit_of(units, execution);

		if (unit == MODEL_NONE || !model_is_timed(execution))
			continue;
		if (chosen[execution->origin])
			lengthen(&stretches[unit], execution);
		else
			close_stretch(units, unit, &stretches[unit]);
	}
	for (guint i = 0; i < units->list->len; i++) {
		close_stretch(units, i, &stretches[i]);
		power_unit_at(units, i)->needs++;
	}
	g_free(stretches);
	g_array_sort(units->steps, by_time);
}
