/* SPDX-License-Identifier: MIT */
#include "analyzer/model/layer_tree.h"
#include "tests/unit/unit.h"

static void define(struct model_process *process, uint32_t id, uint32_t parent, const char *name)
{
	*(struct model_layer *)table_slot(process->layers, id) =
		(struct model_layer){true, parent, g_intern_string(name)};
}

static struct model_process process_new(void)
{
	return (struct model_process){.layers = table_new(sizeof(struct model_layer))};
}

static void assert_path(const struct layer_tree *tree, uint32_t node, const char *expected)
{
	char *path = layer_tree_path(tree, node);

	assert_string_equal(path, expected);
	g_free(path);
}

static void equal_paths_of_processes_are_one_node(void **state)
{
	struct model_process one = process_new(), two = process_new();
	struct layer_tree *tree = layer_tree_new(0);
	uint32_t node;

	(void)state;
	define(&one, 1, 0, "model");
	define(&one, 2, 1, "mlp");
	define(&two, 5, 0, "model");
	define(&two, 9, 5, "mlp");
	define(&two, 10, 0, "mlp");
	node = layer_tree_node(tree, &one, 2);
	assert_path(tree, node, "model/mlp");
	assert_string_equal(layer_tree_name(tree, node), "mlp");
	assert_int_equal(layer_tree_node(tree, &two, 9), node);
	assert_int_equal(layer_tree_node(tree, &one, 1), layer_tree_parent(tree, node));
	assert_int_not_equal(layer_tree_node(tree, &two, 10), node);
	assert_int_equal(layer_tree_parent(tree, layer_tree_parent(tree, node)), LAYER_TREE_ROOT);
	layer_tree_free(tree);
	table_free(one.layers);
	table_free(two.layers);
}

static void slashes_do_not_make_layers_equal(void **state)
{
	struct model_process process = process_new();
	struct layer_tree *tree = layer_tree_new(0);
	GPtrArray *names;

	(void)state;
	define(&process, 1, 0, "a/b");
	define(&process, 2, 0, "a");
	define(&process, 3, 2, "b");
	assert_path(tree, layer_tree_node(tree, &process, 1), "a/b");
	assert_path(tree, layer_tree_node(tree, &process, 3), "a/b");
	assert_int_not_equal(
		layer_tree_node(tree, &process, 1), layer_tree_node(tree, &process, 3));
	names = layer_tree_names(tree, layer_tree_node(tree, &process, 3));
	assert_int_equal(names->len, 2);
	assert_string_equal(g_ptr_array_index(names, 0), "a");
	assert_string_equal(g_ptr_array_index(names, 1), "b");
	g_ptr_array_free(names, TRUE);
	layer_tree_free(tree);
	table_free(process.layers);
}

static void what_is_missing_has_a_node(void **state)
{
	struct model_process process = process_new();
	struct layer_tree *tree = layer_tree_new(0);

	(void)state;
	define(&process, 1, 0, "(no layer)");
	define(&process, 4, 3, "child");
	assert_path(tree, layer_tree_node(tree, &process, 0), "(no layer)");
	assert_path(tree, layer_tree_node(tree, &process, 4), "(unknown layer)/child");
	assert_path(tree, layer_tree_node(tree, &process, UINT32_MAX), "(unknown layer)");
	assert_int_not_equal(
		layer_tree_node(tree, &process, 0), layer_tree_node(tree, &process, 1));
	layer_tree_free(tree);
	table_free(process.layers);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_paths_of_processes_are_one_node),
		cmocka_unit_test(slashes_do_not_make_layers_equal),
		cmocka_unit_test(what_is_missing_has_a_node),
	};

	return cmocka_run_group_tests_name("layer_tree", tests, NULL, NULL);
}
