/* SPDX-License-Identifier: MIT */
/*
 * The linear program: for each node n its end x_n, and for each execution how far it moves along
 * each piece of its hull,
 *
 *	minimize    sum of slope * y
 *	subject to  x_n - (y of n) >= x_m + wait + least   for each arc from m to n
 *	            x_n - (y of n) >= launch + wait + least
 *	            0 <= y <= length of the piece, x_n <= end of the span
 *
 * with least the shortest duration of n and wait what was between its being ready and its begin.
 * Slopes grow along a hull, so the pieces fill in their order by themselves.
 */
#include "analyzer/critical/bloat.h"

#include <glpk.h>

#include "analyzer/critical/choices.h"
#include "analyzer/print/message.h"

/* So many take most of a minute; the time grows with their square. */
#define EXECUTIONS_MAX 10000

struct program {
	const struct critical_graph *graph;
	const struct choice_table *table;
	glp_prob *lp;
	double unit_s; /* of times, so that they are near 1 */
	int *first; /* by node: the column before its first piece; those of the next node follow */
	double *least; /* by node: its shortest duration, in units */
	double now_j, constant_j;
};

static double units(const struct program *program, uint64_t ns)
{
	return (double)ns / 1e9 / program->unit_s;
}

/* Columns are numbered from 1: first the ends, by node. */
static int end_column(guint node)
{
	return (int)node + 1;
}

static void add_choices(struct program *program, guint i)
{
	double now_j;
	struct choices choices = choices_of(program->table, i, &now_j);

	program->now_j += now_j;
	program->constant_j += choices.cost_j[0];
	program->least[i] = choices.time_s[0] / program->unit_s;
	for (guint k = 1; k < choices.count; k++) {
		double length = (choices.time_s[k] - choices.time_s[k - 1]) / program->unit_s;
		int column = glp_add_cols(program->lp, 1);

		glp_set_col_bnds(program->lp, column, GLP_DB, 0, length);
		glp_set_obj_coef(
			program->lp, column, (choices.cost_j[k] - choices.cost_j[k - 1]) / length);
	}
}

static void add_columns(struct program *program)
{
	const struct critical_graph *graph = program->graph;
	double span = units(program, graph->span.end_ns - graph->span.begin_ns);

	glp_add_cols(program->lp, (int)graph->nodes->len);
	for (guint i = 0; i < graph->nodes->len; i++) {
		const struct critical_node *node = critical_node_at(graph, i);

		program->first[i] = glp_get_num_cols(program->lp);
		glp_set_col_bnds(program->lp, end_column(i),
			node->kind == CRITICAL_EXECUTION ? GLP_UP : GLP_FR, 0, span);
		if (node->kind == CRITICAL_EXECUTION)
			add_choices(program, i);
	}
	program->first[graph->nodes->len] = glp_get_num_cols(program->lp);
}

/* Adds x_to - (y of to) - x_from >= least_units + wait + least; from MODEL_NONE: no x_from. */
static void add_row(struct program *program, guint from, guint to, double least_units)
{
	int columns[CHOICES_MAX + 2];
	double factors[CHOICES_MAX + 2];
	int count = 0, row = glp_add_rows(program->lp, 1);

	columns[++count] = end_column(to);
	factors[count] = 1;
	for (int piece = program->first[to] + 1; piece <= program->first[to + 1]; piece++) {
		columns[++count] = piece;
		factors[count] = -1;
	}
	if (from != MODEL_NONE) {
		columns[++count] = end_column(from);
		factors[count] = -1;
	}
	glp_set_mat_row(program->lp, row, count, columns, factors);
	glp_set_row_bnds(program->lp, row, GLP_LO,
		least_units +
			units(program, critical_delay_ns(critical_node_at(program->graph, to))) +
			program->least[to],
		0);
}

static void add_rows(struct program *program)
{
	const struct critical_graph *graph = program->graph;
	bool *hosted = g_new0(bool, graph->nodes->len + 1); /* a wait says when it is launched */

	for (guint i = 0; i < graph->arcs->len; i++) {
		const struct critical_arc *arc = critical_arc_at(graph, i);
		const struct critical_node *from = critical_node_at(graph, arc->from),
					   *to = critical_node_at(graph, arc->to);
		uint64_t held_ns = MIN(critical_release_ns(from, to), to->ready_ns);

		add_row(program, arc->from, arc->to,
			held_ns > from->end_ns ? units(program, held_ns - from->end_ns)
					       : -units(program, from->end_ns - held_ns));
		hosted[arc->to] |= from->kind == CRITICAL_WAIT;
	}
	for (guint i = 0; i < graph->nodes->len; i++) {
		const struct critical_node *node = critical_node_at(graph, i);
		uint64_t launched_ns = MIN(node->launched_ns, node->ready_ns);

		if (node->kind != CRITICAL_NOTHING && !hosted[i])
			add_row(program, MODEL_NONE, i,
				launched_ns > graph->span.begin_ns
					? units(program, launched_ns - graph->span.begin_ns)
					: 0);
	}
	g_free(hosted);
}

static double mean_time_s(const struct critical_graph *graph, guint *count)
{
	double sum_s = 0;

	*count = 0;
	for (guint i = 0; i < graph->model->executions->len; i++) {
		const struct critical_node *node = critical_node_at(graph, i);

		if (node->kind != CRITICAL_EXECUTION)
			continue;
		sum_s += (double)(node->end_ns - node->begin_ns) / 1e9;
		++*count;
	}
	return sum_s / *count;
}

/* Returns false after an error message. */
static bool solve(struct program *program, double *bloat_j)
{
	glp_smcp how;
	bool solved;

	glp_init_smcp(&how);
	how.msg_lev = GLP_MSG_OFF;
	how.presolve = GLP_ON;
	how.meth = GLP_DUALP;
	solved = glp_simplex(program->lp, &how) == 0 && glp_get_status(program->lp) == GLP_OPT;
	if (solved)
		*bloat_j = program->now_j - program->constant_j - glp_get_obj_val(program->lp);
	else
		message_error("the linear program of the energy bloat has no solution");
	return solved;
}

bool bloat_find(const struct critical_graph *graph, const struct attribution *attribution,
	const struct tradeoffs *tradeoffs, double *bloat_j)
{
	struct program program = {.graph = graph};
	struct choice_table *table;
	guint executions;
	bool found;

	program.unit_s = MAX(mean_time_s(graph, &executions), 1e-9);
	if (executions > EXECUTIONS_MAX) {
		message_error("%u executions are too many for their energy bloat, %d the most; "
			      "record fewer iterations",
			executions, EXECUTIONS_MAX);
		return false;
	}
	table = choice_table_new(graph, attribution, tradeoffs);
	if (!table)
		return false;
	program.table = table;
	program.lp = glp_create_prob();
	program.first = g_new0(int, graph->nodes->len + 1);
	program.least = g_new0(double, graph->nodes->len + 1);
	add_columns(&program);
	add_rows(&program);
	found = solve(&program, bloat_j);
	g_free(program.first);
	g_free(program.least);
	glp_delete_prob(program.lp);
	glp_free_env();
	choice_table_free(table);
	return found;
}
