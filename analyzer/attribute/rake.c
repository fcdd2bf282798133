/* SPDX-License-Identifier: MIT */
#include "analyzer/attribute/rake.h"

#include <math.h>
#include <string.h>

#include "analyzer/model/curve.h"
#include "analyzer/model/spans.h"
#include "analyzer/model/sweep.h"
#include "analyzer/numeric/apportion.h"

#define CELL_NS UINT64_C(5000000000) /* the longest cell */
#define PJ_PER_W_NS 1000.
#define PJ_PER_NJ 1000.

/* A block of time in which all energies are scaled by the same factor.  It is earlier than its
 * readings by their mean delay. */
struct cell {
	uint64_t begin_ns, end_ns, energy_nj;
	double predicted_nj; /* its energy by the readings that the fit predicts */
};

/* The energy of an execution in a cell before scaling, in pJ, and the static part of it.  There are
 * as many as executions in a cell. */
struct cell_share {
	double energy_pj;
	float static_pj;
	guint execution;
	struct kernel_class *class;
};

struct rake {
	const struct model *model;
	struct fit *fit;
	struct balance *balance;   /* or NULL */
	struct energies *energies; /* or NULL */
	GArray *cells;             /* struct cell */
	guint next;                /* the first cell that is not divided yet */
	struct sweep sweep;        /* own: the number in shares, counted from 1 */
	GArray *shares;            /* struct cell_share */
	/* uint64_t, in nJ: the cell's energy by share, and last that of idle time, of the program
	 * and of replays */
	GArray *parts;
	double idle_pj[2];
};

/* The energy of an interval by the predicted power of its reading; the measured energy, where the
 * fit does not use that reading.  *next: the first reading of the fit that may be the interval's.
 */
static double predicted_nj(
	const struct fit *fit, const struct curve_interval *interval, guint *next)
{
	const struct fitted_reading *readings = (const void *)fit->fitted->data;
	const struct fitted_reading *reading;

	while (*next < fit->fitted->len && readings[*next].time_ns < interval->end_ns)
		(*next)++;
	reading = &readings[*next];
	if (*next == fit->fitted->len || reading->time_ns > interval->end_ns ||
		!(reading->power_w > 0))
		return (double)interval->energy_nj;
	return (double)interval->energy_nj * reading->predicted_w / reading->power_w;
}

/* The mean delay between power and the readings that measure it: from the response of the fit, if
 * its sensor is of the same kind; else (the source fills holes) from the sensor's calibration, its
 * stated lag and window, or its period. */
static double lateness_ns(const struct source *source, const struct fit *fit)
{
	const struct model_sensor *sensor = source->sensor;
	const struct model_sensor *fitted = fit ? fit->source->sensor : NULL;
	struct response response;

	if (fitted && strcmp(sensor->source, fitted->source) == 0 &&
		strcmp(sensor->quantity, fitted->quantity) == 0)
		return response_mean_ns(&fit->response);
	if (response_of_taps(&response, sensor->taps))
		return response_mean_ns(&response);
	if (sensor->lag_ns != PWRTRACE_UNKNOWN_U64 && sensor->window_ns != PWRTRACE_UNKNOWN_U64)
		return (double)sensor->lag_ns + (double)sensor->window_ns / 2;
	return model_is_counter(sensor) ? 0 : (double)curve_period_ns(sensor) / 2;
}

int64_t rake_delay_ns(const struct source *source, const struct fit *fit)
{
	double delay_ns = lateness_ns(source, fit);

	if (!model_is_counter(source->sensor))
		delay_ns -= (double)curve_period_ns(source->sensor) / 2;
	return (int64_t)llround(delay_ns);
}

/* Divides the source's curve into cells (struct cell), which end at holes; a blurred interval is a
 * cell of its own. */
static GArray *cells_of(const struct source *source, const struct fit *fit)
{
	GArray *cells = g_array_new(FALSE, FALSE, sizeof(struct cell));
	int64_t delay_ns = rake_delay_ns(source, fit);
	struct cell *last = NULL;
	bool closed = true;
	guint next = 0;

	for (guint i = 0; i < source->curve->len; i++) {
		const struct curve_interval *interval =
			&g_array_index(source->curve, struct curve_interval, i);
		struct cell cell = {interval->begin_ns, interval->end_ns, interval->energy_nj,
			predicted_nj(fit, interval, &next)};

		if (!closed && !interval->blurred && last->end_ns == cell.begin_ns &&
			cell.end_ns - last->begin_ns <= CELL_NS) {
			last->end_ns = cell.end_ns;
			last->energy_nj += cell.energy_nj;
			last->predicted_nj += cell.predicted_nj;
		} else {
			g_array_append_val(cells, cell);
			last = &g_array_index(cells, struct cell, cells->len - 1);
		}
		closed = interval->blurred;
	}
	for (guint i = 0; i < cells->len; i++) {
		struct cell *cell = &g_array_index(cells, struct cell, i);
		bool after = i + 1 < cells->len && cell[1].begin_ns == cell->end_ns;

		if (after && (int64_t)(cell->end_ns - cell->begin_ns) > 2 * llabs(delay_ns))
			cell[1].begin_ns = cell->end_ns = cell->end_ns - (uint64_t)delay_ns;
	}
	return cells;
}

static const struct model_execution *execution_at(const struct rake *rake, guint i)
{
	return model_execution_at(rake->model, i);
}

/* The class of an execution.  Every execution on the devices of the fit's source has one. */
static struct kernel_class *class_of(const struct rake *rake, guint execution)
{
	const struct classes *classes = rake->fit->classes;
	uint32_t class_index = classes_find(classes, execution_at(rake, execution));

	g_assert(class_index != CLASSES_NONE);
	return &g_array_index(classes->list, struct kernel_class, class_index);
}

static struct cell_share *share_of(struct rake *rake, struct sweep_running *running)
{
	if (!running->own) {
		const struct cell_share fresh = {.execution = running->execution,
			.class = class_of(rake, running->execution)};

		g_array_append_val(rake->shares, fresh);
		running->own = rake->shares->len;
	}
	return &g_array_index(rake->shares, struct cell_share, running->own - 1);
}

/* Whether the program launched it, and not a replay. */
static bool is_program(const struct rake *rake, const struct cell_share *share)
{
	return !share->class->replayed ||
	       model_origin_of(rake->model, execution_at(rake, share->execution))->replayed ==
		       MODEL_OF_PROGRAM;
}

static double dynamic_w(const struct rake *rake, const struct cell_share *share)
{
	const struct fit *fit = rake->fit;
	double power_w = fit->power_w[share->class->column] +
			 influences_add_w(&fit->influences,
				 fit->power_w + fit->classes->columns.count, share->execution);

	return columns_part(&fit->classes->columns, execution_at(rake, share->execution)) *
	       MAX(power_w, 0);
}

/* What to add to the static energy of a time because the device slept in some of it: at most 0. */
static double slept_pj(const struct fit *fit, uint64_t begin_ns, uint64_t end_ns)
{
	double static_w = fit->power_w[fit->powers - 1];

	return fit->sleep ? (fit->sleep->power_w - static_w) * PJ_PER_W_NS *
				    (double)sleep_within(fit->sleep, begin_ns, end_ns)
			  : 0;
}

static void add_time(
	const struct rake *rake, const struct cell_share *share, double length_ns, guint running)
{
	struct kernel_class *class = share->class;
	double own_ns = length_ns / running;

	class->raked_ns += length_ns;
	class->static_ns += own_ns;
	if (!is_program(rake, share))
		return;
	class->program.raked_ns += length_ns;
	class->program.static_ns += own_ns;
}

/* Adds up the fitted energies of all executions in a cell, and of its idle time. */
static void collect(struct rake *rake, const struct cell *cell)
{
	const struct fit *fit = rake->fit;
	double static_w = fit->power_w[fit->powers - 1];

	for (uint64_t now_ns = cell->begin_ns; now_ns < cell->end_ns;) {
		uint64_t until_ns = sweep_step(&rake->sweep, now_ns, cell->end_ns);
		guint count = rake->sweep.count;
		double length_ns = (double)(until_ns - now_ns);
		double static_pj = static_w * length_ns * PJ_PER_W_NS / MAX(count, 1);

		if (!count)
			rake->idle_pj[rake->sweep.replaying] +=
				static_pj + slept_pj(fit, now_ns, until_ns);
		for (guint i = 0; i < count; i++) {
			struct cell_share *share = share_of(rake, &rake->sweep.running[i]);

			share->static_pj += (float)static_pj;
			share->energy_pj +=
				static_pj + dynamic_w(rake, share) * length_ns * PJ_PER_W_NS;
			if (rake->balance)
				add_time(rake, share, length_ns, count);
		}
		now_ns = until_ns;
	}
}

/* Adds energy to an execution.  Where it has energy already that was not divided by fitted powers,
 * its static part stays unknown. */
static void give(const struct rake *rake, const struct cell_share *share, uint64_t energy_nj)
{
	struct energy *energy = energies_at(rake->energies, share->execution);
	double static_nj = energy->energy_nj ? energy->static_part * (double)energy->energy_nj : 0;

	static_nj += share->energy_pj > 0
			     ? (double)energy_nj * (double)share->static_pj / share->energy_pj
			     : 0;
	energy->energy_nj += energy_nj;
	energy->static_part =
		energy->energy_nj ? (float)(static_nj / (double)energy->energy_nj) : 0;
}

/* Adds to the balance, and to the sums of the execution's class.  seen_part: the predicted energy
 * of the cell's readings divided by the fitted energy of what ran in it. */
static void add_energy(const struct rake *rake, const struct cell_share *share, uint64_t energy_nj,
	double seen_part)
{
	struct kernel_class *class = share->class;

	class->found_j += share->energy_pj / 1e12;
	class->seen_j += share->energy_pj * seen_part / 1e12;
	class->energy_j += (double)energy_nj / 1e9;
	if (!is_program(rake, share)) {
		rake->balance->replay_nj += energy_nj;
		return;
	}
	rake->balance->attributed_nj += energy_nj;
	class->program.energy_j += (double)energy_nj / 1e9;
}

/* Divides the energy of a cell in proportion to what has been collected. */
static void end_cell(struct rake *rake, const struct cell *cell)
{
	guint count = rake->shares->len;
	uint64_t *parts = (void *)g_array_set_size(rake->parts, count + 2)->data;
	double sum_pj = rake->idle_pj[false] + rake->idle_pj[true], scale;

	for (guint i = 0; i < count; i++)
		sum_pj += g_array_index(rake->shares, struct cell_share, i).energy_pj;
	if (sum_pj > 0) {
		scale = apportion_scale(sum_pj);
		for (guint i = 0; i < count; i++)
			parts[i] =
				(uint64_t)(scale * g_array_index(rake->shares, struct cell_share, i)
							   .energy_pj);
		for (guint i = 0; i < 2; i++)
			parts[count + i] = (uint64_t)(scale * rake->idle_pj[i]);
		apportion(cell->energy_nj, parts, count + 2, parts);
	} else {
		memset(parts, 0, (count + 2) * sizeof(*parts));
		parts[count + rake->sweep.replaying] = cell->energy_nj;
	}
	if (rake->energies && count) /* makes room for all at once */
		energies_at(rake->energies,
			g_array_index(rake->shares, struct cell_share, count - 1).execution);
	for (guint i = 0; i < count; i++) {
		const struct cell_share *share = &g_array_index(rake->shares, struct cell_share, i);

		if (rake->energies)
			give(rake, share, parts[i]);
		if (rake->balance)
			add_energy(rake, share, parts[i],
				sum_pj > 0 ? cell->predicted_nj * PJ_PER_NJ / sum_pj : 0);
	}
	for (guint i = 0; i < rake->sweep.count; i++)
		rake->sweep.running[i].own = 0;
	g_array_set_size(rake->shares, 0);
	memset(rake->idle_pj, 0, sizeof(rake->idle_pj));
	if (!rake->balance)
		return;
	rake->balance->measured_nj += cell->energy_nj;
	rake->balance->idle_nj += parts[count];
	rake->balance->replay_nj += parts[count + 1];
}

struct rake *rake_new(const struct model *model, const struct source *source, struct fit *fit,
	struct balance *balance, struct energies *energies)
{
	struct rake *rake = g_new0(struct rake, 1);

	rake->model = model;
	rake->fit = fit;
	rake->balance = balance;
	rake->energies = energies;
	rake->cells = cells_of(source, fit);
	rake->shares = g_array_new(FALSE, FALSE, sizeof(struct cell_share));
	rake->parts = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	sweep_begin(&rake->sweep, model, source);
	return rake;
}

void rake_until(struct rake *rake, uint64_t until_ns)
{
	for (; rake->next < rake->cells->len; rake->next++) {
		const struct cell *cell = &g_array_index(rake->cells, struct cell, rake->next);
		const struct model_span span = {cell->begin_ns, cell->end_ns};

		if (cell->begin_ns >= until_ns)
			return;
		collect(rake, cell);
		end_cell(rake, cell);
		if (rake->balance)
			g_array_append_val(rake->fit->raked, span);
	}
}

void rake_free(struct rake *rake)
{
	sweep_end(&rake->sweep);
	g_array_free(rake->shares, TRUE);
	g_array_free(rake->parts, TRUE);
	g_array_free(rake->cells, TRUE);
	g_free(rake);
}
