/* SPDX-License-Identifier: MIT */
#include "analyzer/model/layer_tree.h"

struct layer_node {
	uint32_t index;
	uint32_t parent;
	const char *name; /* one of the model's strings: equal names are the same pointer */
};

struct layer_tree {
	guint depth_max;
	GPtrArray *nodes;  /* struct layer_node *, by index; the root is NULL */
	GHashTable *known; /* the same nodes, by parent and name */
};

/* These are not among the model's strings, so that no name of a program is the same pointer. */
static const char no_layer[] = "(no layer)";
static const char unknown_layer[] = "(unknown layer)";

static guint hash(gconstpointer key)
{
	const struct layer_node *node = key;

	return g_direct_hash(node->name) * 31 + node->parent;
}

static gboolean equal(gconstpointer a, gconstpointer b)
{
	const struct layer_node *x = a, *y = b;

	return x->parent == y->parent && x->name == y->name;
}

struct layer_tree *layer_tree_new(guint depth_max)
{
	struct layer_tree *tree = g_new0(struct layer_tree, 1);

	tree->depth_max = depth_max && depth_max < LAYER_TREE_DEPTH ? depth_max : LAYER_TREE_DEPTH;
	tree->nodes = g_ptr_array_new_with_free_func(g_free);
	tree->known = g_hash_table_new(hash, equal);
	g_ptr_array_add(tree->nodes, NULL);
	return tree;
}

void layer_tree_free(struct layer_tree *tree)
{
	g_hash_table_destroy(tree->known);
	g_ptr_array_free(tree->nodes, TRUE);
	g_free(tree);
}

static const struct layer_node *node_at(const struct layer_tree *tree, uint32_t node)
{
	return g_ptr_array_index(tree->nodes, node);
}

static uint32_t child(struct layer_tree *tree, uint32_t parent, const char *name)
{
	struct layer_node wanted = {tree->nodes->len, parent, name};
	struct layer_node *known = g_hash_table_lookup(tree->known, &wanted);

	if (!known) {
		known = g_memdup2(&wanted, sizeof(wanted));
		g_ptr_array_add(tree->nodes, known);
		g_hash_table_add(tree->known, known);
	}
	return known->index;
}

uint32_t layer_tree_node(
	struct layer_tree *tree, const struct model_process *process, uint32_t layer)
{
	GPtrArray *names = g_ptr_array_new();
	uint32_t node = LAYER_TREE_ROOT;

	if (!layer)
		g_ptr_array_add(names, (gpointer)no_layer);
	while (layer) {
		const struct model_layer *known = table_find(process->layers, layer);
		bool defined = known && known->defined;

		g_ptr_array_add(names, (gpointer)(defined ? known->name : unknown_layer));
		layer = defined ? known->parent : 0;
	}
	for (guint i = 0; i < MIN(names->len, tree->depth_max); i++)
		node = child(tree, node, g_ptr_array_index(names, names->len - 1 - i));
	g_ptr_array_free(names, TRUE);
	return node;
}

uint32_t layer_tree_parent(const struct layer_tree *tree, uint32_t node)
{
	return node_at(tree, node)->parent;
}

const char *layer_tree_name(const struct layer_tree *tree, uint32_t node)
{
	return node_at(tree, node)->name;
}

GPtrArray *layer_tree_names(const struct layer_tree *tree, uint32_t node)
{
	GPtrArray *names = g_ptr_array_new();

	for (; node != LAYER_TREE_ROOT; node = layer_tree_parent(tree, node))
		g_ptr_array_insert(names, 0, (gpointer)layer_tree_name(tree, node));
	return names;
}

char *layer_tree_path(const struct layer_tree *tree, uint32_t node)
{
	GPtrArray *names = layer_tree_names(tree, node);
	GString *path = g_string_new(NULL);

	for (guint i = 0; i < names->len; i++) {
		if (i)
			g_string_append_c(path, '/');
		g_string_append(path, g_ptr_array_index(names, i));
	}
	g_ptr_array_free(names, TRUE);
	return g_string_free(path, FALSE);
}
