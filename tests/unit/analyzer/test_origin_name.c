/* SPDX-License-Identifier: MIT */
#include "analyzer/model/origin_name.h"
#include "tests/unit/unit.h"

static void shapes_have_as_many_dimensions_as_are_used(void **state)
{
	static const struct {
		struct model_kernel kernel;
		const char *shape;
	} shapes[] = {
		{{.global = {64, 1, 1}, .local = {8, 1, 1}}, "64 /8"},
		{{.global = {64, 2, 1}, .local = {8, 1, 1}}, "64×2 /8×1"},
		{{.global = {64, 1, 4}, .local = {8, 1, 2}}, "64×1×4 /8×1×2"},
		{{.global = {64, 1, 1}}, "64"},
		{{.global = {64, 1, 1}, .local = {8, 1, 1}, .code = {.shared_bytes = 65536}},
			"64 /8 65536 B"},
		{{.global = {64, 1, 1},
			 .local = {8, 1, 1},
			 .code = {.shared_bytes = PWRTRACE_UNKNOWN_U32}},
			"64 /8"},
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(shapes); i++) {
		char *shape = origin_name_kernel_shape(&shapes[i].kernel, NULL);

		assert_string_equal(shape, shapes[i].shape);
		g_free(shape);
	}
}

static void shapes_of_collectives_tell_kind_and_bytes(void **state)
{
	static const struct {
		struct model_exchange exchange;
		const char *shape;
	} shapes[] = {
		{{"all_gather", 3 << 19, 2}, "64 /8, all_gather 1.5 MiB"},
		{{"send", 1000, 2}, "64 /8, send 1000 B"},
		{{"recv+send", 1 << 30, 2}, "64 /8, recv+send 1 GiB"},
		{{"recv", PWRTRACE_UNKNOWN_U64, 2}, "64 /8, recv"},
	};
	const struct model_kernel kernel = {.global = {64, 1, 1}, .local = {8, 1, 1}};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(shapes); i++) {
		char *shape = origin_name_kernel_shape(&kernel, &shapes[i].exchange);

		assert_string_equal(shape, shapes[i].shape);
		g_free(shape);
	}
}

static void graphs_are_named_after_their_most_numerous_kernels(void **state)
{
	static const char *const kernels[] = {
		"rare", "_Z4gemmIfEvPT_", "_Z4gemmIdEvPT_", "norm", "act"};
	const struct model_graph_part parts[] = {{1, 1, 0, "kernel"}, {0, 50, 64, "copy"},
		{2, 3, 0, "kernel"}, {3, 4, 0, "kernel"}, {4, 5, 0, "kernel"}, {5, 5, 0, "kernel"},
		{9, 100, 0, "kernel"}};
	struct model_process process = {.kernels = table_new(sizeof(struct model_kernel))};
	struct model_graph graph = {.defined = true, .nodes = 168, .signature = "0123456789abcdef"};
	char *text;

	(void)state;
	for (uint32_t i = 0; i < G_N_ELEMENTS(kernels); i++)
		*(struct model_kernel *)table_slot(process.kernels, i + 1) =
			(struct model_kernel){.defined = true, .name = kernels[i]};
	text = origin_name_graph(&process, &graph);
	assert_string_equal(text, "graph of 168 nodes");
	g_free(text);

	graph.parts = g_array_new(FALSE, FALSE, sizeof(*parts));
	g_array_append_vals(graph.parts, parts, G_N_ELEMENTS(parts));
	text = origin_name_graph(&process, &graph);
	assert_string_equal(text, "graph of 168 nodes (gemm, act, norm, ...)");
	g_free(text);

	g_array_set_size(graph.parts, 2);
	text = origin_name_graph(&process, &graph);
	assert_string_equal(text, "graph of 168 nodes (rare, copy)");
	g_free(text);

	text = origin_name_graph_shape(&graph);
	assert_string_equal(text, "168 nodes 01234567");
	g_free(text);
	graph.nodes = PWRTRACE_UNKNOWN_U32;
	graph.signature = "";
	text = origin_name_graph_shape(&graph);
	assert_string_equal(text, "unknown nodes");
	g_free(text);

	g_array_free(graph.parts, TRUE);
	table_free(process.kernels);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shapes_have_as_many_dimensions_as_are_used),
		cmocka_unit_test(shapes_of_collectives_tell_kind_and_bytes),
		cmocka_unit_test(graphs_are_named_after_their_most_numerous_kernels),
	};

	return cmocka_run_group_tests_name("origin_name", tests, NULL, NULL);
}
