/* SPDX-License-Identifier: MIT */
#include "preload/engine/replay/choice.h"

#include <stdlib.h>

static int by_busy(const void *a, const void *b)
{
	const struct replay_candidate *x = a, *y = b;

	return x->busy_ns > y->busy_ns ? -1 : x->busy_ns < y->busy_ns;
}

static uint64_t all_cost_ns(const struct replay_candidate *choice)
{
	return choice->cost_ns * (1 + choice->others);
}

void choice_make(struct replay_candidate *choices, size_t count, const struct choice_terms *terms)
{
	uint64_t left_ns = terms->left_ns, spent_ns = terms->all_ns - left_ns;
	uint64_t sum_ns = spent_ns, alone_ns = spent_ns;
	bool all, at_once;

	for (size_t i = 0; i < count; i++) {
		sum_ns += choices[i].reserves ? 0 : all_cost_ns(&choices[i]);
		alone_ns += choices[i].reserves ? 0 : choices[i].alone_ns * (1 + choices[i].others);
	}
	all = sum_ns <= terms->all_ns / 2;
	at_once = alone_ns <= terms->all_ns / 10;
	qsort(choices, count, sizeof(*choices), by_busy);
	for (size_t i = 0; i < count; i++) {
		struct replay_candidate *choice = &choices[i];
		bool rare = choice_is_rare(choice->busy_ns, terms->busy_ns);
		bool ready = choice->busy_ns && (at_once || !choice->awaits);
		bool affordable = ready && choice->cost_ns <= left_ns && (all || !rare);

		/* The cost of a class that must still wait is reserved for it. */
		if (affordable)
			left_ns -= all_cost_ns(choice) < left_ns ? all_cost_ns(choice) : left_ns;
		choice->chosen = affordable && !choice->reserves &&
				 (all || terms->ran_ns >= choice->cost_ns);
	}
}
