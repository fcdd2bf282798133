/* SPDX-License-Identifier: MIT */
#include "analyzer/model/calls.h"

struct node {
	uint32_t index;
	uint32_t parent;
	struct symbol symbol; /* equal texts are one */
};

struct calls {
	GPtrArray *nodes; /* struct node *, by index; the root is NULL */
	GHashTable *known;
};

static guint hash(gconstpointer key)
{
	const struct node *node = key;

	return g_direct_hash(node->symbol.function) * 31 + node->parent;
}

static gboolean equal(gconstpointer a, gconstpointer b)
{
	const struct node *x = a, *y = b;

	return x->parent == y->parent && x->symbol.function == y->symbol.function &&
	       x->symbol.module == y->symbol.module;
}

struct calls *calls_new(void)
{
	struct calls *calls = g_new0(struct calls, 1);

	calls->nodes = g_ptr_array_new_with_free_func(g_free);
	calls->known = g_hash_table_new(hash, equal);
	g_ptr_array_add(calls->nodes, NULL);
	return calls;
}

void calls_free(struct calls *calls)
{
	if (!calls)
		return;
	g_hash_table_destroy(calls->known);
	g_ptr_array_free(calls->nodes, TRUE);
	g_free(calls);
}

static const struct node *node_at(const struct calls *calls, uint32_t node)
{
	return g_ptr_array_index(calls->nodes, node);
}

uint32_t calls_child(struct calls *calls, uint32_t parent, const struct symbol *function)
{
	struct node wanted = {calls->nodes->len, parent, *function};
	struct node *known = g_hash_table_lookup(calls->known, &wanted);

	if (!known) {
		known = g_memdup2(&wanted, sizeof(wanted));
		g_ptr_array_add(calls->nodes, known);
		g_hash_table_add(calls->known, known);
	}
	return known->index;
}

uint32_t calls_parent(const struct calls *calls, uint32_t node)
{
	return node_at(calls, node)->parent;
}

const struct symbol *calls_function(const struct calls *calls, uint32_t node)
{
	return &node_at(calls, node)->symbol;
}

GPtrArray *calls_names(const struct calls *calls, uint32_t node)
{
	GPtrArray *names = g_ptr_array_new();

	for (; node != CALLS_ROOT; node = calls_parent(calls, node))
		g_ptr_array_insert(names, 0, (gpointer)calls_function(calls, node)->function);
	return names;
}
