/* SPDX-License-Identifier: MIT */
#include "analyzer/name/kernel_name.h"
#include "tests/unit/unit.h"

/* Names as the compilers of CUDA and HIP, PyTorch and cuBLAS make them. */
static const struct {
	const char *name, *full, *short_name, *bare;
} names[] = {
	{"matmul", "matmul", "matmul", "matmul"},
	{"", "", "", ""},
	{"_Z", "_Z", "_Z", "_Z"},
	{"two words<x>(y)", "two words<x>(y)", "two words<x>(y)", "two words<x>(y)"},
	{"_Z3addPfi", "add(float*, int)", "add", "add"},
	{"_Z4gemmIfEvPT_", "void gemm<float>(float*)", "gemm", "gemm"},
	{"_ZN2nn12_GLOBAL__N_17softmaxEPf", "nn::(anonymous namespace)::softmax(float*)",
		"nn::(anonymous namespace)::softmax", "softmax"},
	{"_Z5gemvxILb0EiENSt9enable_ifIXntT_EvE4typeET0_",
		"std::enable_if<!(false), void>::type gemvx<false, int>(int)", "gemvx", "gemvx"},
	{"_ZN1WISt4pairIiS_IfEEE3runIcEES2_T_",
		"std::pair<int, W<float> > W<std::pair<int, W<float> > >::run<char>(char)",
		"W::run", "run"},
	{"_ZNK1XltIiEEbT_", "bool X::operator< <int>(int) const", "X::operator<", "operator<"},
	{"_ZN1XlsEi", "X::operator<<(int)", "X::operator<<", "operator<<"},
	{"_ZZN2at6native3useEvENKUliE_clEi",
		"at::native::use()::{lambda(int)#1}::operator()(int) const",
		"at::native::use()::{lambda(int)#1}::operator()", "operator()"},
	{"_Z5shiftILi3EXgtLi4ELi3EEEvv", "void shift<3, ((4)>(3))>()", "shift", "shift"},
};

static void names_are_as_people_write_them(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		char *full = kernel_name_full(names[i].name);
		char *short_name = kernel_name_short(names[i].name);
		char *bare = kernel_name_bare(names[i].name);

		assert_string_equal(full, names[i].full);
		assert_string_equal(short_name, names[i].short_name);
		assert_string_equal(bare, names[i].bare);
		g_free(full);
		g_free(short_name);
		g_free(bare);
	}
}

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
		char *shape = kernel_name_shape(&shapes[i].kernel);

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
	text = kernel_name_graph(&process, &graph);
	assert_string_equal(text, "graph of 168 nodes");
	g_free(text);

	graph.parts = g_array_new(FALSE, FALSE, sizeof(*parts));
	g_array_append_vals(graph.parts, parts, G_N_ELEMENTS(parts));
	text = kernel_name_graph(&process, &graph);
	assert_string_equal(text, "graph of 168 nodes (gemm, act, norm, ...)");
	g_free(text);

	g_array_set_size(graph.parts, 2);
	text = kernel_name_graph(&process, &graph);
	assert_string_equal(text, "graph of 168 nodes (rare, copy)");
	g_free(text);

	text = kernel_name_graph_shape(&graph);
	assert_string_equal(text, "168 nodes 01234567");
	g_free(text);
	graph.nodes = PWRTRACE_UNKNOWN_U32;
	graph.signature = "";
	text = kernel_name_graph_shape(&graph);
	assert_string_equal(text, "unknown nodes");
	g_free(text);

	g_array_free(graph.parts, TRUE);
	table_free(process.kernels);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_as_people_write_them),
		cmocka_unit_test(shapes_have_as_many_dimensions_as_are_used),
		cmocka_unit_test(graphs_are_named_after_their_most_numerous_kernels),
	};

	return cmocka_run_group_tests_name("kernel_name", tests, NULL, NULL);
}
