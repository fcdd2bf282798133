/* SPDX-License-Identifier: MIT */
#include "analyzer/power/study.h"

#include <math.h>
#include <string.h>

#include "analyzer/power/search.h"
#include "analyzer/print/message.h"

#define FJ_PER_J 1e15
#define DEVIATION_MOST 0.1 /* of what is modelled */

static double energy_j(const struct observed_curve *curve)
{
	return (double)curve->total.energy_fj / FJ_PER_J;
}

/* The energy that executions drew on a unit, by origin; the caller frees it. */
static uint64_t *origins_of(const struct power_search *search, guint unit)
{
	const GArray *origins = search->ledger->model->origins->list;
	uint64_t *all_nj = g_new0(uint64_t, origins->len + 1);

	for (guint i = 0; i < origins->len; i++) {
		uint32_t gpu = g_array_index(origins, struct model_origin, i).gpu;

		if (unit == search->sum ||
			(gpu != MODEL_NONE && search->units->of_gpu[gpu] == unit))
			all_nj[i] = search->origin_nj[i];
	}
	return all_nj;
}

static GArray *causes_of_window(const struct power_search *search, guint unit, guint window)
{
	const struct extreme *extreme = extremes_find(search->extremes, unit, window);
	uint64_t *all_nj = origins_of(search, unit);
	GArray *causes =
		causes_of(search->causes, extreme->parts, (double)extreme->energy_fj / FJ_PER_J,
			all_nj, energy_j(&search->observations[unit].modelled));

	g_free(all_nj);
	return causes;
}

static struct power_window window_of(const struct power_search *search, guint unit, guint i)
{
	const struct observation *observation = &search->observations[unit];
	const struct moving_window *found = observation_window(observation, i);
	bool measured = observation_measures(observation, found->length_ns);
	struct power_window window = {.window_s = (double)found->length_ns / 1e9,
		.highest_w = NAN,
		.lowest_w = NAN,
		.ramp_w_per_s = NAN};

	if (measured || observation_told_apart(observation)) {
		window.highest_w = moving_w(found, &found->highest);
		window.lowest_w = moving_w(found, &found->lowest);
		window.ramp_w_per_s = moving_ramp_w_per_s(found);
	}
	if (isfinite(window.highest_w))
		window.kind = measured ? "measured" : "modelled";
	window.causes = isfinite(window.highest_w)
				? causes_of_window(search, unit, i)
				: g_array_new(FALSE, FALSE, sizeof(struct power_cause));
	return window;
}

/* Forgets what a model says against a longer window that is measured, by more than a tenth.  A
 * window of r times the length is made of floor(r) shorter ones at least and of ceil(r) at most, so
 * one of them has at least r / ceil(r) of its mean power, and one at most r / floor(r).  Idle power
 * is modelled as its mean, and a device may sleep. */
static void forget_contradicted(struct power_window *window, const struct power_window *longer)
{
	double ratio = longer->window_s / window->window_s;

	if (window->highest_w < (1 - DEVIATION_MOST) * longer->highest_w * ratio / ceil(ratio))
		window->highest_w = window->ramp_w_per_s = NAN;
	if (window->lowest_w > (1 + DEVIATION_MOST) * longer->lowest_w * ratio / floor(ratio))
		window->lowest_w = NAN;
}

static bool is_measured(const struct power_window *window)
{
	return window->kind && strcmp(window->kind, "measured") == 0;
}

static void compare_windows(GArray *windows)
{
	struct power_window *all = (struct power_window *)(void *)windows->data;

	for (guint i = 0; i < windows->len; i++) {
		for (guint k = 0; k < windows->len; k++)
			if (is_measured(&all[k]) && all[k].window_s > all[i].window_s)
				forget_contradicted(&all[i], &all[k]);
		if (isnan(all[i].highest_w)) {
			all[i].kind = NULL;
			g_array_set_size(all[i].causes, 0);
		}
	}
}

static int by_time(gconstpointer a, gconstpointer b)
{
	const struct power_throttle *x = a, *y = b;

	return (x->time_s < y->time_s) - (x->time_s > y->time_s);
}

static GArray *throttled_of(const struct power_search *search, guint unit)
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

static struct power_record record_of(
	const struct power_search *search, guint unit, const char *device, bool measured)
{
	const struct observation *observation = &search->observations[unit];
	bool modelled = observation_told_apart(observation);
	const struct observed_curve *curve =
		modelled ? &observation->modelled : &observation->measured;
	uint64_t known_ns = observation->measured.total.time_ns;
	/* A single mean that was measured says nothing of what varied within it. */
	bool varies = known_ns && (modelled || known_ns / 2 >= observation->window_ns);
	struct power_record record = {.device = g_strdup(device),
		.measured = measured,
		.mean_w = energy_j(&observation->measured) / ((double)known_ns / 1e9),
		.limit_w = limit_w(observation, LIMIT_TGP),
		.edpp_w = limit_w(observation, LIMIT_EDPP),
		.above_limit = above(observation, curve, LIMIT_TGP),
		.above_edpp = above(observation, curve, LIMIT_EDPP),
		.buffer_j = varies ? buffer_j(&curve->buffer) : NAN,
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
	compare_windows(record.windows);
	return record;
}

/* The peak over POWER_SYNCHRONY_NS. */
static double peak_w(const struct power_search *search, guint unit)
{
	struct power_window window = window_of(search, unit, search->lengths_ns->len - 1);

	g_array_free(window.causes, TRUE);
	return window.highest_w;
}

static void answer(struct power_study *study, const struct power_search *search)
{
	double peaks_w = 0;
	bool all = true;

	for (guint unit = 0; unit < search->sum; unit++) {
		const struct power_unit *of = power_unit_at(search->units, unit);
		struct power_record record = record_of(search, unit, of->name, of->measured);

		g_array_append_val(study->records, record);
		peaks_w += peak_w(search, unit);
		all &= of->measured;
	}
	if (!search->units->summable) {
		message_warn("the devices are of several machines, of which one did not record the "
			     "time of day: their powers are not summed");
		return;
	}
	study->sum = record_of(search, search->sum, "sum", all);
	study->coincidence = peak_w(search, search->sum) / peaks_w;
}

struct power_study *power_study_new(
	const struct ledger *ledger, const struct power_question *question)
{
	struct power_study *study = g_new0(struct power_study, 1);
	struct power_search search;
	bool found;

	study->ledger = ledger;
	study->records = g_array_new(FALSE, FALSE, sizeof(struct power_record));
	study->coincidence = NAN;
	study->causes = causes_new(ledger);
	found = power_search(&search, ledger, study->causes, question);
	if (found)
		answer(study, &search);
	power_search_clear(&search);
	if (found)
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
