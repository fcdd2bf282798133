/* SPDX-License-Identifier: MIT */
/* Which replays of a kernel tell of the program's executions. */
#include "analyzer/load/find_replays.h"

#include "analyzer/regress/design/classes.h"
#include "tests/unit/analyzer/one_gpu.h"

#define US 1e3
#define EXECUTIONS 20

/* Kernel "a" runs in the program for 10 us each time, from time 0 on. */
static void begin(struct one_gpu *gpu)
{
	one_gpu_begin(gpu, 1e6, 10e6, 1);
	gpu->model.replays = g_array_new(FALSE, FALSE, sizeof(struct model_replay));
	for (int i = 0; i < EXECUTIONS; i++)
		one_gpu_runs(gpu, 0, i * 20 * US, (i * 20 + 10) * US);
}

/* Replays "a" so many times from begin_ns on, for length_ns each time; cold: after a fill. */
static void replay(
	struct one_gpu *gpu, double begin_ns, double length_ns, bool cold, int executions)
{
	struct model_replay replay = {
		.span = {(uint64_t)begin_ns, (uint64_t)(begin_ns + executions * 40 * US)},
		.kernel = 1,
		.reason = ""};
	const struct model_origin fill = {.kernel = MODEL_IS_MEMORY};

	for (int i = 0; i < executions; i++) {
		double at_ns = begin_ns + i * 40 * US;
		const struct model_execution filled = {.begin_ns = (uint64_t)at_ns,
			.end_ns = (uint64_t)(at_ns + 15 * US),
			.launched_ns = (uint64_t)at_ns,
			.origin = origins_number(gpu->model.origins, &fill)};

		if (cold)
			assert_true(mapped_array_append(gpu->model.executions, &filled));
		one_gpu_runs(gpu, 0, at_ns + 20 * US, at_ns + 20 * US + length_ns);
	}
	g_array_append_val(gpu->model.replays, replay);
}

/* The last execution of a replay. */
static const struct model_execution *last_of(const struct one_gpu *gpu, guint i)
{
	const struct model_replay *replay =
		&g_array_index(gpu->model.replays, struct model_replay, i);
	const struct model_execution *last = NULL;

	for (guint k = 0; k < gpu->model.executions->len; k++) {
		const struct model_execution *execution = one_gpu_execution(gpu, k);

		if (execution->begin_ns >= replay->span.begin_ns &&
			execution->begin_ns < replay->span.end_ns)
			last = execution;
	}
	return last;
}

/* What became of it. */
static enum model_replayed fate(const struct one_gpu *gpu, guint i)
{
	return model_origin_of(&gpu->model, last_of(gpu, i))->replayed;
}

/* Judges two replays.  Expects what becomes of them, and whether they are refused. */
static void expect(
	struct one_gpu *gpu, enum model_replayed first, enum model_replayed second, bool refused)
{
	find_replays(&gpu->model);
	judge_replays(&gpu->model);
	assert_int_equal(fate(gpu, 0), first);
	assert_int_equal(fate(gpu, 1), second);
	for (guint i = 0; i < 2; i++)
		assert_int_equal(
			*g_array_index(gpu->model.replays, struct model_replay, i).reason != 0,
			refused);
	g_array_free(gpu->model.replays, TRUE);
	one_gpu_set_source(gpu);
	one_gpu_end(gpu);
}

/* The first one with executions of warm_ns, the second one with a cold cache with cold_ns. */
static void judged(double warm_ns, double cold_ns, enum model_replayed warm,
	enum model_replayed cold, bool refused)
{
	struct one_gpu gpu;

	begin(&gpu);
	replay(&gpu, 2e6, warm_ns, false, EXECUTIONS);
	replay(&gpu, 4e6, cold_ns, true, EXECUTIONS);
	expect(&gpu, warm, cold, refused);
}

static void a_cold_replay_is_left_where_another_tells(void **state)
{
	(void)state;
	judged(8.5 * US, 10 * US, MODEL_REPLAYED, MODEL_REPLAYED_COLD, false);
}

static void a_cold_replay_tells_where_no_other_does(void **state)
{
	(void)state;
	judged(5 * US, 11 * US, MODEL_REPLAYED_UNLIKE, MODEL_REPLAYED, false);
}

static void replays_that_do_other_work_are_refused(void **state)
{
	(void)state;
	judged(5 * US, 6 * US, MODEL_REPLAYED_UNLIKE, MODEL_REPLAYED_COLD, true);
}

/* A second size was looked for, and one batch met this one again: it is nearer by chance. */
static void what_was_only_tried_puts_no_replay_aside(void **state)
{
	struct one_gpu gpu;

	(void)state;
	begin(&gpu);
	replay(&gpu, 2e6, 9 * US, false, EXECUTIONS);
	replay(&gpu, 4e6, 10 * US, false, 2);
	expect(&gpu, MODEL_REPLAYED, MODEL_REPLAYED, false);
	begin(&gpu);
	replay(&gpu, 2e6, 5 * US, false, EXECUTIONS);
	replay(&gpu, 4e6, 10 * US, false, 2);
	expect(&gpu, MODEL_REPLAYED_UNLIKE, MODEL_REPLAYED, false);
}

/* Launches of one kernel in one shape move more data or less: such replays draw other powers. */
static void replays_that_are_unlike_are_classes_of_their_own(void **state)
{
	struct classes *classes;
	struct one_gpu gpu;

	(void)state;
	begin(&gpu);
	replay(&gpu, 2e6, 5 * US, false, EXECUTIONS);
	replay(&gpu, 4e6, 18 * US, false, EXECUTIONS);
	replay(&gpu, 6e6, 10 * US, false, EXECUTIONS);
	find_replays(&gpu.model);
	judge_replays(&gpu.model);
	one_gpu_set_source(&gpu);
	classes = classes_of(&gpu.model, &gpu.source);
	assert_int_equal(fate(&gpu, 0), MODEL_REPLAYED_UNLIKE);
	assert_int_equal(fate(&gpu, 1), MODEL_REPLAYED_UNLIKE);
	assert_int_not_equal(
		classes_find(classes, last_of(&gpu, 0)), classes_find(classes, last_of(&gpu, 1)));
	assert_int_equal(classes_find(classes, last_of(&gpu, 2)),
		classes_find(classes, one_gpu_execution(&gpu, 0)));
	classes_free(classes);
	g_array_free(gpu.model.replays, TRUE);
	one_gpu_end(&gpu);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cold_replay_is_left_where_another_tells),
		cmocka_unit_test(a_cold_replay_tells_where_no_other_does),
		cmocka_unit_test(replays_that_do_other_work_are_refused),
		cmocka_unit_test(what_was_only_tried_puts_no_replay_aside),
		cmocka_unit_test(replays_that_are_unlike_are_classes_of_their_own),
	};

	return cmocka_run_group_tests_name("find replays", tests, NULL, NULL);
}
