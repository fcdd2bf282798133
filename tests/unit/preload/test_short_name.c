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
		/* Inline namespaces, as those of CUB, Thrust and rocPRIM, which hold their
		   versions. */
		{"_ZN3cub17CUB_200101_800_NS28DeviceReduceSingleTileKernelIifEEvPT0_",
			"DeviceReduceSingleTileKernel"},
		{"_ZN3cub17CUB_200101_800_NS29DeviceRadixSortOnesweepKernelINS0_5DummyIiEEPfjEEvT0_"
		 "T1_",
			"DeviceRadixSortOnesweepKernel"},
		{"_ZN6thrust8cuda_cub4core3ns213_kernel_agentIiJfiEEEvDpT0_", "_kernel_agent"},
		{"_ZN7rocprim17ROCPRIM_300000_NS6detail17trampoline_kernelINS0_14default_"
		 "configEEEvT0_",
			"trampoline_kernel"},
		{"_ZN7rocprim6detail18sort_single_kernelIiLb1EfEEvPT1_", "sort_single_kernel"},
		{"_ZN12_GLOBAL__N_14anonEi", "anon"},
		/* A lambda among the template arguments. */
		{"_Z13lambda_kernelIZ4mainEUliE0_EvT_", "lambda_kernel"},
		{"_ZN12_GLOBAL__N_16launchIZ4mainEUlvE_EEvT_", "launch"},
		{"_ZN2at6native18elementwise_kernelILi128ELi4EZNS0_15gpu_kernel_implIZZZNS0_16"
		 "fill_kernel_cudaERNS_14TensorIteratorEEUlvE_clEvEUlfE_EEvS4_RKT_EUliE_EEviT1_",
			"elementwise_kernel"},
		{"_Z40ncclDevKernel_AllReduce_Sum_bf16_RING_LL24ncclDevKernelArgsStorageILm4096EE",
			"ncclDevKernel_AllReduce_Sum_bf1"},
		{"_Z3fooB5cxx11v", "foo"},
		{"_ZN2ns3fooB5cxx11Ev", "foo"},
		/* Names that are not mangled: of extern "C", Triton, rocBLAS and OpenCL. */
		{"extern_c_kernel", "extern_c_kernel"},
		{"triton_poi_fused__to_copy_add_mul_0", "triton_poi_fused__to_copy_add_m"},
		{"Cijk_Ailk_Bljk_HHS_BH_MT128x128x16_SE_1LDSB0_APM1_ABV0_ACED0_AF0EM1",
			"Cijk_Ailk_Bljk_HHS_BH_MT128x128"},
		{"_my_kernel", "_my_kernel"},
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
