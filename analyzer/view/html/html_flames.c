/* SPDX-License-Identifier: MIT */
#include "analyzer/model/call_tree.h"
#include "analyzer/model/layer_tree.h"
#include "analyzer/view/html/html_charts.h"

/* A part of all energy that is too little to be seen, and how deep paths go at most. */
#define SEEN 5e-4
#define DEPTH_MAX 128

/* A name under another one, and the energy of what is below it. */
struct flame {
	double energy_nj;
	GHashTable *below; /* struct flame *, by name; NULL: nothing is */
};

static void free_flame(gpointer data)
{
	struct flame *flame = data;

	if (flame->below)
		g_hash_table_destroy(flame->below);
	g_free(flame);
}

static struct flame *flame_below(struct flame *flame, const char *name)
{
	struct flame *below;

	if (!flame->below)
		flame->below = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_flame);
	below = g_hash_table_lookup(flame->below, name);
	if (!below) {
		below = g_new0(struct flame, 1);
		g_hash_table_insert(flame->below, g_strdup(name), below);
	}
	return below;
}

/* Adds a path; what is too deep is the energy of its last name that is not. */
static void add_path(struct flame *root, const GPtrArray *names, double energy_nj)
{
	struct flame *at = root;

	root->energy_nj += energy_nj;
	for (guint i = 0; i < MIN(names->len, DEPTH_MAX); i++) {
		at = flame_below(at, g_ptr_array_index(names, i));
		at->energy_nj += energy_nj;
	}
}

/* The members that d3-flame-graph reads. */
static json_t *flame_json(const char *name, const struct flame *flame, double least_nj)
{
	json_t *json = json_object(), *children = json_array();
	GHashTableIter below;
	gpointer key, value;

	json_object_set_new(json, "name", html_json_name(name));
	json_object_set_new(json, "value", json_real(flame->energy_nj / 1e9));
	if (flame->below) {
		g_hash_table_iter_init(&below, flame->below);
		while (g_hash_table_iter_next(&below, &key, &value))
			if (((const struct flame *)value)->energy_nj >= least_nj)
				json_array_append_new(children, flame_json(key, value, least_nj));
	}
	json_object_set_new(json, "children", children);
	return json;
}

/* The names that lead to an origin.  The caller frees the array. */
typedef GPtrArray *path_function(
	const struct html_page *page, guint origin, struct layer_tree *layers);

static GPtrArray *layer_path(const struct html_page *page, guint i, struct layer_tree *layers)
{
	const struct model *model = page->ledger->model;
	const struct model_origin *origin =
		&g_array_index(model->origins->list, struct model_origin, i);
	GPtrArray *names = layer_tree_names(
		layers, layer_tree_node(layers, model_process_of(model, origin), origin->layer));

	g_ptr_array_add(names, (gpointer)page->gathering->names->label[i]);
	return names;
}

static GPtrArray *call_path(const struct html_page *page, guint i, struct layer_tree *layers)
{
	const struct model *model = page->ledger->model;
	const struct model_origin *origin =
		&g_array_index(model->origins->list, struct model_origin, i);
	GPtrArray *names = call_tree_names(model->call_tree, origin->call);

	(void)layers;
	if (names->len)
		g_ptr_array_index(names, names->len - 1) =
			(gpointer)page->gathering->names->label[i];
	return names;
}

static json_t *flames_by(const struct html_page *page, path_function *path)
{
	struct layer_tree *layers = layer_tree_new(0);
	struct flame *root = g_new0(struct flame, 1);
	json_t *json;

	for (guint i = 0; i < page->gathering->names->origins; i++) {
		GPtrArray *names;

		if (!page->gathering->energy_nj[i])
			continue;
		names = path(page, i, layers);
		add_path(root, names, (double)page->gathering->energy_nj[i]);
		g_ptr_array_free(names, TRUE);
	}
	json = flame_json("all", root, SEEN * root->energy_nj);
	free_flame(root);
	layer_tree_free(layers);
	return json;
}

json_t *html_charts_flames(const struct html_page *page)
{
	const struct model *model = page->ledger->model;
	bool stacks = model->call_tree && model->event_count[PWRTRACE_EV_stack_def];

	return json_pack("{s:o, s:o}", "layers", flames_by(page, layer_path), "stacks",
		stacks ? flames_by(page, call_path) : json_null());
}
