/* SPDX-License-Identifier: MIT */
/* Which replays are left out because the device's limit held them back. */
#include "analyzer/regress/design/limit.h"

#include "tests/unit/analyzer/one_gpu.h"

#define MS 1e6
#define AT_LIMIT 4 /* NVML's "sw power cap" */

/* In the program "a" runs for a second, and "b" for 2 ms.  Then each is replayed for half a second,
 * "b" first; both draw so much, "b" in the two halves of its replay. */
static void begin(struct one_gpu *gpu, double a_w, double b_w, double b_later_w)
{
	const struct model_replay replays[] = {
		{.span = {(uint64_t)(1100 * MS), (uint64_t)(1600 * MS)}, .reason = ""},
		{.span = {(uint64_t)(1600 * MS), (uint64_t)(2100 * MS)}, .reason = ""}};

	one_gpu_begin(gpu, 20 * MS, 2200 * MS, 2);
	one_gpu_runs(gpu, 0, 0, 1000 * MS);
	one_gpu_runs(gpu, 1, 1000 * MS, 1002 * MS);
	one_gpu_runs_for(gpu, MODEL_REPLAYED, 1, 1100 * MS, 1600 * MS);
	one_gpu_runs_for(gpu, MODEL_REPLAYED, 0, 1600 * MS, 2100 * MS);
	for (double now_ns = 10 * MS; now_ns < 2200 * MS; now_ns += 20 * MS)
		one_gpu_reads(gpu, now_ns,
			now_ns < 1100 * MS   ? 300
			: now_ns < 1350 * MS ? b_w
			: now_ns < 1600 * MS ? b_later_w
					     : a_w);
	/* What is said at the end of a replay holds into the next one. */
	one_gpu_is(gpu, 0, 1980, 0);
	one_gpu_is(gpu, 1250 * MS, 1500, AT_LIMIT);
	one_gpu_is(gpu, 1800 * MS, 1980, 0);
	one_gpu_is(gpu, 2200 * MS, 1980, 0);
	gpu->model.replays = g_array_new(FALSE, FALSE, sizeof(struct model_replay));
	g_array_append_vals(gpu->model.replays, replays, 2);
	one_gpu_set_source(gpu);
	gpu->source.replays = gpu->model.replays;
}

/* Expects that so many milliseconds of the replay of "b" are left out, from its begin on. */
static void expect(struct one_gpu *gpu, double left_out_ms)
{
	struct classes *classes = classes_of(&gpu->model, &gpu->source);
	GArray *readings = readings_of(&gpu->source, NULL);
	GArray *spans = limit_spans(&gpu->model, &gpu->source, classes, readings);

	assert_int_equal(spans->len, left_out_ms > 0);
	if (left_out_ms > 0) {
		const struct model_span *span = &g_array_index(spans, struct model_span, 0);

		assert_int_equal(span->begin_ns, (uint64_t)(1100 * MS));
		assert_int_equal(span->end_ns, (uint64_t)((1100 + left_out_ms) * MS));
	}
	g_array_free(spans, TRUE);
	g_array_free(readings, TRUE);
	classes_free(classes);
	g_array_free(gpu->model.replays, TRUE);
	one_gpu_end(gpu);
}

static void a_replay_at_the_limit_is_left_out(void **state)
{
	struct one_gpu gpu;

	(void)state;
	begin(&gpu, 400, 760, 760);
	expect(&gpu, 500);
}

static void a_half_with_pauses_is_not(void **state)
{
	struct one_gpu gpu;

	(void)state;
	begin(&gpu, 400, 760, 550);
	expect(&gpu, 250);
}

static void one_below_the_limit_is_not(void **state)
{
	struct one_gpu gpu;

	(void)state;
	begin(&gpu, 400, 500, 500);
	expect(&gpu, 0);
}

/* "a" has nearly all of the program's time: nothing else tells of it. */
static void one_that_much_depends_on_is_not(void **state)
{
	struct one_gpu gpu;

	(void)state;
	begin(&gpu, 760, 500, 500);
	expect(&gpu, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_replay_at_the_limit_is_left_out),
		cmocka_unit_test(a_half_with_pauses_is_not),
		cmocka_unit_test(one_below_the_limit_is_not),
		cmocka_unit_test(one_that_much_depends_on_is_not),
	};

	return cmocka_run_group_tests_name("limit", tests, NULL, NULL);
}
