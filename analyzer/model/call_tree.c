/* SPDX-License-Identifier: MIT */
#include "analyzer/model/call_tree.h"

struct call_node {
	uint32_t index;
	uint32_t parent;
	struct symbol symbol; /* equal texts are the same string */
};

struct call_tree {
	GPtrArray *nodes;  /* struct call_node *, by index; the root is NULL */
	GHashTable *known; /* the same nodes, by parent, function and module */
};

static guint hash(gconstpointer key)
{
	const struct call_node *node = key;

	return g_direct_hash(node->symbol.function) * 31 + node->parent;
}

static gboolean equal(gconstpointer a, gconstpointer b)
{
	const struct call_node *x = a, *y = b;

	return x->parent == y->parent && x->symbol.function == y->symbol.function &&
	       x->symbol.module == y->symbol.module;
}

struct call_tree *call_tree_new(void)
{
	struct call_tree *tree = g_new0(struct call_tree, 1);

	tree->nodes = g_ptr_array_new_with_free_func(g_free);
	tree->known = g_hash_table_new(hash, equal);
	g_ptr_array_add(tree->nodes, NULL);
	return tree;
}

void call_tree_free(struct call_tree *tree)
{
	if (!tree)
		return;
	g_hash_table_destroy(tree->known);
	g_ptr_array_free(tree->nodes, TRUE);
	g_free(tree);
}

static const struct call_node *node_at(const struct call_tree *tree, uint32_t node)
{
	return g_ptr_array_index(tree->nodes, node);
}

uint32_t call_tree_child(struct call_tree *tree, uint32_t parent, const struct symbol *function)
{
	struct call_node wanted = {tree->nodes->len, parent, *function};
	struct call_node *known = g_hash_table_lookup(tree->known, &wanted);

	if (!known) {
		known = g_memdup2(&wanted, sizeof(wanted));
		g_ptr_array_add(tree->nodes, known);
		g_hash_table_add(tree->known, known);
	}
	return known->index;
}

uint32_t call_tree_parent(const struct call_tree *tree, uint32_t node)
{
	return node_at(tree, node)->parent;
}

const struct symbol *call_tree_function(const struct call_tree *tree, uint32_t node)
{
	return &node_at(tree, node)->symbol;
}

GPtrArray *call_tree_names(const struct call_tree *tree, uint32_t node)
{
	GPtrArray *names = g_ptr_array_new();

	for (; node != CALL_TREE_ROOT; node = call_tree_parent(tree, node))
		g_ptr_array_insert(names, 0, (gpointer)call_tree_function(tree, node)->function);
	return names;
}
