/* SPDX-License-Identifier: MIT */
#include "analyzer/compare/run.h"

#include <math.h>
#include <string.h>

#include "analyzer/compare/kernel_times.h"
#include "analyzer/ledger/work.h"
#include "analyzer/model/timeline.h"

/* What is summed of rows that are compared as one. */
struct row_sums {
	uint64_t executions, timed, energy_nj, time_ns, unmeasured_ns;
	double time_part95; /* half the 95 % interval of an execution's mean time, as a part of it;
			     * NaN: not known */
	double ci95_j;      /* NaN: not known */
	bool energy_known;
	struct state_sums state;
};

static double known_or_nan(double value)
{
	return value >= 0 ? value : NAN;
}

static void add_state(struct state_sums *sum, const struct state_sums *state)
{
	sum->clock_mhz_ns += state->clock_mhz_ns;
	sum->clock_ns += state->clock_ns;
	sum->throttled_ns += state->throttled_ns;
	sum->at_limit_ns += state->at_limit_ns;
	sum->reasons_ns += state->reasons_ns;
	sum->limit_mw_ns += state->limit_mw_ns;
	sum->limit_ns += state->limit_ns;
}

static struct figures figures_of(const struct row_sums *sums, double count)
{
	double measured_s = (double)(sums->time_ns - sums->unmeasured_ns) / 1e9;
	double energy_j = (double)sums->energy_nj / 1e9;
	struct figures figures = {.throttled = known_or_nan(state_throttled(&sums->state)),
		.at_limit = known_or_nan(state_at_limit(&sums->state))};

	figures.value[FIGURE_TIME] =
		sums->timed && count ? (double)sums->time_ns / 1e9 / count : NAN;
	figures.value[FIGURE_POWER] =
		sums->energy_known && measured_s > 0 ? energy_j / measured_s : NAN;
	figures.value[FIGURE_CLOCK] = known_or_nan(state_clock_mhz(&sums->state) * 1e6);
	figures.value[FIGURE_BUSY] = 1;
	figures.part95[FIGURE_TIME] = sums->time_part95;
	figures.part95[FIGURE_POWER] = sums->ci95_j / energy_j;
	figures.part95[FIGURE_CLOCK] = NAN;
	figures_complete(&figures);
	return figures;
}

static void add_row(struct compare_run *run, const struct run_row *row, const struct row_sums *sums)
{
	struct run_row complete = *row;

	complete.energy_j = sums->energy_known ? (double)sums->energy_nj / 1e9 : NAN;
	complete.figures = figures_of(sums, complete.count);
	g_array_append_val(run->rows, complete);
}

/* ---- alike rows ---- */

gboolean run_row_alike(gconstpointer a, gconstpointer b)
{
	const struct run_row *x = a, *y = b;

	return strcmp(x->by, y->by) == 0 && strcmp(x->name, y->name) == 0 &&
	       strcmp(x->shape, y->shape) == 0;
}

guint run_row_hash(gconstpointer row)
{
	const struct run_row *of = row;

	return (g_str_hash(of->by) * 31 + g_str_hash(of->name)) * 31 + g_str_hash(of->shape);
}

static void index_rows(struct compare_run *run)
{
	run->alike = g_hash_table_new(run_row_hash, run_row_alike);
	for (guint i = 0; i < run->rows->len; i++) {
		struct run_row *row = &g_array_index(run->rows, struct run_row, i);

		if (!g_hash_table_contains(run->alike, row))
			g_hash_table_add(run->alike, row);
	}
}

const struct run_row *compare_run_find(const struct compare_run *run, const struct run_row *wanted)
{
	return g_hash_table_lookup(run->alike, wanted);
}

/* ---- kernels ---- */

static const struct ledger_row *ledger_row_at(const struct ledger *ledger, guint i)
{
	return &g_array_index(ledger->rows, struct ledger_row, i);
}

/* A kernel with all its rows of the ledger, which are by device. */
struct kernel {
	struct run_row row;
	struct row_sums sums;
};

static void add_kernel(struct row_sums *sums, const struct ledger_row *row)
{
	sums->executions += row->executions;
	sums->timed += row->timed;
	sums->energy_nj += row->energy_nj;
	sums->time_ns += row->time_ns;
	sums->unmeasured_ns += row->unmeasured_ns;
	sums->ci95_j = hypot(sums->ci95_j, known_or_nan(row->ci95_j));
	sums->energy_known &= row->energy_known;
	add_state(&sums->state, &row->state);
}

/* The kernel of a row of the ledger: that of `found`, by its struct run_row, else made there and
 * behind `all`, which owns it. */
static struct kernel *kernel_of(GHashTable *found, GPtrArray *all, const struct ledger_row *row)
{
	struct kernel fresh = {.row = {.by = "kernel",
				       .name = row->name,
				       .short_name = row->short_name,
				       .shape = row->shape,
				       .left_out = true},
		.sums = {.energy_known = true}};
	struct kernel *kernel = g_hash_table_lookup(found, &fresh.row);

	if (!kernel) {
		kernel = g_memdup2(&fresh, sizeof(fresh));
		g_hash_table_insert(found, &kernel->row, kernel);
		g_ptr_array_add(all, kernel);
	}
	return kernel;
}

static void take_kernels(struct compare_run *run, const struct ledger *kernels,
	compare_passes *passes, const void *data)
{
	GHashTable *found = g_hash_table_new(run_row_hash, run_row_alike);
	GPtrArray *all = g_ptr_array_new_with_free_func(g_free);
	struct kernel_times *times = kernel_times_of(kernels->model);

	for (guint i = 0; i < kernels->rows->len; i++) {
		const struct ledger_row *row = ledger_row_at(kernels, i);
		struct kernel *kernel = kernel_of(found, all, row);

		add_kernel(&kernel->sums, row);
		kernel->row.modelled |= row->modelled;
		kernel->row.left_out &= !passes(data, kernels, row);
	}
	for (guint i = 0; i < all->len; i++) {
		struct kernel *kernel = g_ptr_array_index(all, i);

		kernel->row.count = (double)kernel->sums.timed;
		kernel->sums.time_part95 =
			kernel->row.modelled
				? NAN
				: kernel_times_part95(times, kernel->row.name, kernel->row.shape);
		add_row(run, &kernel->row, &kernel->sums);
	}
	kernel_times_free(times);
	g_ptr_array_free(all, TRUE);
	g_hash_table_destroy(found);
}

/* ---- layers ---- */

/* How often the layer of each row was opened (guint, by node of the tree); the caller frees it. */
static GArray *openings_of(const struct ledger *layers)
{
	GArray *counts = g_array_new(FALSE, TRUE, sizeof(guint));
	struct mapped_array *switches = layers->timeline ? layers->timeline->switches : NULL;

	for (guint i = 0; switches && i < switches->len; i++) {
		const struct timeline_switch *change = mapped_array_at(switches, i);
		uint32_t node;

		if (!change->opens)
			continue;
		node = layer_tree_node(layers->layers,
			&g_array_index(
				layers->model->processes, struct model_process, change->process),
			change->layer);
		if (counts->len <= node)
			g_array_set_size(counts, node + 1);
		g_array_index(counts, guint, node)++;
	}
	return counts;
}

/* The states of each row with those below it (struct state_sums); the caller frees it. */
static struct state_sums *states_with_inner(const struct ledger *layers)
{
	struct state_sums *states = g_new0(struct state_sums, layers->rows->len + 1);

	for (guint i = layers->rows->len; i > 0; i--) {
		const struct ledger_row *row = ledger_row_at(layers, i - 1);

		add_state(&states[i - 1], &row->state);
		if (row->node->parent != LEDGER_NO_ROW)
			add_state(&states[row->node->parent], &states[i - 1]);
	}
	return states;
}

static void take_layers(struct compare_run *run, const struct ledger *layers,
	compare_passes *passes, const void *data)
{
	GArray *openings = openings_of(layers);
	struct state_sums *states = states_with_inner(layers);

	/* Where no layer was ever opened, all is in none: that is the whole again. */
	for (guint i = 0; openings->len && i < layers->rows->len; i++) {
		const struct ledger_row *layer = ledger_row_at(layers, i);
		const struct ledger_sums *all = &layer->node->all;
		guint opened = layer->layer < openings->len
				       ? g_array_index(openings, guint, layer->layer)
				       : 0;
		struct run_row row = {.by = "layer",
			.name = layer->name,
			.short_name = layer->name,
			.shape = "",
			.count = (double)(opened ? opened : all->timed),
			.left_out = !passes(data, layers, layer)};

		add_row(run, &row,
			&(struct row_sums){.executions = all->executions,
				.timed = all->timed,
				.energy_nj = all->energy_nj,
				.time_ns = all->busy_ns,
				.unmeasured_ns = all->unmeasured_ns,
				.time_part95 = NAN,
				.ci95_j = known_or_nan(all->ci95_j),
				.energy_known = all->energy_known,
				.state = states[i]});
	}
	g_free(states);
	g_array_free(openings, TRUE);
}

/* ---- the whole ---- */

/* The part of the time of the devices that ran something in which they did. */
static double busy_part(const struct model *model, double wall_s)
{
	uint64_t *until_ns = g_new0(uint64_t, model->gpus->len + 1), busy_ns = 0;
	guint devices = 0;

	for (guint i = 0; i < model->executions->len; i++) {
		const struct model_execution *execution = model_execution_at(model, i);
		const struct model_origin *origin = model_origin_of(model, execution);
		uint64_t *until;

		if (origin->gpu == MODEL_NONE || origin->replayed || !model_is_timed(execution))
			continue;
		until = &until_ns[origin->gpu];
		devices += !*until;
		if (execution->end_ns > *until)
			busy_ns += execution->end_ns - MAX(execution->begin_ns, *until);
		*until = MAX(*until, execution->end_ns);
	}
	g_free(until_ns);
	return devices && wall_s > 0 ? (double)busy_ns / 1e9 / devices / wall_s : NAN;
}

static void take_total(struct compare_run *run)
{
	const struct ledger *kernels = run->kernels;
	struct work_cost cost = work_cost(kernels);
	struct row_sums sums = {0};
	struct figures *figures = &run->total.figures;
	double time_s = cost.partly_measured ? cost.recorded_s : cost.measured_s;

	for (guint i = 0; i < kernels->rows->len; i++)
		add_state(&sums.state, &ledger_row_at(kernels, i)->state);
	run->total = (struct run_row){
		.by = "total", .name = "total", .short_name = "total", .shape = "", .count = 1};
	run->partly_measured = kernels->total.known && cost.partly_measured;
	run->total.energy_j = kernels->total.known && !cost.partly_measured ? cost.measured_j : NAN;
	*figures = figures_of(&sums, 1);
	figures->value[FIGURE_TIME] = time_s > 0 ? time_s : NAN;
	figures->value[FIGURE_POWER] = run->total.energy_j / figures->value[FIGURE_TIME];
	figures->value[FIGURE_BUSY] = busy_part(kernels->model, time_s);
	/* A run does not say how much another would differ.  Its energy is measured: how sure it is
	 * which part of that belongs to what ran has nothing to do with it. */
	figures->part95[FIGURE_TIME] = figures->part95[FIGURE_POWER] =
		figures->part95[FIGURE_BUSY] = NAN;
	figures_complete(figures);
	run->conditions.limit_w = known_or_nan(state_limit_w(&sums.state));
	run->conditions.clock_hz = figures->value[FIGURE_CLOCK];
	run->conditions.throttled = figures->throttled;
	run->conditions.at_limit = figures->at_limit;
}

struct figures compare_run_per(const struct compare_run *run, double units)
{
	struct figures figures = run->total.figures;

	figures.value[FIGURE_TIME] /= units;
	figures_complete(&figures);
	return figures;
}

/* ---- work ---- */

static int by_marks(gconstpointer a, gconstpointer b)
{
	const struct work *x = a, *y = b;

	return x->marks > y->marks ? -1 : x->marks < y->marks;
}

static void take_work(struct compare_run *run)
{
	GArray *all = work_of(run->kernels, &(struct work){0});

	g_array_sort(all, by_marks);
	for (guint i = 0; i < all->len; i++) {
		const struct work *work = &g_array_index(all, struct work, i);
		struct run_work own = {work->name, work->unit, work->amount};

		if (!compare_run_work(run, work->unit))
			g_array_append_val(run->work, own);
	}
	g_array_free(all, TRUE);
}

const struct run_work *compare_run_work(const struct compare_run *run, const char *unit)
{
	for (guint i = 0; i < run->work->len; i++) {
		const struct run_work *work = &g_array_index(run->work, struct run_work, i);

		if (strcmp(work->unit, unit) == 0)
			return work;
	}
	return NULL;
}

double compare_run_amount(const struct compare_run *run, const char *unit)
{
	const struct run_work *work = compare_run_work(run, unit);

	return work ? work->amount : 0;
}

/* ---- conditions ---- */

static void add_text(GPtrArray *texts, const char *text)
{
	if (*text && !g_ptr_array_find_with_equal_func(texts, text, g_str_equal, NULL))
		g_ptr_array_add(texts, (gpointer)text);
}

static int by_text(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Joins and frees texts. */
static char *joined(GPtrArray *texts)
{
	char *text;

	g_ptr_array_sort(texts, by_text);
	g_ptr_array_add(texts, NULL);
	text = g_strjoinv(", ", (char **)texts->pdata);
	g_ptr_array_free(texts, TRUE);
	return text;
}

static void take_conditions(struct compare_run *run)
{
	const struct ledger *ledger = run->kernels;
	GPtrArray *devices = g_ptr_array_new(), *boards = g_ptr_array_new();
	GPtrArray *drivers = g_ptr_array_new(), *sensors = g_ptr_array_new();

	for (guint i = 0; i < ledger->model->origins->list->len; i++) {
		const struct model_gpu *gpu = model_gpu_at(ledger->model,
			&g_array_index(ledger->model->origins->list, struct model_origin, i));

		if (!gpu)
			continue;
		add_text(devices, gpu->name);
		add_text(boards, *gpu->uuid ? gpu->uuid : *gpu->pci ? gpu->pci : gpu->name);
	}
	for (guint i = 0; i < ledger->balances->len; i++) {
		const struct ledger_balance *balance =
			&g_array_index(ledger->balances, struct ledger_balance, i);

		if (!balance->summed)
			continue;
		add_text(drivers, balance->sensor->driver);
		add_text(sensors, balance->sensor->source);
	}
	run->conditions.device = joined(devices);
	run->conditions.board = joined(boards);
	run->conditions.driver = joined(drivers);
	run->conditions.sensor = joined(sensors);
}

/* ---- runs ---- */

struct compare_run *compare_run_new(const struct ledger *kernels, const struct ledger *layers,
	compare_passes *passes, const void *data)
{
	struct compare_run *run = g_new0(struct compare_run, 1);

	run->kernels = kernels;
	run->rows = g_array_new(FALSE, FALSE, sizeof(struct run_row));
	run->work = g_array_new(FALSE, FALSE, sizeof(struct run_work));
	take_kernels(run, kernels, passes, data);
	take_layers(run, layers, passes, data);
	index_rows(run);
	take_total(run);
	take_work(run);
	take_conditions(run);
	return run;
}

void compare_run_free(struct compare_run *run)
{
	g_hash_table_destroy(run->alike);
	g_array_free(run->rows, TRUE);
	g_array_free(run->work, TRUE);
	g_free(run->conditions.device);
	g_free(run->conditions.board);
	g_free(run->conditions.driver);
	g_free(run->conditions.sensor);
	g_free(run);
}
