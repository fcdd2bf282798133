/* SPDX-License-Identifier: MIT */
#include "analyzer/name/kernel_name.h"

#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

static char *demangled(const char *name, int options)
{
	char *plain = cplus_demangle(name, options);
	char *copy = g_strdup(plain ? plain : name);

	free(plain);
	return copy;
}

char *kernel_name_full(const char *name)
{
	return demangled(name, DMGL_PARAMS | DMGL_ANSI);
}

/* The end of the template arguments that begin here.  An angle bracket within parentheses is an
 * operator, or has its counterpart there. */
static const char *after_arguments(const char *text)
{
	int angles = 0, parentheses = 0;

	for (; *text; text++) {
		parentheses += (*text == '(') - (*text == ')');
		if (!parentheses)
			angles += (*text == '<') - (*text == '>');
		if (!angles)
			return text + 1;
	}
	return text;
}

static bool begins_arguments(const char *text, const GString *before)
{
	return *text == '<' && !g_str_has_suffix(before->str, "operator") &&
	       !g_str_has_suffix(before->str, "operator<");
}

char *kernel_name_short(const char *name)
{
	/* Without options there are no parameters and no return type. */
	char *plain = cplus_demangle(name, DMGL_NO_OPTS);
	GString *kept;

	if (!plain)
		return g_strdup(name);
	kept = g_string_new(NULL);
	for (const char *text = plain; *text;) {
		if (begins_arguments(text, kept))
			text = after_arguments(text);
		else
			g_string_append_c(kept, *text++);
	}
	free(plain);
	return g_strchomp(g_string_free(kept, FALSE));
}

char *kernel_name_bare(const char *name)
{
	char *text = kernel_name_short(name);
	const char *last = text;
	int depth = 0;
	char *bare;

	for (const char *at = text; *at; at++) {
		depth += (*at == '(' || *at == '{') - (*at == ')' || *at == '}');
		if (!depth && strncmp(at, "::", 2) == 0 && at[2])
			last = at + 2;
	}
	bare = g_strdup(last);
	g_free(text);
	return bare;
}

char *kernel_name_shape(const struct model_kernel *kernel)
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
	return g_string_free(text, FALSE);
}

char *kernel_name_memory_shape(const char *kind, uint64_t bytes)
{
	if (bytes == PWRTRACE_UNKNOWN_U64)
		return g_strdup(kind);
	return g_strdup_printf("%s %" G_GUINT64_FORMAT " B", kind, bytes);
}

/* ---- graphs ---- */

#define GRAPH_NAMES 3

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

char *kernel_name_graph_shape(const struct model_graph *graph)
{
	char *nodes = nodes_of(graph);
	char *text = g_strdup_printf("%s %.8s", nodes, graph->signature);

	g_free(nodes);
	return g_strchomp(text);
}

char *kernel_name_graph(const struct model_process *process, const struct model_graph *graph)
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
