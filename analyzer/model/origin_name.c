/* SPDX-License-Identifier: MIT */
#include "analyzer/model/origin_name.h"

#include <string.h>

#include "analyzer/name/kernel_name.h"

char *origin_name_kernel_shape(
	const struct model_kernel *kernel, const struct model_exchange *exchange)
{
	GString *text = g_string_new(NULL);
	int last = kernel->global[2] > 1 ? 2 : kernel->global[1] > 1 ? 1 : 0;

	for (int i = 0; i <= last; i++)
		g_string_append_printf(
			text, "%s%" G_GUINT64_FORMAT, i ? "×" : "", kernel->global[i]);
	if (kernel->local[0]) {
		g_string_append(text, " /");
		for (int i = 0; i <= last; i++)
			g_string_append_printf(text, "%s%u", i ? "×" : "", kernel->local[i]);
	}
	if (model_shared_bytes(kernel))
		g_string_append_printf(text, " %u B", model_shared_bytes(kernel));
	if (exchange) {
		char *name = collective_name(exchange);

		g_string_append_printf(text, ", %s", name);
		g_free(name);
	}
	return g_string_free(text, FALSE);
}

char *origin_name_memory_shape(const char *kind, uint64_t bytes)
{
	if (bytes == PWRTRACE_UNKNOWN_U64)
		return g_strdup(kind);
	return g_strdup_printf("%s %" G_GUINT64_FORMAT " B", kind, bytes);
}

/* ---- graphs ---- */

#define GRAPH_NAMES 3 /* names of nodes in the name of a graph */

/* The nodes of a graph that have one name. */
struct member {
	char *name;
	bool memory;
	uint64_t count;
};

/* Kernels first, then the most numerous, then by name. */
static int by_rank(gconstpointer a, gconstpointer b)
{
	const struct member *x = a, *y = b;

	if (x->memory != y->memory)
		return x->memory ? 1 : -1;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void add_member(GArray *members, char *name, bool memory, uint64_t count)
{
	struct member fresh = {name, memory, count};

	for (guint i = 0; i < members->len; i++) {
		struct member *known = &g_array_index(members, struct member, i);

		if (known->memory == memory && strcmp(known->name, name) == 0) {
			known->count += count;
			g_free(name);
			return;
		}
	}
	g_array_append_val(members, fresh);
}

static GArray *members_of(const struct model_process *process, const struct model_graph *graph)
{
	GArray *members = g_array_new(FALSE, FALSE, sizeof(struct member));

	for (guint i = 0; graph->parts && i < graph->parts->len; i++) {
		const struct model_graph_part *part =
			&g_array_index(graph->parts, struct model_graph_part, i);
		const struct model_kernel *kernel = table_find(process->kernels, part->kernel);

		if (!model_part_is_kernel(part))
			add_member(members, g_strdup(part->kind), true, part->count);
		else if (kernel && kernel->defined)
			add_member(members, kernel_name_bare(kernel->name), false, part->count);
	}
	g_array_sort(members, by_rank);
	return members;
}

static char *nodes_of(const struct model_graph *graph)
{
	if (graph->nodes == PWRTRACE_UNKNOWN_U32)
		return g_strdup("unknown nodes");
	return g_strdup_printf("%u node%s", graph->nodes, graph->nodes == 1 ? "" : "s");
}

char *origin_name_graph_shape(const struct model_graph *graph)
{
	char *nodes = nodes_of(graph);
	char *text = g_strdup_printf("%s %.8s", nodes, graph->signature);

	g_free(nodes);
	return g_strchomp(text);
}

char *origin_name_graph(const struct model_process *process, const struct model_graph *graph)
{
	GArray *members = members_of(process, graph);
	char *nodes = nodes_of(graph);
	GString *text = g_string_new("graph of ");

	g_string_append(text, nodes);
	g_free(nodes);
	for (guint i = 0; i < members->len; i++) {
		struct member *member = &g_array_index(members, struct member, i);

		if (i < GRAPH_NAMES)
			g_string_append_printf(text, "%s%s", i ? ", " : " (", member->name);
		g_free(member->name);
	}
	if (members->len)
		g_string_append(text, members->len > GRAPH_NAMES ? ", ...)" : ")");
	g_array_free(members, TRUE);
	return g_string_free(text, FALSE);
}

/* ---- whatever ran ---- */

static char *short_name_of_graph(const struct model_graph *graph)
{
	return graph ? g_strdup_printf("graph %.8s", graph->signature)
		     : g_strdup("(unknown graph)");
}

char *origin_name_short(const struct model *model, const struct model_origin *origin)
{
	const struct model_kernel *kernel = model_kernel_of(model, origin);

	if (origin->kernel & MODEL_IS_MEMORY)
		return g_strdup(g_array_index(
			model->memories, struct model_memory, origin->kernel & ~MODEL_IS_MEMORY)
					.name);
	if (origin->kernel & MODEL_IS_GRAPH)
		return short_name_of_graph(model_graph_of(model, origin));
	return kernel ? kernel_name_short(kernel->name) : g_strdup("(unknown kernel)");
}
