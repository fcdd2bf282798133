/* SPDX-License-Identifier: MIT */
#include "analyzer/name/kernel_label.h"
#include "tests/unit/unit.h"

#define NAMES_MAX 4

/* Tables of kernels as they come: full name, short name, the label it must get. */
static const struct {
	const char *full, *short_name, *label;
} tables[][NAMES_MAX + 1] = {
	{{"add(float*, int)", "add", "add"}, {"matmul", "matmul", "matmul"},
		{"add(float*, int)", "add", "add"}},
	{{"void gemm<128, float>(float*)", "gemm", "gemm<128>"},
		{"void gemm<64, float>(float*)", "gemm", "gemm<64>"}},
	{{"void gemm<128, float>(float*)", "gemm", "gemm<128, float>"},
		{"void gemm<128, half>(float*)", "gemm", "gemm<128, half>"},
		{"void gemm<64, float>(float*)", "gemm", "gemm<64, float>"}},
	/* Operations, which are told even where a kernel is the only one of its name. */
	{{"void at::each<8, at::CUDAFunctor_add<float>, std::array<char*, 3ul> >(int)", "at::each",
		 "each<add>"},
		{"void at::each<8, at::tanh_kernel_cuda(at::Iterator<int>&)::{lambda()#2}::"
		 "operator()() const>(int)",
			"at::each", "each<tanh>"},
		{"void at::each<8, at::(anonymous "
		 "namespace)::clamp(at::Scalar)::{lambda()#1}>(int)",
			"at::each", "each<clamp>"}},
	{{"void at::reduce<512, at::ReduceOp<float, at::MeanOps<float, float>, 4> >(int)",
		"at::reduce", "reduce<MeanOps>"}},
	{{"void at::loop<at::no_cast<at::copy_kernel(at::Iter&)::{lambda()#3}::operator()() "
	  "const::{lambda(long)#1}>(at::Iter&)::{lambda(int)#1}>(int)",
		 "at::loop", "loop<copy, long>"},
		{"void at::loop<at::no_cast<at::copy_kernel(at::Iter&)::{lambda()#3}::operator()() "
		 "const::{lambda(float)#1}>(at::Iter&)::{lambda(int)#1}>(int)",
			"at::loop", "loop<copy, float>"}},
	{{"void each<at::FillFunctor<unsigned int> >()", "each", "each<Fill, unsigned int>"},
		{"void each<at::FillFunctor<unsigned long> >()", "each",
			"each<Fill, unsigned long>"},
		{"void each<at::FillFunctor<c10::Half> >()", "each", "each<Fill, Half>"}},
	/* Numbers, traits and types are no operations. */
	{{"void flash<traits<64, cutlass::half_t>, false>(int)", "flash", "flash"}},
	{{"nn::(anonymous namespace)::softmax(float*)", "nn::(anonymous namespace)::softmax",
		"softmax"}},
	{{"a::gemm(int)", "a::gemm", "a::gemm(int)"}, {"b::gemm(int)", "b::gemm", "b::gemm(int)"}},
	/* Nothing but signs tells them apart. */
	{{"f<1>(int&)", "f", "f<1>(int&)"}, {"f<1>(int*)", "f", "f<1>(int*)"}},
	{{"f<a_long_name, another_long_name, one_more>(int*)", "f", "f #2"},
		{"f<a_long_name, another_long_name, one_more>(int&)", "f", "f #1"}},
	{{"f<1, 2, 3, 4>()", "f", "f<1, 4>"}, {"f<1, 2, 3, 5>()", "f", "f<1, 5>"},
		{"f<0, 0, 0, 5>()", "f", "f<0, 5>"}},
	/* What is no name of C++. */
	{{"<<>>)(", "<<>>)(", "<<>>)("}, {"", "", ""}, {"a<b", "a<b", "a<b"}},
};

static void labels_are_short_and_differ(void **state)
{
	(void)state;
	for (size_t table = 0; table < G_N_ELEMENTS(tables); table++) {
		GPtrArray *names = g_ptr_array_new();
		GHashTable *labels;

		for (int i = 0; tables[table][i].full; i++) {
			g_ptr_array_add(names, (char *)tables[table][i].full);
			g_ptr_array_add(names, (char *)tables[table][i].short_name);
		}
		labels = kernel_labels(names);
		for (int i = 0; tables[table][i].full; i++)
			assert_string_equal(g_hash_table_lookup(labels, tables[table][i].full),
				tables[table][i].label);
		g_hash_table_destroy(labels);
		g_ptr_array_free(names, TRUE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(labels_are_short_and_differ)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
