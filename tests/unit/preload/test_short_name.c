/* SPDX-License-Identifier: MIT */
#include "preload/engine/gpu/short_name.h"
#include "tests/unit/unit.h"

static void names(void **state)
{
	static const struct {
		const char *name, *expected;
	} cases[] = {
		{"saxpy", "saxpy"},
		{"_Z5saxpyfPfS_", "saxpy"},
		{"_ZL6kerneli", "kernel"},
		{"_Z3fooIiEvT_", "foo"},
		/* The parameter's type is not the function's name. */
		{"_Z3foo3bar", "foo"},
		{"_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_11FillFunctorIfEESt5array"
		 "IPcLm1EEEEviT0_T1_",
			"vectorized_elementwise_kernel"},
		{"_ZN2at6native12_GLOBAL__N_125multi_tensor_apply_kernelINS1_18TensorListMetadata"
		 "ILi4EEENS1_20FusedAdamMathFunctorIfLi4ELNS0_9ADAM_MODEE0ELb0EEEJEEEvT_T0_DpT1_",
			"multi_tensor_apply_kernel"},
		{"_ZN7cutlass7Kernel2I66cutlass_80_tensorop_s16816gemm_bf16_128x128_32x5_nn_align8E"
		 "EvNT_6ParamsE",
			"Kernel2"},
		{"_ZN2at4cuda3cub6detailE", "detail"},
		{"_ZNSt3fooEv", "foo"},
		{"_ZN2S18functionEv", "function"},
		{"nvjet_sm90_tst_128x256_64x4_1x2_h_bz_coopA_TNT",
			"nvjet_sm90_tst_128x256_64x4_1x2"},
		{"_ZN2at6native40a_function_whose_name_is_longer_than_oneEv",
			"a_function_whose_name_is_longer"},
		/* What is no mangled name after all stays as it is. */
		{"_Z", "_Z"},
		{"_ZN", "_ZN"},
		{"_Z99999999999999999999x", "_Z99999999999999999999x"},
		{"_Z12short", "_Z12short"},
		{"", ""},
	};
	char text[SHORT_NAME_MAX + 1];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		short_name(text, cases[i].name);
		assert_string_equal(text, cases[i].expected);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(names)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
