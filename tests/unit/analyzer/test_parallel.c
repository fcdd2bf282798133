/* SPDX-License-Identifier: MIT */
#include "analyzer/numeric/parallel.h"

#include "tests/unit/unit.h"

#define COUNT_MAX 1000

static void count_call(guint i, void *context)
{
	g_atomic_int_inc((gint *)context + i);
}

static void each_is_done_once(void **state)
{
	static const guint counts[] = {0, 1, 2, COUNT_MAX};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(counts); i++) {
		gint calls[COUNT_MAX] = {0};

		parallel_for(counts[i], count_call, calls);
		for (guint k = 0; k < COUNT_MAX; k++)
			assert_int_equal(calls[k], k < counts[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(each_is_done_once)};

	return cmocka_run_group_tests_name("parallel", tests, NULL, NULL);
}
