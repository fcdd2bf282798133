/* SPDX-License-Identifier: MIT */
/* Which kernel a text means. */
#include <glib.h>

#include "analyzer/name/choose.h"
#include "tests/unit/unit.h"

static const struct choose_name kernels[] = {
	{"gemm<float>", "void gemm<float>(float*)", "gemm"},
	{"gemm<double>", "void gemm<double>(double*)", "gemm"},
	{"softmax [1024 /128]", "softmax", "softmax"},
	{"softmax [2048 /128]", "softmax", "softmax"},
	{"softmax_backward", "softmax_backward", "softmax_backward"},
	{"relu", "relu", "relu"},
};

#define COUNT G_N_ELEMENTS(kernels)

static void means(const char *text, guint expected)
{
	char *why = NULL;

	assert_int_equal(choose_kernel(kernels, COUNT, text, &why), expected);
	assert_null(why);
}

static void refuses(const char *text, const char *expected)
{
	char *why = NULL;

	assert_int_equal(choose_kernel(kernels, COUNT, text, &why), COUNT);
	assert_string_equal(why, expected);
	g_free(why);
}

static void a_whole_name_comes_before_a_part(void **state)
{
	(void)state;
	means("relu", 5);
	means("softmax_backward", 4);
	means("void gemm<double>(double*)", 1);
}

static void a_part_is_enough_where_it_is_unique(void **state)
{
	(void)state;
	means("backward", 4);
	means("<float>", 0);
	refuses("max", "3 kernels are called \"max\": \"softmax [1024 /128]\", \"softmax "
		       "[2048 /128]\", \"softmax_backward\"; name one of them");
}

static void shapes_tell_kernels_of_one_name_apart(void **state)
{
	(void)state;
	means("softmax [2048 /128]", 3);
	means("softmax [1024", 2);
	refuses("softmax", "2 kernels are called \"softmax\": \"softmax [1024 /128]\", "
			   "\"softmax [2048 /128]\"; name one of them");
	refuses("gemm", "2 kernels are called \"gemm\": \"gemm<float>\", \"gemm<double>\"; name "
			"one of them");
}

static void the_nearest_is_named(void **state)
{
	char *why = NULL;

	(void)state;
	refuses("rela", "no kernel is called \"rela\"; the nearest is \"relu\"");
	refuses("bakward", "no kernel is called \"bakward\"; the nearest is \"softmax_backward\"");
	assert_int_equal(choose_kernel(kernels, 0, "relu", &why), 0);
	assert_string_equal(why, "no kernel is called \"relu\"; nothing ran on a device");
	g_free(why);
}

static void distances_are_to_the_part_most_alike(void **state)
{
	(void)state;
	assert_int_equal(choose_distance("", "abc"), 0);
	assert_int_equal(choose_distance("abc", ""), 3);
	assert_int_equal(choose_distance("bc", "abcd"), 0);
	assert_int_equal(choose_distance("axc", "zzabczz"), 1);
	assert_int_equal(choose_distance("kitten", "sitting"), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_name_comes_before_a_part),
		cmocka_unit_test(a_part_is_enough_where_it_is_unique),
		cmocka_unit_test(shapes_tell_kernels_of_one_name_apart),
		cmocka_unit_test(the_nearest_is_named),
		cmocka_unit_test(distances_are_to_the_part_most_alike),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
