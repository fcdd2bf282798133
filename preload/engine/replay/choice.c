/* SPDX-License-Identifier: MIT */
#include "preload/engine/replay/choice.h"

#include <stdlib.h>

static int by_busy(const void *a, const void *b)
{
	const struct replay_candidate *x = a, *y = b;

	return x->busy_ns > y->busy_ns ? -1 : x->busy_ns < y->busy_ns;
}

static uint64_t all_replays(const struct replay_candidate *choice)
{
	return 1 + choice->others;
}

void choice_make(struct replay_candidate *choices, size_t count, const struct choice_terms *terms)
{
	uint64_t left_ns = terms->left_ns, needed_ns = terms->all_ns - left_ns, copies_ns = 0;
	bool all, at_once;

	for (size_t i = 0; i < count; i++) {
		uint64_t replays = choices[i].reserves ? 0 : all_replays(&choices[i]);

		needed_ns += choices[i].cost_ns * replays;
		copies_ns += choices[i].copies_ns * replays;
	}
	all = needed_ns <= terms->all_ns / 2;
	at_once = needed_ns - copies_ns <= terms->all_ns / 10;
	qsort(choices, count, sizeof(*choices), by_busy);
	for (size_t i = 0; i < count; i++) {
		struct replay_candidate *choice = &choices[i];
		bool rare = choice_is_rare(choice->busy_ns, terms->busy_ns);
		bool ready = choice->busy_ns && (at_once || !choice->awaits);
		bool affordable = ready && choice->cost_ns <= left_ns && (all || !rare);
		uint64_t cost_ns = choice->cost_ns * all_replays(choice);

		/* The cost of a class that must still wait is reserved for it. */
		if (affordable)
			left_ns -= cost_ns < left_ns ? cost_ns : left_ns;
		choice->chosen = affordable && !choice->reserves &&
				 (all || terms->ran_ns >= choice->cost_ns);
	}
}
