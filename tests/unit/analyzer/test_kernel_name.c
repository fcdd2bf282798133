/* SPDX-License-Identifier: MIT */
#include <glib.h>

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_as_people_write_them),
	};

	return cmocka_run_group_tests_name("kernel_name", tests, NULL, NULL);
}
