/* SPDX-License-Identifier: MIT */
#include "preload/engine/replay/choice.h"
#include "pwrtrace/units.h"
#include "tests/unit/unit.h"

#define S PWRTRACE_NS_PER_S

static bool is_chosen(const struct replay_candidate *choices, size_t count, uint32_t class_id)
{
	for (size_t i = 0; i < count; i++)
		if (choices[i].class_id == class_id)
			return choices[i].chosen;
	return false;
}

static void all_are_taken_at_once_while_half_of_the_budget_is_enough(void **state)
{
	struct replay_candidate choices[] = {{1, 1, 10 * S, 0, false, false, 0, false},
		{2, 5, 10 * S, 0, false, false, 0, false},
		{3, 0, 10 * S, 0, false, false, 0, false}};

	(void)state;
	choice_make(choices, 3, &(struct choice_terms){60 * S, 60 * S, 0, 6});
	assert_true(is_chosen(choices, 3, 1));
	assert_true(is_chosen(choices, 3, 2));
	/* It was not timed. */
	assert_false(is_chosen(choices, 3, 3));
	/* The part of the budget that was spent counts too. */
	choice_make(choices, 3, &(struct choice_terms){60 * S, 59 * S, 0, 6});
	assert_false(is_chosen(choices, 3, 1));
	assert_false(is_chosen(choices, 3, 2));
}

static void else_the_busiest_come_first(void **state)
{
	struct replay_candidate choices[] = {{1, 1 * S, 25 * S, 0, false, false, 0, false},
		{2, 9 * S, 25 * S, 0, false, false, 0, false},
		{3, 5 * S, 25 * S, 0, false, false, 0, false}};

	(void)state;
	choice_make(choices, 3, &(struct choice_terms){60 * S, 60 * S, 30 * S, 15 * S});
	assert_int_equal(choices[0].class_id, 2);
	assert_true(is_chosen(choices, 3, 2));
	assert_true(is_chosen(choices, 3, 3));
	assert_false(is_chosen(choices, 3, 1));
}

static void one_that_does_not_fit_makes_way_for_smaller_ones(void **state)
{
	struct replay_candidate choices[] = {{1, 1 * S, 2 * S, 0, false, false, 0, false},
		{2, 9 * S, 61 * S, 0, false, false, 0, false},
		{3, 5 * S, 59 * S, 0, false, false, 0, false}};

	(void)state;
	choice_make(choices, 3, &(struct choice_terms){60 * S, 60 * S, 100 * S, 15 * S});
	assert_false(is_chosen(choices, 3, 2));
	assert_true(is_chosen(choices, 3, 3));
	assert_false(is_chosen(choices, 3, 1));
	choice_make(choices, 3, &(struct choice_terms){60 * S, 5 * S, 100 * S, 15 * S});
	assert_true(is_chosen(choices, 3, 1));
}

static void none_costs_more_than_the_program_has_run(void **state)
{
	struct replay_candidate choices[] = {{1, 9 * S, 20 * S, 0, false, false, 0, false},
		{2, 5 * S, 15 * S, 0, false, false, 0, false}};

	(void)state;
	choice_make(choices, 2, &(struct choice_terms){40 * S, 40 * S, 19 * S, 15 * S});
	assert_false(is_chosen(choices, 2, 1));
	assert_true(is_chosen(choices, 2, 2));
	/* A class that waits for its replay keeps its part of the budget. */
	choice_make(choices, 2, &(struct choice_terms){40 * S, 30 * S, 19 * S, 15 * S});
	assert_false(is_chosen(choices, 2, 2));
	choice_make(choices, 2, &(struct choice_terms){40 * S, 30 * S, 20 * S, 15 * S});
	assert_true(is_chosen(choices, 2, 1));
}

/* The busiest was replayed, and may have another size: there is no room for the least busy one. */
static void what_may_follow_is_reserved(void **state)
{
	struct replay_candidate choices[] = {{1, 9 * S, 20 * S, 0, false, true, 0, false},
		{2, 5 * S, 20 * S, 0, false, false, 0, false},
		{3, 1 * S, 20 * S, 0, false, false, 0, false}};
	const struct choice_terms terms = {60 * S, 40 * S, 30 * S, 15 * S};

	(void)state;
	choice_make(choices, 3, &terms);
	assert_false(is_chosen(choices, 3, 1));
	assert_true(is_chosen(choices, 3, 2));
	assert_false(is_chosen(choices, 3, 3));
	choice_make(choices + 1, 2, &terms);
	assert_true(is_chosen(choices + 1, 2, 3));
}

/* The busiest waits for three replays: there must be room, and time, for the next one. */
static void sizes_are_replayed_one_by_one(void **state)
{
	struct replay_candidate choices[] = {{1, 9 * S, 20 * S, 0, false, false, 2, false},
		{2, 5 * S, 15 * S, 0, false, false, 0, false}};

	(void)state;
	choice_make(choices, 2, &(struct choice_terms){60 * S, 50 * S, 20 * S, 15 * S});
	assert_true(is_chosen(choices, 2, 1));
	/* What is left is reserved for its other sizes. */
	assert_false(is_chosen(choices, 2, 2));
	/* All would take more than half of the budget. */
	choice_make(choices, 2, &(struct choice_terms){149 * S, 149 * S, 0, 15 * S});
	assert_false(is_chosen(choices, 2, 1));
	choice_make(choices, 2, &(struct choice_terms){150 * S, 150 * S, 0, 15 * S});
	assert_true(is_chosen(choices, 2, 1));
}

/* One that has run for a thousandth of all is as good as another; of less, it is rare. */
static void what_hardly_ran_is_left_alone_unless_there_is_room_for_all(void **state)
{
	struct replay_candidate choices[] = {{1, S / 1000, 10 * S, 0, false, false, 0, false},
		{2, S / 1000 - 1, 10 * S, 0, false, false, 0, false},
		{3, S / 2, 10 * S, 0, false, false, 0, false}};

	(void)state;
	choice_make(choices, 3, &(struct choice_terms){50 * S, 50 * S, 60 * S, S});
	assert_true(is_chosen(choices, 3, 1));
	assert_false(is_chosen(choices, 3, 2));
	assert_true(is_chosen(choices, 3, 3));
	choice_make(choices, 3, &(struct choice_terms){60 * S, 60 * S, 60 * S, S});
	assert_true(is_chosen(choices, 3, 2));
}

static void times_are_awaited_unless_a_tenth_of_the_budget_is_enough_for_all(void **state)
{
	struct replay_candidate choices[] = {{1, 9 * S, 3 * S, 0, false, false, 0, true},
		{2, 5 * S, 3 * S, 0, false, false, 0, false}};

	(void)state;
	choice_make(choices, 2, &(struct choice_terms){60 * S, 60 * S, 0, 15 * S});
	assert_true(is_chosen(choices, 2, 1));
	choice_make(choices, 2, &(struct choice_terms){59 * S, 59 * S, 0, 15 * S});
	assert_false(is_chosen(choices, 2, 1));
	assert_true(is_chosen(choices, 2, 2));
	/* Nothing is reserved for one of which it is not known how busy it is. */
	choice_make(choices, 2, &(struct choice_terms){59 * S, 4 * S, 60 * S, 15 * S});
	assert_true(is_chosen(choices, 2, 2));
	/* Copies of memory, which are not known before the first replay, make none wait. */
	choices[0].copies_ns = choices[1].copies_ns = 3 * S - S / 10;
	choice_make(choices, 2, &(struct choice_terms){59 * S, 59 * S, 0, 15 * S});
	assert_true(is_chosen(choices, 2, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_are_taken_at_once_while_half_of_the_budget_is_enough),
		cmocka_unit_test(else_the_busiest_come_first),
		cmocka_unit_test(one_that_does_not_fit_makes_way_for_smaller_ones),
		cmocka_unit_test(none_costs_more_than_the_program_has_run),
		cmocka_unit_test(what_may_follow_is_reserved),
		cmocka_unit_test(sizes_are_replayed_one_by_one),
		cmocka_unit_test(what_hardly_ran_is_left_alone_unless_there_is_room_for_all),
		cmocka_unit_test(times_are_awaited_unless_a_tenth_of_the_budget_is_enough_for_all),
	};

	return cmocka_run_group_tests_name("choice", tests, NULL, NULL);
}
