/* SPDX-License-Identifier: MIT */
#include "analyzer/critical/choices.h"

#include <math.h>
#include <string.h>

#include "analyzer/critical/idle_energy.h"
#include "analyzer/ledger/kernel_names.h"
#include "analyzer/print/message.h"

/* The tradeoff of a kernel, in parts of what it takes and draws now. */
struct scaled {
	guint count;
	double time[CHOICES_MAX], energy[CHOICES_MAX];
};

struct choice_table {
	const struct critical_graph *graph;
	struct mapped_array *energy_nj; /* uint64_t, by execution */
	struct scaled *scaled;          /* by origin */
	double *idle_j;                 /* by execution: idle_energy.h */
};

/* ---- tradeoffs ---- */

/* The tradeoff of an origin's kernel, by its label, its name or its short name. */
static const GArray *find_tradeoff(
	const struct tradeoffs *tradeoffs, const struct kernel_names *names, guint origin)
{
	const char *const known[] = {
		names->label[origin], names->name[origin], names->short_name[origin]};
	const GArray *points = NULL;

	for (gsize i = 0; i < G_N_ELEMENTS(known) && !points; i++)
		points = tradeoffs_find(tradeoffs, known[i]);
	return points;
}

/* The mean time of an execution of each kernel, by origin; NaN: none is a node.  The caller frees
 * it. */
static double *mean_times(const struct critical_graph *graph, const struct kernel_names *names)
{
	const struct model *model = graph->model;
	double *sum_s = g_new0(double, names->origins + 1),
	       *count = g_new0(double, names->origins + 1);
	guint *first = g_new(guint, names->origins + 1);
	GHashTable *of_label = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < names->origins; i++) {
		gpointer known = g_hash_table_lookup(of_label, names->label[i]);

		first[i] = known ? GPOINTER_TO_UINT(known) - 1 : i;
		if (!known)
			g_hash_table_insert(
				of_label, (gpointer)names->label[i], GUINT_TO_POINTER(i + 1));
	}
	for (guint i = 0; i < model->executions->len; i++) {
		const struct critical_node *node = critical_node_at(graph, i);
		guint origin = first[model_execution_at(model, i)->origin];

		if (node->kind != CRITICAL_EXECUTION)
			continue;
		sum_s[origin] += (double)(node->end_ns - node->begin_ns) / 1e9;
		count[origin]++;
	}
	for (guint i = names->origins; i > 0; i--)
		sum_s[i - 1] = sum_s[first[i - 1]] / count[first[i - 1]];
	g_hash_table_destroy(of_label);
	g_free(first);
	g_free(count);
	return sum_s;
}

/* Without points, it stays as it is. */
static struct scaled scale(const GArray *points, double mean_s)
{
	struct scaled scaled = {.count = MAX(points->len, 1), .time = {1}, .energy = {1}};
	const struct tradeoff_point *now = (const void *)points->data;

	for (guint i = 0; i < points->len; i++) {
		const struct tradeoff_point *point =
			&g_array_index(points, struct tradeoff_point, i);

		if (fabs(point->time_s - mean_s) < fabs(now->time_s - mean_s))
			now = point;
	}
	for (guint i = 0; i < points->len; i++) {
		const struct tradeoff_point *point =
			&g_array_index(points, struct tradeoff_point, i);

		scaled.time[i] = point->time_s / now->time_s;
		scaled.energy[i] = point->energy_j / now->energy_j;
	}
	return scaled;
}

static int by_text(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Returns false after an error message where kernels (const char *) have no tradeoff. */
static bool check_missing(const struct tradeoffs *tradeoffs, GPtrArray *missing)
{
	char *all;

	if (!missing->len)
		return true;
	g_ptr_array_sort(missing, by_text);
	g_ptr_array_add(missing, NULL);
	all = g_strjoinv(", ", (char **)missing->pdata);
	message_error("%s has no curve of %s", tradeoffs->path, all);
	g_free(all);
	return false;
}

/* Returns false after an error message. */
static bool scale_all(struct choice_table *table, const struct tradeoffs *tradeoffs)
{
	struct kernel_names *names = kernel_names_of(table->graph->model);
	double *mean_s = mean_times(table->graph, names);
	GPtrArray *missing = g_ptr_array_new();
	bool fine = true;

	table->scaled = g_new0(struct scaled, names->origins + 1);
	for (guint i = 0; fine && i < names->origins; i++) {
		const GArray *points = find_tradeoff(tradeoffs, names, i);

		if (isnan(mean_s[i]))
			continue;
		if (points && points->len > CHOICES_MAX) {
			message_error("%s has %u points of %s; %d are the most", tradeoffs->path,
				points->len, names->label[i], CHOICES_MAX);
			fine = false;
		} else if (points) {
			table->scaled[i] = scale(points, mean_s[i]);
		} else if (!g_ptr_array_find(missing, names->label[i], NULL)) {
			g_ptr_array_add(missing, (gpointer)names->label[i]);
		}
	}
	fine = fine && check_missing(tradeoffs, missing);
	g_ptr_array_free(missing, TRUE);
	g_free(mean_s);
	kernel_names_free(names);
	return fine;
}

/* ---- energies ---- */

/* An attribution_visitor: executions come in the order of the model. */
static void add_energy(void *data, const struct execution_energy *attributed)
{
	mapped_array_append(((struct choice_table *)data)->energy_nj, &attributed->energy_nj);
}

/* Returns false after an error message. */
static bool check_powers(const struct choice_table *table)
{
	const struct model *model = table->graph->model;

	for (guint i = 0; i < model->executions->len; i++) {
		const struct model_gpu *gpu =
			model_gpu_at(model, model_origin_of(model, model_execution_at(model, i)));

		if (critical_node_at(table->graph, i)->kind != CRITICAL_EXECUTION ||
			isfinite(table->idle_j[i]))
			continue;
		message_error("the idle power of %s is not known, so the bloat is not: it was not "
			      "idle while its power was measured",
			gpu ? gpu->name : "an unknown device");
		return false;
	}
	return true;
}

struct choice_table *choice_table_new(const struct critical_graph *graph,
	const struct attribution *attribution, const struct tradeoffs *tradeoffs)
{
	struct choice_table *table = g_new0(struct choice_table, 1);

	table->graph = graph;
	table->energy_nj = mapped_array_new_unfailing(sizeof(uint64_t));
	table->idle_j = idle_energies_of(attribution);
	if (scale_all(table, tradeoffs) && check_powers(table)) {
		attribution_visit(attribution, add_energy, table);
		return table;
	}
	choice_table_free(table);
	return NULL;
}

void choice_table_free(struct choice_table *table)
{
	mapped_array_free(table->energy_nj);
	g_free(table->scaled);
	g_free(table->idle_j);
	g_free(table);
}

/* ---- hulls ---- */

/* Inserts a point behind those that take less time. */
static void insert(struct choices *choices, double time_s, double cost_j)
{
	guint i = choices->count++;

	for (; i > 0 && choices->time_s[i - 1] > time_s; i--) {
		choices->time_s[i] = choices->time_s[i - 1];
		choices->cost_j[i] = choices->cost_j[i - 1];
	}
	choices->time_s[i] = time_s;
	choices->cost_j[i] = cost_j;
}

/* Whether point b lies on or above the line from a to c. */
static bool is_above(const struct choices *choices, guint a, guint b, guint c)
{
	const double *t = choices->time_s, *e = choices->cost_j;

	return (e[b] - e[a]) * (t[c] - t[a]) >= (e[c] - e[a]) * (t[b] - t[a]);
}

/* Keeps the lower convex hull as far as it falls (Andrew's monotone chain). */
static void keep_hull(struct choices *choices)
{
	guint kept = 0;

	for (guint i = 0; i < choices->count; i++) {
		while (kept && choices->cost_j[i] < choices->cost_j[kept - 1] &&
			(choices->time_s[i] <= choices->time_s[kept - 1] ||
				(kept > 1 && is_above(choices, kept - 2, kept - 1, i))))
			kept--;
		if (kept && choices->cost_j[i] >= choices->cost_j[kept - 1])
			continue;
		choices->time_s[kept] = choices->time_s[i];
		choices->cost_j[kept++] = choices->cost_j[i];
	}
	choices->count = kept;
}

struct choices choices_of(const struct choice_table *table, guint execution, double *now_j)
{
	const struct model_execution *of = model_execution_at(table->graph->model, execution);
	const struct critical_node *node = critical_node_at(table->graph, execution);
	const struct scaled *scaled = &table->scaled[of->origin];
	const uint64_t *energy_nj = mapped_array_at(table->energy_nj, execution);
	double length_ns = (double)(of->end_ns - of->begin_ns);
	double node_ns = (double)(node->end_ns - node->begin_ns), time_s = node_ns / 1e9;
	/* Of a collective, from when all ranks had arrived. */
	double part = length_ns > 0 ? node_ns / length_ns : 0;
	double energy_j = part * (double)*energy_nj / 1e9;
	double idle_j = part * table->idle_j[execution];
	struct choices choices = {0};

	*now_j = energy_j - idle_j;
	for (guint i = 0; i < scaled->count; i++)
		insert(&choices, time_s * scaled->time[i],
			energy_j * scaled->energy[i] - idle_j * scaled->time[i]);
	keep_hull(&choices);
	return choices;
}
