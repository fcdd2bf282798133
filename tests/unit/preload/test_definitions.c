/* SPDX-License-Identifier: MIT */
#include "preload/engine/gpu/definitions.h"
#include "tests/unit/unit.h"

/* Where ids have run out, work names it. */
static void of_id_0_nothing_is_known(void **state)
{
	(void)state;
	assert_int_equal(gpu_stream(0)->device, 0);
	assert_int_equal(gpu_stream(0)->clock, 0);
	assert_string_equal(gpu_name(gpu_kernel(0)->name), "");
	assert_string_equal(gpu_short_name(gpu_kernel(0)->name), "");
}

static void what_is_added_is_found(void **state)
{
	struct gpu_kernel kernel = {.global = {64, 1, 1}, .name = gpu_add_name("gemm")};
	uint32_t small = gpu_kernel_class(&kernel), large;

	(void)state;
	kernel.global[0] = 128;
	large = gpu_kernel_class(&kernel);
	assert_int_not_equal(small, large);
	assert_int_equal(gpu_kernel_class(&kernel), large);
	assert_int_equal(gpu_kernel(small)->global[0], 64);
	assert_string_equal(gpu_name(gpu_kernel(large)->name), "gemm");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_id_0_nothing_is_known),
		cmocka_unit_test(what_is_added_is_found),
	};

	return cmocka_run_group_tests_name("definitions", tests, NULL, NULL);
}
