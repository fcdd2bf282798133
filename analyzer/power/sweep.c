/* SPDX-License-Identifier: MIT */
#include "analyzer/power/sweep.h"

#include "analyzer/model/curve.h"

/* What is so since since_ns of a unit, or of the sum. */
struct present {
	uint64_t since_ns;
	int64_t active_uw, uncertain_uw, measured_uw;
	guint running;
	int known, needs;
	const struct model_state *state;
};

struct running {
	uint64_t end_ns;
	guint unit;
	int64_t power_uw, uncertain_uw;
};

struct power_sweep {
	const struct power_units *units;
	const int64_t *idle_uw;
	power_visitor *visitor;
	void *data;
	struct present *present; /* by unit, then the sum */
	GArray *running;         /* struct running, in any order */
	uint64_t first_end_ns;   /* of those running */
	guint next_step;
};

/* ---- stretches ---- */

static bool is_known(const struct present *present)
{
	return present->known >= present->needs;
}

static int64_t modelled_uw(const struct power_sweep *sweep, guint unit)
{
	return sweep->present[unit].running ? sweep->present[unit].active_uw : sweep->idle_uw[unit];
}

static void put_stretch(const struct power_sweep *sweep, guint unit, uint64_t now_ns)
{
	struct present *present = &sweep->present[unit];
	bool is_sum = unit == sweep->units->list->len;

	if (is_known(present) && now_ns > present->since_ns)
		sweep->visitor(sweep->data, unit,
			&(struct power_stretch){.begin_ns = present->since_ns,
				.end_ns = now_ns,
				.modelled_uw =
					is_sum ? present->active_uw : modelled_uw(sweep, unit),
				.uncertain_uw = present->uncertain_uw,
				.measured_uw = present->measured_uw,
				.busy = present->running != 0,
				.state = present->state});
	present->since_ns = now_ns;
}

/* Adds what a unit draws to the sum, or takes it away. */
static void add_to_sum(const struct power_sweep *sweep, guint unit, int sign)
{
	const struct present *present = &sweep->present[unit];
	struct present *sum = &sweep->present[sweep->units->list->len];

	sum->active_uw += sign * modelled_uw(sweep, unit);
	sum->uncertain_uw += sign * present->uncertain_uw;
	sum->measured_uw += sign * present->measured_uw;
	sum->known += sign * is_known(present);
}

struct power_sweep *power_sweep_new(
	const struct power_units *units, const int64_t *idle_uw, power_visitor *visitor, void *data)
{
	struct power_sweep *sweep = g_new0(struct power_sweep, 1);

	sweep->units = units;
	sweep->idle_uw = idle_uw;
	sweep->visitor = visitor;
	sweep->data = data;
	sweep->present = g_new0(struct present, units->list->len + 1);
	for (guint i = 0; i < units->list->len; i++) {
		sweep->present[i].needs = power_unit_at(units, i)->needs;
		add_to_sum(sweep, i, 1);
	}
	sweep->present[units->list->len].needs = (int)units->list->len;
	sweep->running = g_array_new(FALSE, FALSE, sizeof(struct running));
	sweep->first_end_ns = UINT64_MAX;
	return sweep;
}

/* Before and after a unit changes. */
static struct present *begin_change(const struct power_sweep *sweep, guint unit, uint64_t now_ns)
{
	put_stretch(sweep, unit, now_ns);
	put_stretch(sweep, sweep->units->list->len, now_ns);
	add_to_sum(sweep, unit, -1);
	return &sweep->present[unit];
}

static void end_change(const struct power_sweep *sweep, guint unit)
{
	add_to_sum(sweep, unit, 1);
}

/* ---- changes ---- */

static void take_step(struct power_sweep *sweep, const struct power_step *step)
{
	struct present *present = begin_change(sweep, step->unit, step->time_ns);

	present->known += step->known;
	present->measured_uw += step->power_uw;
	if (step->state)
		present->state = step->state;
	end_change(sweep, step->unit);
}

static void end_executions(struct power_sweep *sweep, uint64_t now_ns)
{
	sweep->first_end_ns = UINT64_MAX;
	for (guint i = sweep->running->len; i > 0; i--) {
		struct running running = g_array_index(sweep->running, struct running, i - 1);
		struct present *present;

		if (running.end_ns > now_ns) {
			sweep->first_end_ns = MIN(sweep->first_end_ns, running.end_ns);
			continue;
		}
		g_array_remove_index_fast(sweep->running, i - 1);
		present = begin_change(sweep, running.unit, now_ns);
		present->running--;
		present->active_uw -= running.power_uw;
		present->uncertain_uw -= running.uncertain_uw;
		end_change(sweep, running.unit);
	}
}

/* Makes all changes up to and at until_ns. */
static void go_on(struct power_sweep *sweep, uint64_t until_ns)
{
	const GArray *steps = sweep->units->steps;

	for (;;) {
		const struct power_step *step =
			MODEL_AT(steps, struct power_step, sweep->next_step);
		uint64_t step_ns = step ? step->time_ns : UINT64_MAX;

		if (MIN(step_ns, sweep->first_end_ns) > until_ns)
			return;
		if (sweep->first_end_ns <= step_ns && sweep->running->len) {
			end_executions(sweep, sweep->first_end_ns);
		} else if (step) {
			take_step(sweep, step);
			sweep->next_step++;
		} else {
			return;
		}
	}
}

void power_sweep_add(struct power_sweep *sweep, const struct execution_energy *attributed)
{
	const struct model_execution *execution = attributed->execution;
	guint unit = power_unit_of(sweep->units, execution);
	uint64_t length_ns = execution->end_ns - execution->begin_ns;
	struct running running = {.end_ns = execution->end_ns, .unit = unit};
	struct present *present;

	if (unit == MODEL_NONE || !length_ns)
		return;
	running.power_uw = (int64_t)curve_share(attributed->energy_nj, POWER_UW_PER_W, length_ns);
	if (power_unit_uncertain(power_unit_at(sweep->units, unit), attributed))
		running.uncertain_uw = running.power_uw;
	go_on(sweep, execution->begin_ns);
	present = begin_change(sweep, unit, execution->begin_ns);
	present->running++;
	present->active_uw += running.power_uw;
	present->uncertain_uw += running.uncertain_uw;
	end_change(sweep, unit);
	g_array_append_val(sweep->running, running);
	sweep->first_end_ns = MIN(sweep->first_end_ns, running.end_ns);
}

void power_sweep_end(struct power_sweep *sweep)
{
	go_on(sweep, UINT64_MAX);
	g_array_free(sweep->running, TRUE);
	g_free(sweep->present);
	g_free(sweep);
}
