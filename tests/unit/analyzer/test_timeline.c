/* SPDX-License-Identifier: MIT */
#include "analyzer/model/timeline.h"
#include "tests/unit/unit.h"

#define NONE 0

struct bench {
	struct model model;
	struct timeline *timeline;
};

/* Two processes; the first one ends at 1000. */
static void set_up(struct bench *bench)
{
	const struct model_process processes[2] = {
		{.end_ns = 1000, .layers = table_new(sizeof(struct model_layer))},
		{.end_ns = 0, .layers = table_new(sizeof(struct model_layer))}};
	const uint64_t last_ns[2] = {5000, 900000}; /* each by a clock of its own */

	*bench = (struct bench){.model = {.last_ns = g_array_new(FALSE, TRUE, sizeof(uint64_t))}};
	g_array_append_vals(bench->model.last_ns, last_ns, 2);
	bench->model.processes = g_array_new(FALSE, FALSE, sizeof(struct model_process));
	g_array_append_vals(bench->model.processes, processes, 2);
	bench->model.ranges = mapped_array_new(sizeof(struct model_range));
}

static void tear_down(struct bench *bench)
{
	timeline_free(bench->timeline);
	for (guint i = 0; i < bench->model.processes->len; i++)
		table_free(g_array_index(bench->model.processes, struct model_process, i).layers);
	g_array_free(bench->model.processes, TRUE);
	mapped_array_free(bench->model.ranges);
	g_array_free(bench->model.last_ns, TRUE);
}

static void moves(struct bench *bench, uint64_t time_ns, uint32_t process, uint32_t tid,
	uint32_t layer, bool closes)
{
	const struct model_range range = {time_ns, process, tid, layer, closes};

	assert_true(mapped_array_append(bench->model.ranges, &range));
}

static void opens(struct bench *bench, uint64_t time_ns, uint32_t tid, uint32_t layer)
{
	moves(bench, time_ns, 0, tid, layer, false);
}

static void closes(struct bench *bench, uint64_t time_ns, uint32_t tid, uint32_t layer)
{
	moves(bench, time_ns, 0, tid, layer, true);
}

struct expected {
	uint64_t time_ns;
	uint32_t layer, thread;
};

static void follow(struct bench *bench, const struct expected *expected, guint count)
{
	bench->timeline = timeline_of(&bench->model);
	assert_int_equal(bench->timeline->switches->len, count);
	for (guint i = 0; i < count; i++) {
		const struct timeline_switch *change =
			mapped_array_at(bench->timeline->switches, i);

		assert_int_equal(change->time_ns, expected[i].time_ns);
		assert_int_equal(change->layer, expected[i].layer);
		assert_int_equal(change->thread, expected[i].thread);
	}
}

#define FOLLOW(bench, ...)                                                                         \
	do {                                                                                       \
		const struct expected expected[] = {__VA_ARGS__};                                  \
                                                                                                   \
		follow(bench, expected, G_N_ELEMENTS(expected));                                   \
	} while (0)

static void the_innermost_layer_counts(void **state)
{
	struct bench bench;

	(void)state;
	set_up(&bench);
	opens(&bench, 10, 7, 1);
	opens(&bench, 10, 7, 2);
	closes(&bench, 20, 7, 2);
	closes(&bench, 30, 7, 1);
	FOLLOW(&bench, {10, 1, 0}, {10, 2, 0}, {20, 1, 0}, {30, NONE, 0});
	for (guint i = 0; i < 4; i++) {
		const struct timeline_switch *change = mapped_array_at(bench.timeline->switches, i);

		assert_int_equal(change->opens, i < 2);
	}
	assert_int_equal(bench.timeline->not_closed + bench.timeline->not_opened, 0);
	tear_down(&bench);
}

static void threads_have_layers_of_their_own(void **state)
{
	struct bench bench;

	(void)state;
	set_up(&bench);
	opens(&bench, 10, 7, 1);
	opens(&bench, 40, 8, 2);
	closes(&bench, 30, 7, 1);
	closes(&bench, 50, 8, 2);
	FOLLOW(&bench, {10, 1, 0}, {30, NONE, 0}, {40, 2, 1}, {50, NONE, 1});
	assert_int_equal(bench.timeline->threads, 2);
	tear_down(&bench);
}

static void an_end_ends_what_is_inside(void **state)
{
	struct bench bench;

	(void)state;
	set_up(&bench);
	opens(&bench, 10, 7, 1);
	opens(&bench, 20, 7, 2);
	opens(&bench, 30, 7, 3);
	closes(&bench, 40, 7, 2);
	closes(&bench, 50, 7, 3);
	closes(&bench, 60, 7, 1);
	FOLLOW(&bench, {10, 1, 0}, {20, 2, 0}, {30, 3, 0}, {40, 1, 0}, {60, NONE, 0});
	assert_int_equal(bench.timeline->not_opened, 1);
	tear_down(&bench);
}

static void another_thread_may_end_it(void **state)
{
	struct bench bench;

	(void)state;
	set_up(&bench);
	opens(&bench, 10, 7, 1);
	closes(&bench, 20, 8, 1);
	closes(&bench, 30, 8, 1);
	FOLLOW(&bench, {10, 1, 0}, {20, NONE, 0});
	assert_int_equal(bench.timeline->not_opened, 1);
	tear_down(&bench);
}

static void another_process_may_not(void **state)
{
	struct bench bench;

	(void)state;
	set_up(&bench);
	opens(&bench, 10, 7, 1);
	moves(&bench, 20, 1, 7, 1, true);
	closes(&bench, 30, 7, 1);
	FOLLOW(&bench, {10, 1, 0}, {30, NONE, 0});
	assert_int_equal(bench.timeline->not_opened, 1);
	tear_down(&bench);
}

static void what_never_ends_does_so_with_its_process(void **state)
{
	struct bench bench;

	(void)state;
	set_up(&bench);
	opens(&bench, 10, 7, 1);
	opens(&bench, 20, 7, 2);
	moves(&bench, 30, 1, 7, 3, false);
	FOLLOW(&bench, {10, 1, 0}, {20, 2, 0}, {30, 3, 1}, {1000, NONE, 0}, {5000, NONE, 1});
	assert_int_equal(bench.timeline->not_closed, 3);
	tear_down(&bench);
}

/* Thread 8 works in a layer below one of thread 7's. */
static void a_thread_that_works_for_another_need_not_end_its_layers(void **state)
{
	struct bench bench;
	struct model_layer *below;

	(void)state;
	set_up(&bench);
	below = table_slot(g_array_index(bench.model.processes, struct model_process, 0).layers, 2);
	*below = (struct model_layer){.defined = true, .parent = 1};
	opens(&bench, 10, 7, 1);
	opens(&bench, 20, 8, 2);
	closes(&bench, 30, 7, 1);
	FOLLOW(&bench, {10, 1, 0}, {20, 2, 1}, {30, NONE, 0}, {1000, NONE, 1});
	assert_int_equal(bench.timeline->not_closed, 0);
	tear_down(&bench);
}

/* What is opened without a launch is written late, with the time at which it was opened. */
static void time_does_not_run_backwards_in_a_thread(void **state)
{
	struct bench bench;

	(void)state;
	set_up(&bench);
	opens(&bench, 10, 7, 1);
	closes(&bench, 50, 7, 1);
	opens(&bench, 40, 7, 2);
	closes(&bench, 60, 7, 2);
	FOLLOW(&bench, {10, 1, 0}, {50, NONE, 0}, {50, 2, 0}, {60, NONE, 0});
	tear_down(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_innermost_layer_counts),
		cmocka_unit_test(threads_have_layers_of_their_own),
		cmocka_unit_test(an_end_ends_what_is_inside),
		cmocka_unit_test(another_thread_may_end_it),
		cmocka_unit_test(another_process_may_not),
		cmocka_unit_test(what_never_ends_does_so_with_its_process),
		cmocka_unit_test(a_thread_that_works_for_another_need_not_end_its_layers),
		cmocka_unit_test(time_does_not_run_backwards_in_a_thread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
