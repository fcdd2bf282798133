/* SPDX-License-Identifier: MIT */
#include "analyzer/power/search.h"

#include <math.h>
#include <string.h>

#include "analyzer/model/curve.h"
#include "analyzer/print/message.h"

#define LENGTH_MOST_S 1e9 /* longer windows are as if so long */
#define LIMIT_MOST_W 1e12 /* higher limits are as if so high */

/* ---- the layer ---- */

/* Whether a path is that of a layer, or of one inside it. */
static bool is_within(const char *path, const char *layer)
{
	size_t length = strlen(layer);

	return strncmp(path, layer, length) == 0 && (!path[length] || path[length] == '/');
}

/* Returns false, after an error message, where nothing ran in it. */
static bool choose_layer(struct power_search *search, const char *layer)
{
	const struct model *model = search->ledger->model;
	bool any = false;

	search->chosen = g_new0(bool, model->origins->list->len + 1);
	for (guint i = 0; i < model->origins->list->len; i++) {
		search->chosen[i] = is_within(causes_layer(search->causes, i), layer);
		any |= search->chosen[i];
	}
	if (any)
		power_units_restrict(search->units, search->chosen);
	else
		message_error("nothing ran in a layer \"%s\"; pwrtrace report --by layer lists "
			      "the layers",
			layer);
	return any;
}

/* ---- idle power ---- */

/* A power_visitor. */
static void add_idle(void *data, guint unit, const struct power_stretch *stretch)
{
	struct power_search *search = data;

	if (unit != search->sum && !stretch->busy)
		search->idle_ns[unit] += stretch->end_ns - stretch->begin_ns;
}

static void find_idle(struct power_search *search)
{
	const struct model *model = search->ledger->model;
	struct power_sweep *sweep =
		power_sweep_new(search->units, search->idle_uw, add_idle, search);

	for (guint i = 0; i < model->executions->len; i++)
		power_sweep_add(sweep,
			&(struct execution_energy){.execution = model_execution_at(model, i)});
	power_sweep_end(sweep);
	for (guint i = 0; i < search->sum; i++)
		search->idle_uw[i] = (int64_t)curve_share(power_unit_at(search->units, i)->idle_nj,
			POWER_UW_PER_W, search->idle_ns[i]);
}

/* ---- the first sweep ---- */

/* A power_visitor. */
static void observe(void *data, guint unit, const struct power_stretch *stretch)
{
	struct power_search *search = data;

	observation_add(&search->observations[unit], stretch);
}

/* An attribution_visitor. */
static void sweep_over(void *data, const struct execution_energy *attributed)
{
	power_sweep_add(((struct power_search *)data)->sweep, attributed);
}

/* Whether the domain that was asked for is a part of devices, as their memory. */
static bool is_of_parts(const struct ledger *ledger)
{
	bool part = false;

	for (guint i = 0; ledger->domain && i < ledger->sources->len; i++) {
		const struct source *source = &g_array_index(ledger->sources, struct source, i);

		part |= source->top_level && *source->sensor->part_of;
	}
	return part;
}

/* The limit of a unit, in uW: as it was last, or as given; INT64_MAX: not known.  Recorded limits
 * are those of whole devices. */
static int64_t limit_uw(
	const struct power_search *search, guint unit, size_t member, double given_w)
{
	const GArray *states =
		states_list(search->units->states, power_unit_at(search->units, unit)->gpu);

	if (isfinite(given_w))
		return llround(MIN(given_w, LIMIT_MOST_W) * POWER_UW_PER_W);
	if (is_of_parts(search->ledger))
		return INT64_MAX;
	for (guint i = states->len; i > 0; i--) {
		const char *state = states->data + (i - 1) * sizeof(struct model_state);
		uint32_t limit_mw = *(const uint32_t *)(const void *)(state + member);

		if (limit_mw != PWRTRACE_UNKNOWN_U32)
			return (int64_t)limit_mw * 1000;
	}
	return INT64_MAX;
}

/* The limit of the sum is the sum of the limits. */
static void find_limits(struct power_search *search, const struct power_question *question)
{
	const size_t members[LIMITS] = {offsetof(struct model_state, limit_mw),
		offsetof(struct model_state, edpp_limit_mw)};
	const double given_w[LIMITS] = {question->limit_w, question->edpp_w};
	struct observation *sum = &search->observations[search->sum];

	for (guint unit = 0; unit < search->sum; unit++) {
		struct observation *observation = &search->observations[unit];

		for (guint i = 0; i < LIMITS; i++) {
			int64_t uw = limit_uw(search, unit, members[i], given_w[i]);

			observation->limit_uw[i] = uw;
			sum->limit_uw[i] = uw == INT64_MAX || sum->limit_uw[i] == INT64_MAX
						   ? INT64_MAX
						   : sum->limit_uw[i] + uw;
		}
		observation->window_ns = power_unit_at(search->units, unit)->window_ns;
		sum->window_ns = MAX(sum->window_ns, observation->window_ns);
		observation->measures_ns = power_unit_at(search->units, unit)->measures_ns;
		sum->measures_ns = MAX(sum->measures_ns, observation->measures_ns);
	}
	sum->apart = search->units->apart_ns > 0;
	sum->measures_ns = MAX(
		sum->measures_ns, (uint64_t)((double)search->units->apart_ns / POWER_BLUR_MOST));
}

static void observe_all(struct power_search *search)
{
	for (guint unit = 0; unit <= search->sum; unit++)
		observation_begin(&search->observations[unit], search->lengths_ns);
	search->sweep = power_sweep_new(search->units, search->idle_uw, observe, search);
	attribution_visit(search->units->attribution, sweep_over, search);
	power_sweep_end(search->sweep);
}

/* ---- the second sweep ---- */

static void add_extremes(struct power_search *search)
{
	for (guint unit = 0; unit <= search->sum; unit++)
		for (guint i = 0; i < search->lengths_ns->len; i++) {
			const struct moving_window *window =
				observation_window(&search->observations[unit], i);
			uint64_t end_ns = window->highest.end_ns;

			if (window->highest.known)
				extremes_add(search->extremes,
					&(struct extreme){.unit = unit,
						.window = i,
						.span = {end_ns - window->length_ns, end_ns}});
		}
}

/* A power_visitor. */
static void observe_again(void *data, guint unit, const struct power_stretch *stretch)
{
	struct power_search *search = data;

	observation_add_buffers(&search->observations[unit], stretch);
	extremes_add_stretch(search->extremes, unit, stretch);
}

/* An attribution_visitor. */
static void sweep_again(void *data, const struct execution_energy *attributed)
{
	struct power_search *search = data;
	const struct model_execution *execution = attributed->execution;
	guint unit = power_unit_of(search->units, execution);

	power_sweep_add(search->sweep, attributed);
	if (unit == MODEL_NONE)
		return;
	extremes_add_execution(search->extremes, unit, attributed);
	if (!search->chosen || search->chosen[execution->origin])
		search->origin_nj[execution->origin] += attributed->energy_nj;
}

static void find_causes(struct power_search *search)
{
	for (guint unit = 0; unit <= search->sum; unit++)
		observation_begin_buffers(&search->observations[unit]);
	add_extremes(search);
	search->sweep = power_sweep_new(search->units, search->idle_uw, observe_again, search);
	attribution_visit(search->units->attribution, sweep_again, search);
	power_sweep_end(search->sweep);
}

/* ---- all of it ---- */

static GArray *lengths_of(const struct power_question *question)
{
	GArray *lengths_ns = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	const uint64_t ours_ns = POWER_SYNCHRONY_NS;

	for (guint i = 0; i < question->windows_s->len; i++) {
		double length_s = MIN(g_array_index(question->windows_s, double, i), LENGTH_MOST_S);
		uint64_t length_ns = MAX((uint64_t)llround(length_s * 1e9), 1);

		g_array_append_val(lengths_ns, length_ns);
	}
	g_array_append_val(lengths_ns, ours_ns);
	return lengths_ns;
}

static bool any_measured(const struct power_units *units)
{
	bool any = false;

	for (guint i = 0; i < units->list->len; i++)
		any |= power_unit_at(units, i)->measured;
	return any;
}

bool power_search(struct power_search *search, const struct ledger *ledger, struct causes *causes,
	const struct power_question *question)
{
	guint origins = ledger->model->origins->list->len;

	*search = (struct power_search){.ledger = ledger, .causes = causes};
	search->units = power_units_of(ledger->attribution);
	search->sum = search->units->list->len;
	if (!any_measured(search->units)) {
		message_error("no sensor measured the power of a device: what is estimated has no "
			      "peaks");
		return false;
	}
	search->idle_uw = g_new0(int64_t, search->sum + 1);
	search->idle_ns = g_new0(uint64_t, search->sum + 1);
	find_idle(search);
	if (question->layer && !choose_layer(search, question->layer))
		return false;
	search->lengths_ns = lengths_of(question);
	search->observations = g_new0(struct observation, search->sum + 1);
	search->extremes = extremes_new(search->sum);
	search->origin_nj = g_new0(uint64_t, origins + 1);
	find_limits(search, question);
	observe_all(search);
	find_causes(search);
	return true;
}

void power_search_clear(struct power_search *search)
{
	for (guint unit = 0; search->observations && unit <= search->sum; unit++)
		observation_clear(&search->observations[unit]);
	if (search->extremes)
		extremes_free(search->extremes);
	if (search->lengths_ns)
		g_array_unref(search->lengths_ns);
	g_free(search->idle_uw);
	g_free(search->idle_ns);
	g_free(search->observations);
	g_free(search->chosen);
	g_free(search->origin_nj);
	power_units_free(search->units);
}
