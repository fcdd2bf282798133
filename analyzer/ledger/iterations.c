/* SPDX-License-Identifier: MIT */
#include "analyzer/ledger/iterations.h"

#include <math.h>

#include "analyzer/ledger/idle.h"
#include "analyzer/model/replays.h"
#include "analyzer/model/source.h"
#include "analyzer/model/spans.h"
#include "analyzer/numeric/bisect.h"

struct iterations *iterations_new(struct ledger *ledger, const char *name)
{
	struct iterations *iterations = g_new0(struct iterations, 1);

	iterations->ledger = ledger;
	iterations->list = g_array_new(FALSE, FALSE, sizeof(struct iteration));
	iterations->first = g_new0(guint, iterations_processes(iterations) + 1);
	iterations->found = g_new0(guint, iterations_processes(iterations) + 1);
	iterations->tables = g_ptr_array_new();
	iterations->unit = "";
	if (iterations_find(iterations, name))
		return iterations;
	iterations_free(iterations);
	return NULL;
}

void iterations_free(struct iterations *iterations)
{
	if (!iterations)
		return;
	for (guint i = 0; i < iterations->tables->len; i++)
		if (g_ptr_array_index(iterations->tables, i))
			table_free(g_ptr_array_index(iterations->tables, i));
	g_ptr_array_free(iterations->tables, TRUE);
	g_array_free(iterations->list, TRUE);
	g_free(iterations->first);
	g_free(iterations->found);
	g_free(iterations->name);
	g_free(iterations);
}

/* ---- adding ---- */

/* Whether an iteration of a process is the first one that ends after a time. */
static bool is_first_after(
	const struct iterations *iterations, uint32_t process, guint i, uint64_t time_ns)
{
	return i < iterations->first[process + 1] &&
	       iterations_at(iterations, i)->end_ns > time_ns &&
	       (i == iterations->first[process] ||
		       iterations_at(iterations, i - 1)->end_ns <= time_ns);
}

/* Executions mostly come in the order of time, so that the one before is in the same iteration or
 * in the one before. */
guint iterations_index(const struct iterations *iterations, uint32_t process, uint64_t time_ns)
{
	guint begin = iterations->first[process], end = iterations->first[process + 1];
	guint found = MAX(iterations->found[process], begin);

	if (!is_first_after(iterations, process, found, time_ns))
		found++;
	if (!is_first_after(iterations, process, found, time_ns))
		found = BISECT(i, begin, end, iterations_at(iterations, i)->end_ns > time_ns);
	iterations->found[process] = found;
	return found < end && iterations_at(iterations, found)->begin_ns <= time_ns
		       ? found
		       : iterations->list->len;
}

static struct table *table_at(struct iterations *iterations, guint row)
{
	if (row >= iterations->tables->len)
		g_ptr_array_set_size(iterations->tables, (gint)row + 1);
	if (!g_ptr_array_index(iterations->tables, row))
		g_ptr_array_index(iterations->tables, row) = table_new(sizeof(uint64_t));
	return g_ptr_array_index(iterations->tables, row);
}

void iterations_add(struct iterations *iterations, guint row,
	const struct execution_energy *attributed, uint64_t unmeasured_ns)
{
	const struct model *model = iterations->ledger->model;
	const struct model_execution *execution = attributed->execution;
	guint i = iterations_index(iterations, model_origin_of(model, execution)->process,
		model_launched_ns(execution));
	struct iteration *iteration;
	uint64_t *sum_nj;

	if (i == iterations->list->len) {
		iterations->outside.energy_nj += attributed->energy_nj;
		return;
	}
	iteration = iterations_at(iterations, i);
	iteration->energy_nj += attributed->energy_nj;
	iteration->done_ns = MAX(iteration->done_ns, execution->end_ns);
	iteration->busy_ns += execution->end_ns - execution->begin_ns;
	iteration->unmeasured_ns += unmeasured_ns;
	sum_nj = table_slot(table_at(iterations, row), i);
	if (sum_nj)
		*sum_nj += attributed->energy_nj;
}

/* ---- when all are added ---- */

static int by_time(gconstpointer a, gconstpointer b)
{
	const struct idle_switch *x = a, *y = b;

	return x->time_ns < y->time_ns ? -1 : x->time_ns > y->time_ns;
}

static struct idle_switch switch_at(void *switches, guint i)
{
	return *(const struct idle_switch *)mapped_array_at(switches, i);
}

static void add_idle(struct iterations *iterations)
{
	const struct ledger *ledger = iterations->ledger;
	guint count = iterations->list->len;
	struct mapped_array *all = mapped_array_new_unfailing(sizeof(struct idle_switch));
	uint64_t *idle_nj = g_new0(uint64_t, count + 1);

	for (guint process = 0; process < iterations_processes(iterations); process++) {
		for (guint i = iterations->first[process]; i < iterations->first[process + 1];
			i++) {
			const struct iteration *iteration = iterations_at(iterations, i);
			const struct idle_switch both[] = {{iteration->begin_ns, process, i},
				{iteration->end_ns, process, IDLE_NO_ACCOUNT}};

			mapped_array_append(all, &both[0]);
			mapped_array_append(all, &both[1]);
		}
	}
	mapped_array_sort(all, by_time);
	for (guint i = 0; i < ledger->sources->len; i++) {
		const struct idle_switches switches = {all->len, switch_at, all};

		if (g_array_index(ledger->sources, struct source, i).top_level)
			idle_split(ledger, i, &switches, iterations_processes(iterations), count,
				idle_nj);
	}
	for (guint i = 0; i < count; i++)
		iterations_at(iterations, i)->idle_nj = idle_nj[i];
	iterations->outside.idle_nj = idle_nj[count];
	mapped_array_free(all);
	g_free(idle_nj);
}

static void add_replays(struct iterations *iterations)
{
	const struct model *model = iterations->ledger->model;

	for (guint process = 0; process < iterations_processes(iterations); process++) {
		GArray *replays = replays_spans(model,
			g_array_index(model->processes, struct model_process, process).machine);

		for (guint i = iterations->first[process]; i < iterations->first[process + 1];
			i++) {
			struct iteration *iteration = iterations_at(iterations, i);

			iteration->replay_ns =
				spans_within(replays, iteration->begin_ns, iteration->end_ns);
		}
		g_array_free(replays, TRUE);
	}
}

bool iteration_is_whole(const struct iteration *iteration)
{
	return !ledger_notably_unmeasured(iteration->unmeasured_ns, iteration->busy_ns);
}

/* Sums over the iterations after the first of each process whose values are known (not NaN). */
struct steady_sums {
	double count, sum;
	double squares; /* the sum of (value - middle)² */
};

static struct steady_sums steady_sums_of(
	const struct iterations *iterations, const double *values, double middle)
{
	struct steady_sums steady = {0};

	for (guint process = 0; process < iterations_processes(iterations); process++) {
		for (guint i = iterations->first[process] + 1; i < iterations->first[process + 1];
			i++) {
			if (isnan(values[i]))
				continue;
			steady.count++;
			steady.sum += values[i];
			steady.squares += (values[i] - middle) * (values[i] - middle);
		}
	}
	return steady;
}

static double mean_of_firsts(const struct iterations *iterations, const double *values)
{
	double sum = 0, count = 0;

	for (guint process = 0; process < iterations_processes(iterations); process++) {
		if (iterations->first[process] == iterations->first[process + 1] ||
			isnan(values[iterations->first[process]]))
			continue;
		sum += values[iterations->first[process]];
		count++;
	}
	return sum / count;
}

static struct ledger_steps steps_of(const struct iterations *iterations, const double *energy_j)
{
	struct steady_sums steady = steady_sums_of(iterations, energy_j, 0);
	double mean_j = steady.count > 0 ? steady.sum / steady.count : NAN;

	steady = steady_sums_of(iterations, energy_j, mean_j);
	return (struct ledger_steps){.known = true,
		.first_j = mean_of_firsts(iterations, energy_j),
		.steady_j = mean_j,
		.spread_j = steady.count > 1 ? sqrt(steady.squares / (steady.count - 1)) : NAN};
}

static void merge(struct table *into, const struct table *from, guint count)
{
	for (guint i = 0; i < count; i++) {
		const uint64_t *part_nj = table_find(from, i);

		if (part_nj && *part_nj)
			*(uint64_t *)table_slot(into, i) += *part_nj;
	}
}

/* Sets the steps of each row, from the innermost layers outwards, so that energies include those of
 * layers inside. */
static void finish_rows(struct iterations *iterations)
{
	const GArray *rows = iterations->ledger->rows;
	guint count = iterations->list->len;
	double *energy_j = g_new(double, count + 1);

	for (guint i = rows->len; i > 0; i--) {
		struct ledger_node *node = g_array_index(rows, struct ledger_row, i - 1).node;
		struct table *table = table_at(iterations, i - 1);

		for (guint k = 0; k < count; k++) {
			const uint64_t *sum_nj = table_find(table, k);

			energy_j[k] = !iteration_is_whole(iterations_at(iterations, k)) ? NAN
				      : sum_nj ? (double)*sum_nj / 1e9
					       : 0;
		}
		node->steps = steps_of(iterations, energy_j);
		node->steps.known = node->all.energy_known;
		if (node->parent != LEDGER_NO_ROW)
			merge(table_at(iterations, node->parent), table, count);
	}
	g_free(energy_j);
}

void iterations_finish(struct iterations *iterations)
{
	guint count = iterations->list->len;
	double *values = g_new(double, count + 1);
	struct steady_sums steady;

	add_idle(iterations);
	add_replays(iterations);
	for (guint i = 0; i < count; i++) {
		const struct iteration *iteration = iterations_at(iterations, i);

		values[i] = iteration_is_whole(iteration)
				    ? (double)(iteration->energy_nj + iteration->idle_nj) / 1e9
				    : NAN;
	}
	iterations->steps = steps_of(iterations, values);
	iterations->steps.known = iterations->ledger->total.known;
	for (guint i = 0; i < count; i++) {
		const struct iteration *iteration = iterations_at(iterations, i);

		values[i] = !iteration_is_whole(iteration) ? NAN
			    : isnan(iteration->amount)     ? 0
							   : iteration->amount;
		iterations->partly += !iteration_is_whole(iteration);
	}
	steady = steady_sums_of(iterations, values, 0);
	iterations->steady_amount = steady.count > 0 ? steady.sum / steady.count : 0;
	g_free(values);
	if (iterations->ledger->rows->len &&
		g_array_index(iterations->ledger->rows, struct ledger_row, 0).node)
		finish_rows(iterations);
}
