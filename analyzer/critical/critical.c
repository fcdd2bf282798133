/* SPDX-License-Identifier: MIT */
#include "analyzer/critical/critical.h"

#include <math.h>
#include <string.h>

#include "analyzer/critical/bloat.h"
#include "analyzer/ledger/kernel_names.h"
#include "analyzer/ledger/row_name.h"
#include "analyzer/ledger/rows.h"
#include "analyzer/model/curve.h"

/* ---- names ---- */

/* The name of an origin's row; the caller frees it. */
typedef char *namer(const struct ledger *ledger, const struct kernel_names *kernels, guint origin);

static const struct model_origin *origin_at(const struct ledger *ledger, guint i)
{
	return &g_array_index(ledger->model->origins->list, struct model_origin, i);
}

static char *name_kernel(
	const struct ledger *ledger, const struct kernel_names *kernels, guint origin)
{
	(void)ledger;
	return g_strdup(kernels->label[origin]);
}

static char *name_layer(
	const struct ledger *ledger, const struct kernel_names *kernels, guint origin)
{
	const struct model_origin *of = origin_at(ledger, origin);

	(void)kernels;
	return layer_tree_path(ledger->layers,
		layer_tree_node(ledger->layers, model_process_of(ledger->model, of), of->layer));
}

static char *name_by(row_name *name, const struct ledger *ledger, guint origin)
{
	struct ledger_row row = {0};
	char *copy;

	name(ledger->model, origin_at(ledger, origin), &row);
	copy = row.shape && *row.shape ? g_strdup_printf("%s [%s]", row.name, row.shape)
				       : g_strdup(row.name);
	rows_clear(&row);
	return copy;
}

static char *name_stream(
	const struct ledger *ledger, const struct kernel_names *kernels, guint origin)
{
	(void)kernels;
	return name_by(row_name_stream, ledger, origin);
}

static char *name_device(
	const struct ledger *ledger, const struct kernel_names *kernels, guint origin)
{
	(void)kernels;
	return name_by(row_name_device, ledger, origin);
}

const char *const critical_bys[] = {"kernel", "layer", "stream", "device", "launch", NULL};
static namer *const namers[] = {name_kernel, name_layer, name_stream, name_device, name_kernel};

/* ---- rows ---- */

struct builder {
	struct critical_answer *answer;
	const struct critical_graph *graph;
	const char **names; /* by origin; equal ones are the same pointer */
	bool each;          /* a row for each execution */
	GHashTable *row_of; /* by name: index + 1 */
	GStringChunk *strings;
	guint next; /* execution to be visited */
};

static void name_origins(struct builder *builder, const char *by)
{
	const struct ledger *ledger = builder->answer->ledger;
	guint count = ledger->model->origins->list->len, which = 0;
	struct kernel_names *kernels = kernel_names_of(ledger->model);

	while (strcmp(critical_bys[which], by) != 0)
		which++;
	builder->each = strcmp(by, "launch") == 0;
	builder->names = g_new(const char *, count + 1);
	for (guint i = 0; i < count; i++) {
		char *name = namers[which](ledger, kernels, i);

		builder->names[i] = g_string_chunk_insert_const(builder->strings, name);
		g_free(name);
	}
	kernel_names_free(kernels);
}

static struct critical_row *row_of(struct builder *builder, const char *name)
{
	GArray *rows = builder->answer->rows;
	guint known =
		builder->each ? 0 : GPOINTER_TO_UINT(g_hash_table_lookup(builder->row_of, name));
	const struct critical_row fresh = {.name = known ? NULL : g_strdup(name),
		.slack_ns = UINT64_MAX,
		.energy_known = true};

	if (!known) {
		g_array_append_val(rows, fresh);
		known = rows->len;
		if (!builder->each)
			g_hash_table_insert(
				builder->row_of, (gpointer)name, GUINT_TO_POINTER(known));
	}
	return &g_array_index(rows, struct critical_row, known - 1);
}

static bool is_measured(const struct ledger *ledger, const struct model_origin *origin)
{
	return origin->gpu != MODEL_NONE && ledger->attribution->measured[origin->gpu];
}

/* An attribution_visitor: executions come in the order of the model. */
static void add_execution(void *data, const struct execution_energy *attributed)
{
	struct builder *builder = data;
	struct critical_answer *answer = builder->answer;
	const struct model_execution *execution = attributed->execution;
	const struct critical_node *node = critical_node_at(builder->graph, builder->next++);
	struct critical_row *row;
	uint64_t critical_nj;

	if (node->kind != CRITICAL_EXECUTION)
		return;
	row = row_of(builder, builder->names[execution->origin]);
	critical_nj = curve_share(
		attributed->energy_nj, node->critical_ns, execution->end_ns - execution->begin_ns);
	row->critical_ns += node->critical_ns;
	row->slack_ns = MIN(row->slack_ns, node->latest_end_ns - node->end_ns);
	row->critical_nj += critical_nj;
	row->energy_nj += attributed->energy_nj;
	row->energy_known &=
		is_measured(answer->ledger, origin_at(answer->ledger, execution->origin));
	answer->critical_nj += critical_nj;
	answer->energy_nj += attributed->energy_nj;
	answer->energy_known &= row->energy_known;
}

static int by_weight(gconstpointer a, gconstpointer b)
{
	const struct critical_row *x = a, *y = b;

	if (x->critical_ns != y->critical_ns)
		return x->critical_ns > y->critical_ns ? -1 : 1;
	if (x->slack_ns != y->slack_ns)
		return x->slack_ns < y->slack_ns ? -1 : 1;
	if (x->energy_nj != y->energy_nj)
		return x->energy_nj > y->energy_nj ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void make_rows(
	struct critical_answer *answer, const struct critical_graph *graph, const char *by)
{
	struct builder builder = {.answer = answer,
		.graph = graph,
		.row_of = g_hash_table_new(NULL, NULL),
		.strings = g_string_chunk_new(4096)};

	name_origins(&builder, by);
	attribution_visit(answer->ledger->attribution, add_execution, &builder);
	g_array_sort(answer->rows, by_weight);
	g_hash_table_destroy(builder.row_of);
	g_string_chunk_free(builder.strings);
	g_free(builder.names);
}

static void clear_row(gpointer data)
{
	g_free(((struct critical_row *)data)->name);
}

struct critical_answer *critical_answer_new(
	const struct ledger *ledger, const struct critical_question *question)
{
	struct critical_graph *graph = critical_graph_of(ledger->model);
	struct critical_answer *answer;
	bool fine = true;

	if (!graph)
		return NULL;
	answer = g_new0(struct critical_answer, 1);
	*answer = (struct critical_answer){.ledger = ledger,
		.span = graph->span,
		.pieces = critical_path(graph),
		.rows = g_array_new(FALSE, FALSE, sizeof(struct critical_row)),
		.energy_known = true,
		.bloat_j = NAN};
	g_array_set_clear_func(answer->rows, clear_row);
	if (question->tradeoffs)
		fine = bloat_find(
			graph, ledger->attribution, question->tradeoffs, &answer->bloat_j);
	if (fine)
		make_rows(answer, graph, question->by);
	critical_graph_free(graph);
	if (fine)
		return answer;
	critical_answer_free(answer);
	return NULL;
}

void critical_answer_free(struct critical_answer *answer)
{
	g_array_free(answer->rows, TRUE);
	g_free(answer);
}
