/* SPDX-License-Identifier: MIT */
/* Which replays of a kernel tell of the program's executions. */
#include "analyzer/load/judge_replays.h"

#include "analyzer/load/find_replays.h"
#include "analyzer/regress/design/classes.h"
#include "pwrtrace/kernels.h"
#include "tests/unit/analyzer/one_gpu.h"

#define US 1e3
#define EXECUTIONS 20
#define READ_US 15. /* how long a read alone takes */

enum { KERNEL, READ, KERNELS };

/* Kernel "a" runs in the program for 10 us each time, from time 0 on. */
static void begin(struct one_gpu *gpu)
{
	struct model_process *process;

	one_gpu_begin(gpu, 1e6, 10e6, KERNELS);
	process = &g_array_index(gpu->model.processes, struct model_process, 0);
	((struct model_kernel *)table_slot(process->kernels, READ + 1))->name =
		PWRTRACE_READ_KERNEL;
	gpu->model.replays = g_array_new(FALSE, FALSE, sizeof(struct model_replay));
	for (int i = 0; i < EXECUTIONS; i++)
		one_gpu_runs(gpu, KERNEL, i * 20 * US, (i * 20 + 10) * US);
}

/* A replay from begin_ns on: so many executions of "a", of length_ns each, and a read of read_ns
 * before each.  A length of 0: it has none of them. */
static void replay(
	struct one_gpu *gpu, double begin_ns, double length_ns, double read_ns, int executions)
{
	struct model_replay replay = {
		.span = {(uint64_t)begin_ns, (uint64_t)(begin_ns + executions * 40 * US)},
		.kernel = KERNEL + 1,
		.reason = ""};

	for (int i = 0; i < executions; i++) {
		double at_ns = begin_ns + i * 40 * US;

		if (read_ns > 0)
			one_gpu_runs(gpu, READ, at_ns, at_ns + read_ns);
		if (length_ns > 0)
			one_gpu_runs(gpu, KERNEL, at_ns + 20 * US, at_ns + 20 * US + length_ns);
	}
	g_array_append_val(gpu->model.replays, replay);
}

/* A replay with executions of warm_ns, one with a cold cache with executions of cold_ns and reads
 * of read_ns, and, if asked for, one of reads alone. */
static void replays(struct one_gpu *gpu, double warm_ns, double cold_ns, double read_ns, bool alone)
{
	replay(gpu, 2e6, warm_ns, 0, EXECUTIONS);
	replay(gpu, 4e6, cold_ns, read_ns, EXECUTIONS);
	if (alone)
		replay(gpu, 6e6, 0, READ_US * US, EXECUTIONS);
}

static void end(struct one_gpu *gpu)
{
	g_array_free(gpu->model.replays, TRUE);
	one_gpu_set_source(gpu);
	one_gpu_end(gpu);
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
	end(gpu);
}

/* What becomes of the first two of such replays. */
static void judged(double warm_ns, double cold_ns, bool alone, enum model_replayed warm,
	enum model_replayed cold, bool refused)
{
	struct one_gpu gpu;

	begin(&gpu);
	replays(&gpu, warm_ns, cold_ns, READ_US * US, alone);
	expect(&gpu, warm, cold, refused);
}

static void a_cold_replay_is_left_where_the_program_takes_as_long_as_a_warm_one(void **state)
{
	(void)state;
	judged(9.8 * US, 10 * US, true, MODEL_REPLAYED, MODEL_REPLAYED_UNLIKE, false);
	judged(9 * US, 12 * US, true, MODEL_REPLAYED, MODEL_REPLAYED_UNLIKE, false);
}

static void a_cold_replay_tells_where_the_program_is_more_like_it(void **state)
{
	(void)state;
	judged(8.5 * US, 10 * US, true, MODEL_REPLAYED_UNLIKE, MODEL_REPLAYED_COLD, false);
	judged(5 * US, 11 * US, true, MODEL_REPLAYED_UNLIKE, MODEL_REPLAYED_COLD, false);
}

static void what_writes_unknown_amounts_is_left_where_another_tells(void **state)
{
	(void)state;
	judged(8.5 * US, 10 * US, false, MODEL_REPLAYED, MODEL_REPLAYED_UNLIKE, false);
	judged(5 * US, 11 * US, false, MODEL_REPLAYED_UNLIKE, MODEL_REPLAYED_COLD, false);
}

static void replays_that_do_other_work_are_refused(void **state)
{
	(void)state;
	judged(5 * US, 6 * US, true, MODEL_REPLAYED_UNLIKE, MODEL_REPLAYED_UNLIKE, true);
}

/* Half of a replay's executions find a cold cache, with a read before each. */
static void mixed_replay(struct one_gpu *gpu, double begin_ns, double warm_ns, double cold_ns)
{
	replay(gpu, begin_ns, 0, 0, EXECUTIONS);
	for (int i = 0; i < EXECUTIONS; i++) {
		double at_ns = begin_ns + i * 40 * US;

		if (i % 2)
			one_gpu_runs(gpu, READ, at_ns, at_ns + READ_US * US);
		one_gpu_runs(gpu, KERNEL, at_ns + 20 * US,
			at_ns + 20 * US + (i % 2 ? cold_ns : warm_ns));
	}
}

/* Neither 8 nor 12 us are like the program's 10, but their mean is. */
static void a_mixed_replay_tells_by_its_mean_time(void **state)
{
	struct one_gpu gpu;

	(void)state;
	begin(&gpu);
	replay(&gpu, 2e6, 8 * US, 0, EXECUTIONS);
	mixed_replay(&gpu, 4e6, 8 * US, 12 * US);
	replay(&gpu, 6e6, 0, READ_US * US, EXECUTIONS);
	replay(&gpu, 8e6, 12 * US, READ_US * US, EXECUTIONS / 2);
	expect(&gpu, MODEL_REPLAYED_UNLIKE, MODEL_REPLAYED_MIXED, false);
	begin(&gpu);
	replay(&gpu, 2e6, 9.9 * US, 0, EXECUTIONS);
	mixed_replay(&gpu, 4e6, 9 * US, 12 * US);
	replay(&gpu, 6e6, 0, READ_US * US, EXECUTIONS);
	expect(&gpu, MODEL_REPLAYED, MODEL_REPLAYED_UNLIKE, false);
}

static double length_us(const struct model_execution *execution)
{
	return (double)(execution->end_ns - execution->begin_ns) / US;
}

/* How long the read before the last execution of a replay with a cold cache is taken to last, where
 * reads take longer_us more than alone and executions cold_us, and 10 us in the program. */
static double read_us(double cold_us, double longer_us, bool alone)
{
	const struct model_execution *last;
	struct one_gpu gpu;
	double read_us;

	begin(&gpu);
	replays(&gpu, 5 * US, cold_us * US, (READ_US + longer_us) * US, alone);
	find_replays(&gpu.model);
	judge_replays(&gpu.model);
	last = last_of(&gpu, 1);
	assert_int_equal(model_origin_of(&gpu.model, last)->replayed, MODEL_REPLAYED_COLD);
	assert_float_equal(length_us(last), alone ? fmax(cold_us, 10) : cold_us, 1e-2);
	read_us = length_us(last - 1);
	assert_int_equal(last[-1].end_ns,
		llround(4e6 + (EXECUTIONS - 1) * 40 * US + (READ_US + longer_us) * US));
	end(&gpu);
	return read_us;
}

/* All of it, where the program's take a twelfth longer for it than those that find a clean cache;
 * half of it where they take no longer; none where it is not known how long reads alone take. */
static void what_a_read_writes_back_is_the_kernels(void **state)
{
	(void)state;
	assert_float_equal(read_us(10 / 1.08, 4, true), READ_US, 1e-2);
	assert_float_equal(read_us(10, 4, true), READ_US + 2, 1e-2);
	assert_float_equal(read_us(10.5, 4, true), READ_US + 2, 1e-2);
	assert_float_equal(read_us(10 / 1.035, 4, true), READ_US + 1, 1e-2);
	assert_float_equal(read_us(10, -1, true), READ_US - 1, 1e-2);
	assert_float_equal(read_us(10, 4, false), READ_US + 4, 1e-2);
}

/* A second size was looked for, and one batch met this one again: it is nearer by chance. */
static void what_was_only_tried_puts_no_replay_aside(void **state)
{
	struct one_gpu gpu;

	(void)state;
	begin(&gpu);
	replay(&gpu, 2e6, 9 * US, 0, EXECUTIONS);
	replay(&gpu, 4e6, 10 * US, 0, 2);
	expect(&gpu, MODEL_REPLAYED, MODEL_REPLAYED, false);
	begin(&gpu);
	replay(&gpu, 2e6, 5 * US, 0, EXECUTIONS);
	replay(&gpu, 4e6, 10 * US, 0, 2);
	expect(&gpu, MODEL_REPLAYED_UNLIKE, MODEL_REPLAYED, false);
}

/* Launches of one kernel in one shape move more data or less: such replays draw other powers. */
static void replays_that_are_unlike_are_classes_of_their_own(void **state)
{
	struct classes *classes;
	struct one_gpu gpu;

	(void)state;
	begin(&gpu);
	replay(&gpu, 2e6, 5 * US, 0, EXECUTIONS);
	replay(&gpu, 4e6, 18 * US, 0, EXECUTIONS);
	replay(&gpu, 6e6, 10 * US, 0, EXECUTIONS);
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

/* Whether the reads of a replay with a cold cache are of the class of reads alone. */
static bool reads_are_alike(double warm_ns, enum model_replayed cold)
{
	struct classes *classes;
	struct one_gpu gpu;
	bool alike;

	begin(&gpu);
	replays(&gpu, warm_ns, 10 * US, (READ_US + 4) * US, true);
	find_replays(&gpu.model);
	judge_replays(&gpu.model);
	one_gpu_set_source(&gpu);
	classes = classes_of(&gpu.model, &gpu.source);
	assert_int_equal(fate(&gpu, 1), cold);
	alike = classes_find(classes, last_of(&gpu, 1) - 1) ==
		classes_find(classes, last_of(&gpu, 2));
	classes_free(classes);
	g_array_free(gpu.model.replays, TRUE);
	one_gpu_end(&gpu);
	return alike;
}

/* What is written back during them is charged to the kernel only where the replay is used. */
static void reads_of_replays_that_are_not_used_tell_nothing_of_others(void **state)
{
	(void)state;
	assert_true(reads_are_alike(8.5 * US, MODEL_REPLAYED_COLD));
	assert_false(reads_are_alike(9.8 * US, MODEL_REPLAYED_UNLIKE));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_cold_replay_is_left_where_the_program_takes_as_long_as_a_warm_one),
		cmocka_unit_test(a_cold_replay_tells_where_the_program_is_more_like_it),
		cmocka_unit_test(what_writes_unknown_amounts_is_left_where_another_tells),
		cmocka_unit_test(replays_that_do_other_work_are_refused),
		cmocka_unit_test(what_a_read_writes_back_is_the_kernels),
		cmocka_unit_test(a_mixed_replay_tells_by_its_mean_time),
		cmocka_unit_test(what_was_only_tried_puts_no_replay_aside),
		cmocka_unit_test(replays_that_are_unlike_are_classes_of_their_own),
		cmocka_unit_test(reads_of_replays_that_are_not_used_tell_nothing_of_others),
	};

	return cmocka_run_group_tests_name("judge replays", tests, NULL, NULL);
}
