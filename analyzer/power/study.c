/* SPDX-License-Identifier: MIT */
#include "analyzer/power/study.h"

#include <math.h>
#include <string.h>

#include "analyzer/model/curve.h"
#include "analyzer/power/extremes.h"
#include "analyzer/power/observation.h"
#include "analyzer/print/message.h"

#define LENGTH_MOST_S 1e9 /* longer windows are as if so long */

/* The work of finding an answer. */
struct search {
	struct power_study *study;
	struct power_units *units;
	guint sum;                        /* the unit that stands for all */
	GArray *lengths_ns;               /* uint64_t: those asked for, then POWER_SYNCHRONY_NS */
	int64_t *idle_uw;                 /* by unit */
	uint64_t *idle_ns;                /* by unit: the time in which nothing ran */
	struct observation *observations; /* by unit, then of the sum */
	struct extremes *extremes;
	struct power_sweep *sweep;
	bool *chosen;           /* by origin; NULL: all are */
	uint64_t *origin_nj;    /* by origin */
	uint64_t *uncertain_nj; /* by unit, then of the sum */
};

/* ---- the layer ---- */

/* Whether a path is that of a layer, or of one inside it. */
static bool is_within(const char *path, const char *layer)
{
	size_t length = strlen(layer);

	return strncmp(path, layer, length) == 0 && (!path[length] || path[length] == '/');
}

/* Returns false, after an error message, where nothing ran in it. */
static bool choose_layer(struct search *search, const char *layer)
{
	const struct model *model = search->study->ledger->model;
	bool any = false;

	search->chosen = g_new0(bool, model->origins->list->len + 1);
	for (guint i = 0; i < model->origins->list->len; i++) {
		search->chosen[i] = is_within(causes_layer(search->study->causes, i), layer);
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
	struct search *search = data;

	if (unit != search->sum && !stretch->busy)
		search->idle_ns[unit] += stretch->end_ns - stretch->begin_ns;
}

static void find_idle(struct search *search)
{
	const struct model *model = search->study->ledger->model;
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
	struct search *search = data;

	observation_add(&search->observations[unit], stretch);
}

/* An attribution_visitor. */
static void sweep_over(void *data, const struct execution_energy *attributed)
{
	power_sweep_add(((struct search *)data)->sweep, attributed);
}

/* The limit of a unit, in uW: as it was last, or as given; INT64_MAX: not known. */
static int64_t limit_uw(const struct search *search, guint unit, size_t member, double given_w)
{
	const GArray *states =
		states_list(search->units->states, power_unit_at(search->units, unit)->gpu);

	if (isfinite(given_w))
		return llround(given_w * POWER_UW_PER_W);
	for (guint i = states->len; i > 0; i--) {
		const char *state = states->data + (i - 1) * sizeof(struct model_state);
		uint32_t limit_mw = *(const uint32_t *)(const void *)(state + member);

		if (limit_mw != PWRTRACE_UNKNOWN_U32)
			return (int64_t)limit_mw * 1000;
	}
	return INT64_MAX;
}

/* The limit of the sum is the sum of the limits. */
static void find_limits(struct search *search, const struct power_question *question)
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
	}
}

static void observe_all(struct search *search)
{
	for (guint unit = 0; unit <= search->sum; unit++)
		observation_begin(&search->observations[unit], search->lengths_ns);
	search->sweep = power_sweep_new(search->units, search->idle_uw, observe, search);
	attribution_visit(search->units->attribution, sweep_over, search);
	power_sweep_end(search->sweep);
}

/* ---- the second sweep ---- */

static void add_extreme(struct search *search, guint unit, guint window, enum extreme_kind kind,
	const struct moving_extreme *found, uint64_t length_ns)
{
	if (found->known)
		extremes_add(search->extremes,
			&(struct extreme){.unit = unit,
				.window = window,
				.kind = kind,
				.span = {found->end_ns - length_ns, found->end_ns}});
}

static void add_extremes(struct search *search)
{
	for (guint unit = 0; unit <= search->sum; unit++)
		for (guint i = 0; i < search->lengths_ns->len; i++) {
			const struct moving_window *window =
				observation_window(&search->observations[unit], i);
			uint64_t length_ns = window->length_ns;

			add_extreme(search, unit, i, EXTREME_HIGHEST, &window->highest, length_ns);
			add_extreme(search, unit, i, EXTREME_LOWEST, &window->lowest, length_ns);
			add_extreme(search, unit, i, EXTREME_RAMP, &window->ramp, 2 * length_ns);
		}
}

/* A power_visitor. */
static void observe_again(void *data, guint unit, const struct power_stretch *stretch)
{
	struct search *search = data;

	observation_add_buffers(&search->observations[unit], stretch);
	extremes_add_stretch(search->extremes, unit, stretch);
}

/* Whether the readings do not tell its power from that of others. */
static bool is_uncertain(const struct fit *fit, const struct execution_energy *attributed)
{
	uint32_t class_index = fit && isfinite(attributed->static_part)
				       ? classes_find(fit->classes, attributed->execution)
				       : CLASSES_NONE;

	return class_index == CLASSES_NONE || fit->group_of[class_index] >= 0 ||
	       g_array_index(fit->classes->list, struct kernel_class, class_index).rare;
}

/* An attribution_visitor. */
static void sweep_again(void *data, const struct execution_energy *attributed)
{
	struct search *search = data;
	const struct model_execution *execution = attributed->execution;
	guint unit = power_unit_of(search->units, execution);
	bool uncertain;

	power_sweep_add(search->sweep, attributed);
	if (unit == MODEL_NONE)
		return;
	uncertain = is_uncertain(power_unit_at(search->units, unit)->fit, attributed);
	extremes_add_execution(search->extremes, unit, attributed, uncertain);
	if (search->chosen && !search->chosen[execution->origin])
		return;
	search->origin_nj[execution->origin] += attributed->energy_nj;
	search->uncertain_nj[unit] += uncertain ? attributed->energy_nj : 0;
	search->uncertain_nj[search->sum] += uncertain ? attributed->energy_nj : 0;
}

static void find_causes(struct search *search)
{
	add_extremes(search);
	for (guint unit = 0; unit <= search->sum; unit++)
		observation_begin_buffers(&search->observations[unit]);
	search->sweep = power_sweep_new(search->units, search->idle_uw, observe_again, search);
	attribution_visit(search->units->attribution, sweep_again, search);
	power_sweep_end(search->sweep);
}

/* ---- the answer ---- */

#define FJ_PER_J 1e15

static bool is_told_apart(
	const struct search *search, guint unit, guint window, enum extreme_kind kind)
{
	const struct extreme *extreme = extremes_find(search->extremes, unit, window, kind);

	return extreme && extreme_told_apart(extreme);
}

static double energy_j(const struct observed_curve *curve)
{
	return (double)curve->total.energy_fj / FJ_PER_J;
}

/* The energy that executions drew on a unit, by origin; the caller frees it. */
static uint64_t *origins_of(const struct search *search, guint unit)
{
	const GArray *origins = search->study->ledger->model->origins->list;
	uint64_t *all_nj = g_new0(uint64_t, origins->len + 1);

	for (guint i = 0; i < origins->len; i++) {
		uint32_t gpu = g_array_index(origins, struct model_origin, i).gpu;

		if (unit == search->sum ||
			(gpu != MODEL_NONE && search->units->of_gpu[gpu] == unit))
			all_nj[i] = search->origin_nj[i];
	}
	return all_nj;
}

static GArray *causes_of_window(const struct search *search, guint unit, guint window)
{
	const struct extreme *extreme =
		extremes_find(search->extremes, unit, window, EXTREME_HIGHEST);
	uint64_t *all_nj = origins_of(search, unit);
	GArray *causes = causes_of(search->study->causes, extreme->parts,
		(double)extreme->energy_fj / FJ_PER_J, all_nj,
		energy_j(&search->observations[unit].modelled));

	g_free(all_nj);
	return causes;
}

static struct power_window window_of(const struct search *search, guint unit, guint i)
{
	const struct observation *observation = &search->observations[unit];
	const struct moving_window *found = observation_window(observation, i);
	bool measured = observation_measures(observation, found->length_ns);
	struct power_window window = {.window_s = (double)found->length_ns / 1e9,
		.highest_w = NAN,
		.lowest_w = NAN,
		.ramp_w_per_s = NAN};

	if (measured || is_told_apart(search, unit, i, EXTREME_HIGHEST))
		window.highest_w = moving_w(found, &found->highest);
	if (measured || is_told_apart(search, unit, i, EXTREME_LOWEST))
		window.lowest_w = moving_w(found, &found->lowest);
	if (measured || is_told_apart(search, unit, i, EXTREME_RAMP))
		window.ramp_w_per_s = moving_ramp_w_per_s(found);
	if (isfinite(window.highest_w) || isfinite(window.lowest_w))
		window.kind = measured ? "measured" : "modelled";
	window.causes = isfinite(window.highest_w)
				? causes_of_window(search, unit, i)
				: g_array_new(FALSE, FALSE, sizeof(struct power_cause));
	return window;
}

static int by_time(gconstpointer a, gconstpointer b)
{
	const struct power_throttle *x = a, *y = b;

	return (x->time_s < y->time_s) - (x->time_s > y->time_s);
}

static GArray *throttled_of(const struct search *search, guint unit)
{
	const struct observation *observation = &search->observations[unit];
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct power_throttle));
	const char *source = unit == search->sum ? ""
						 : states_source(search->units->states,
							   power_unit_at(search->units, unit)->gpu);

	for (guint bit = 0; bit < OBSERVATION_REASONS; bit++) {
		const char *name = state_reason_name(source, bit);
		struct power_throttle throttle = {.share = (double)observation->reason_ns[bit] /
							   (double)observation->reasons_ns,
			.time_s = (double)observation->reason_ns[bit] / 1e9};

		if (!observation->reason_ns[bit])
			continue;
		throttle.reason = name ? g_strdup(name) : g_strdup_printf("reason %u", bit);
		g_array_append_val(all, throttle);
	}
	g_array_sort(all, by_time);
	return all;
}

static double limit_w(const struct observation *observation, guint limit)
{
	return observation->limit_uw[limit] == INT64_MAX
		       ? NAN
		       : (double)observation->limit_uw[limit] / POWER_UW_PER_W;
}

static double above(
	const struct observation *observation, const struct observed_curve *curve, guint limit)
{
	return observation->limit_uw[limit] == INT64_MAX
		       ? NAN
		       : (double)curve->above_ns[limit] / (double)curve->total.time_ns;
}

static struct power_record record_of(const struct search *search, guint unit, const char *device)
{
	const struct observation *observation = &search->observations[unit];
	bool modelled = (double)search->uncertain_nj[unit] / 1e9 <=
			POWER_UNCERTAIN_MOST * energy_j(&observation->modelled);
	const struct observed_curve *curve =
		modelled ? &observation->modelled : &observation->measured;
	uint64_t known_ns = observation->measured.total.time_ns;
	struct power_record record = {.device = g_strdup(device),
		.mean_w = energy_j(&observation->measured) / ((double)known_ns / 1e9),
		.limit_w = limit_w(observation, LIMIT_TGP),
		.edpp_w = limit_w(observation, LIMIT_EDPP),
		.above_limit = above(observation, curve, LIMIT_TGP),
		.above_edpp = above(observation, curve, LIMIT_EDPP),
		.buffer_j = known_ns ? buffer_j(&curve->buffer) : NAN,
		.kind = !known_ns  ? NULL
			: modelled ? "modelled"
				   : "measured",
		.windows = g_array_new(FALSE, FALSE, sizeof(struct power_window)),
		.throttled = throttled_of(search, unit)};

	/* The last length is ours. */
	for (guint i = 0; i + 1 < search->lengths_ns->len; i++) {
		struct power_window window = window_of(search, unit, i);

		g_array_append_val(record.windows, window);
	}
	return record;
}

/* The peak over POWER_SYNCHRONY_NS. */
static double peak_w(const struct search *search, guint unit)
{
	struct power_window window = window_of(search, unit, search->lengths_ns->len - 1);

	g_array_free(window.causes, TRUE);
	return window.highest_w;
}

static void answer(struct search *search)
{
	struct power_study *study = search->study;
	double peaks_w = 0;

	for (guint unit = 0; unit < search->sum; unit++) {
		struct power_record record =
			record_of(search, unit, power_unit_at(search->units, unit)->name);

		g_array_append_val(study->records, record);
		peaks_w += peak_w(search, unit);
	}
	if (!search->units->one_machine) {
		message_warn("the devices are of several machines, whose clocks cannot be "
			     "compared: their powers are not summed");
		return;
	}
	study->sum = record_of(search, search->sum, "sum");
	study->coincidence = peak_w(search, search->sum) / peaks_w;
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

static void search_all(struct search *search, const struct power_question *question)
{
	search->idle_uw = g_new0(int64_t, search->sum + 1);
	search->idle_ns = g_new0(uint64_t, search->sum + 1);
	find_idle(search);
	if (question->layer && !choose_layer(search, question->layer))
		return;
	search->lengths_ns = lengths_of(question);
	search->observations = g_new0(struct observation, search->sum + 1);
	search->extremes = extremes_new(search->sum);
	search->origin_nj = g_new0(uint64_t, search->study->ledger->model->origins->list->len + 1);
	search->uncertain_nj = g_new0(uint64_t, search->sum + 1);
	find_limits(search, question);
	observe_all(search);
	find_causes(search);
	answer(search);
	for (guint unit = 0; unit <= search->sum; unit++)
		observation_clear(&search->observations[unit]);
	extremes_free(search->extremes);
	g_array_unref(search->lengths_ns);
}

struct power_study *power_study_new(
	const struct ledger *ledger, const struct power_question *question)
{
	struct power_study *study = g_new0(struct power_study, 1);
	struct search search = {.study = study, .units = power_units_of(ledger->attribution)};

	study->ledger = ledger;
	study->records = g_array_new(FALSE, FALSE, sizeof(struct power_record));
	study->coincidence = NAN;
	study->causes = causes_new(ledger);
	search.sum = search.units->list->len;
	if (search.sum)
		search_all(&search, question);
	else
		message_error("no sensor measured the power of a device: what is estimated has no "
			      "peaks");
	g_free(search.idle_uw);
	g_free(search.idle_ns);
	g_free(search.observations);
	g_free(search.chosen);
	g_free(search.origin_nj);
	g_free(search.uncertain_nj);
	power_units_free(search.units);
	if (study->records->len)
		return study;
	power_study_free(study);
	return NULL;
}

static void clear_record(struct power_record *record)
{
	g_free(record->device);
	for (guint i = 0; record->windows && i < record->windows->len; i++)
		g_array_free(g_array_index(record->windows, struct power_window, i).causes, TRUE);
	for (guint i = 0; record->throttled && i < record->throttled->len; i++)
		g_free(g_array_index(record->throttled, struct power_throttle, i).reason);
	if (record->windows)
		g_array_free(record->windows, TRUE);
	if (record->throttled)
		g_array_free(record->throttled, TRUE);
}

void power_study_free(struct power_study *study)
{
	for (guint i = 0; i < study->records->len; i++)
		clear_record(&g_array_index(study->records, struct power_record, i));
	clear_record(&study->sum);
	g_array_free(study->records, TRUE);
	causes_free(study->causes);
	g_free(study);
}
