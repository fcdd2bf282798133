/* SPDX-License-Identifier: MIT */
#include "analyzer/load/layer_rules.h"

#include "analyzer/model/call_tree.h"
#include "analyzer/model/origin_name.h"
#include "analyzer/print/message.h"

/* The layers that rules make. */
struct new_layers {
	const struct rules *rules;
	struct loader *loader;
	struct call_paths *paths;
	GHashTable *layers; /* id by process, parent and name */
	uint32_t *next;     /* by process: the next free id of a layer; 0: not known yet */
	guint matched;      /* how often a rule matched */
};

/* The layer of a name under a parent, made where it is new; 0 where there is no room. */
static uint32_t layer_under(
	struct new_layers *made, uint32_t process, uint32_t parent, const char *name)
{
	struct table *layers =
		g_array_index(made->loader->model->processes, struct model_process, process).layers;
	char *key = g_strdup_printf("%u %u %s", process, parent, name);
	uint32_t layer = GPOINTER_TO_UINT(g_hash_table_lookup(made->layers, key));
	struct model_layer *slot;

	if (layer) {
		g_free(key);
		return layer;
	}
	if (!made->next[process])
		made->next[process] = MAX(table_end(layers), 1);
	layer = made->next[process]++;
	slot = table_slot(layers, layer);
	if (!slot) {
		g_free(key);
		return 0;
	}
	*slot = (struct model_layer){true, parent, loader_text(made->loader, name)};
	g_hash_table_insert(made->layers, key, GUINT_TO_POINTER(layer));
	return layer;
}

/* Returns the layer that the first matching rule makes inside a layer; the layer itself where none
 * matches, or the same rule as the last one (*last), which is updated. */
static uint32_t enter(struct new_layers *made, uint32_t process, uint32_t layer,
	const char *const texts[RULE_KINDS], const struct rule **last)
{
	const char *text;
	const struct rule *rule = rules_find(made->rules, texts, &text);
	char **names;

	/* A recursive function is not a layer inside itself. */
	if (!rule || rule == *last)
		return layer;
	*last = rule;
	made->matched++;
	names = rule_layers(rule, text);
	for (char **name = names; *name; name++)
		layer = layer_under(made, process, layer, *name);
	g_strfreev(names);
	return layer;
}

static uint32_t find_layer(struct new_layers *made, const struct model_origin *origin)
{
	const struct call_tree *tree = made->loader->model->call_tree;
	GArray *path = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	const struct rule *last = NULL;
	uint32_t layer = 0;

	for (uint32_t node = call_paths_of(made->paths, origin);
		call_tree_parent(tree, node) != CALL_TREE_ROOT; node = call_tree_parent(tree, node))
		g_array_append_val(path, node);
	for (guint i = path->len; i > 0; i--) {
		const struct symbol *symbol =
			call_tree_function(tree, g_array_index(path, uint32_t, i - 1));

		layer = enter(made, origin->process, layer,
			(const char *const[RULE_KINDS]){[RULE_FUNCTION] = symbol->function,
				[RULE_MODULE] = symbol->module,
				[RULE_FILE] = symbol->file},
			&last);
	}
	g_array_free(path, TRUE);
	return layer;
}

/* Applies the rules to the name of the kernel, inside the layer of the call stack. */
static uint32_t find_kernel_layer(
	struct new_layers *made, const struct model_origin *origin, uint32_t layer)
{
	const struct rule *none = NULL;
	char *name = origin_name_short(made->loader->model, origin);

	layer = enter(made, origin->process, layer,
		(const char *const[RULE_KINDS]){[RULE_KERNEL] = name}, &none);
	g_free(name);
	return layer;
}

void layer_rules_apply(const struct rules *rules, struct loader *loader, struct call_paths *paths)
{
	struct model *model = loader->model;
	struct new_layers made = {.rules = rules,
		.loader = loader,
		.paths = paths,
		.layers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
		.next = g_new0(uint32_t, model->processes->len + 1)};
	/* By origin without a layer: the number of the origin with its layer, + 1.  Origins that
	 * are added here are not looked up. */
	uint32_t *becomes = g_new0(uint32_t, model->origins->list->len + 1);

	for (guint i = 0; i < model->executions->len; i++) {
		struct model_execution *execution = mapped_array_at(model->executions, i);
		struct model_origin origin = *model_origin_of(model, execution);
		uint32_t *number;

		if (origin.layer)
			continue;
		number = &becomes[execution->origin];
		if (!*number) {
			origin.layer = find_layer(&made, &origin);
			origin.layer = find_kernel_layer(&made, &origin, origin.layer);
			*number = origins_number(model->origins, &origin) + 1;
		}
		execution->origin = *number - 1;
	}
	if (!made.matched)
		message_warn("%s changes nothing: no rule fits anything that is in no layer",
			rules_path(rules));
	g_hash_table_destroy(made.layers);
	g_free(made.next);
	g_free(becomes);
}
