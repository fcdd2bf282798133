/* SPDX-License-Identifier: MIT */
#include "analyzer/load/join.h"

#include "tests/unit/unit.h"

static const struct launch_record first = {.launched_ns = 10, .layer = 1, .stack = 2};
static const struct launch_record second = {.launched_ns = 20, .layer = 3, .stack = 4};

static void launches_wait(void **state)
{
	struct join *join = join_new();
	struct launch_record launch = {0};
	uint32_t execution = 0;

	(void)state;
	assert_false(join_launch(join, 0, 7, &first, &execution));
	assert_false(join_launch(join, 1, 7, &second, &execution)); /* of another process */
	assert_int_equal(join_waiting(join), 2);
	assert_true(join_execution(join, 1, 7, 0, &launch));
	assert_int_equal(launch.launched_ns, second.launched_ns);
	assert_int_equal(launch.stack, second.stack);
	assert_true(join_execution(join, 0, 7, 1, &launch));
	assert_int_equal(launch.launched_ns, first.launched_ns);
	assert_int_equal(join_waiting(join), 0);
	/* Its launch is gone. */
	assert_false(join_execution(join, 0, 7, 2, &launch));
	join_free(join);
}

static void executions_wait(void **state)
{
	struct join *join = join_new();
	struct launch_record launch = {0};
	uint32_t execution = 0;

	(void)state;
	assert_false(join_execution(join, 0, 7, 0, &launch));
	assert_false(join_execution(join, 0, 8, 5, &launch));
	assert_true(join_launch(join, 0, 7, &first, &execution));
	assert_int_equal(execution, 0);
	assert_true(join_launch(join, 0, 8, &first, &execution));
	assert_int_equal(execution, 5);
	assert_int_equal(join_waiting(join), 0);
	join_free(join);
}

static void of_several_the_last_waits(void **state)
{
	struct join *join = join_new();
	struct launch_record launch = {0};
	uint32_t execution = 0;

	(void)state;
	assert_false(join_launch(join, 0, 7, &first, &execution));
	assert_false(join_launch(join, 0, 7, &second, &execution));
	assert_int_equal(join_waiting(join), 1);
	assert_true(join_execution(join, 0, 7, 0, &launch));
	assert_int_equal(launch.launched_ns, second.launched_ns);
	assert_false(join_execution(join, 0, 7, 1, &launch));
	assert_false(join_execution(join, 0, 7, 2, &launch));
	assert_true(join_launch(join, 0, 7, &first, &execution));
	assert_int_equal(execution, 2);
	join_free(join);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(launches_wait),
		cmocka_unit_test(executions_wait),
		cmocka_unit_test(of_several_the_last_waits),
	};

	return cmocka_run_group_tests_name("join", tests, NULL, NULL);
}
