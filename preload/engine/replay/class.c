/* SPDX-License-Identifier: MIT */
#include "preload/engine/replay/class.h"

#include "preload/common/clock.h"
#include "preload/engine/replay/budget.h"
#include "preload/engine/replay/choice.h"
#include "preload/engine/replay/snapshot.h"

#define LONG_NS PWRTRACE_NS_PER_MS /* what takes longer works on more than a cache can hold */

static uint64_t length_ns;

void class_set_length(uint64_t each_ns)
{
	length_ns = each_ns;
}

uint64_t class_length_ns(void)
{
	return length_ns;
}

uint64_t class_without_copies_ns(uint64_t usual_ns)
{
	return length_ns + 2 * usual_ns + REPLAY_BATCH_NS;
}

bool class_is_due(const struct replay_class *class)
{
	return !class->done || (class->sizes.replay_count && sizes_wanted(&class->sizes));
}

/* A class that was launched only in the first half of the run, as for initialization, is not
 * counted. One second is tolerance for busy hosts. */
static bool goes_on(const struct replay_class *class, uint64_t ran_ns)
{
	return class->launches && class->last_ran_ns + PWRTRACE_NS_PER_S >= ran_ns / 2;
}

bool class_is_waiting(const struct replay_class *class, uint64_t ran_ns)
{
	return class_is_due(class) && goes_on(class, ran_ns);
}

bool class_awaits_times(const struct replay_class *class, uint64_t ran_ns)
{
	return class->usual_ns < LONG_NS && ran_ns < class->times_by_ns &&
	       !sizes_are_timed(&class->sizes);
}

/* Many classes are replayed in the first step of a program, before it shows which of them have
 * other sizes. */
bool class_may_have_others(const struct replay_class *class, uint64_t ran_ns)
{
	return class->sizes.replay_count && class->sizes.count && !sizes_are_known(&class->sizes) &&
	       goes_on(class, ran_ns);
}

uint64_t class_usual_ns(const struct replay_class *class)
{
	uint64_t longest_ns = sizes_longest_ns(&class->sizes);

	return longest_ns > class->usual_ns ? longest_ns : class->usual_ns;
}

uint32_t class_replays(const struct replay_class *class)
{
	return sizes_wanted(&class->sizes) ?: 1;
}

uint64_t class_cost_ns(const struct replay_class *class, uint64_t copies_ns)
{
	return class_without_copies_ns(class_usual_ns(class)) + copies_ns;
}

uint64_t class_replay_ns(const struct replay_class *class, uint64_t assumed_ns)
{
	return class_cost_ns(class, snapshot_copies_ns(class->api, class->place, assumed_ns));
}

/* What the host sees is several times as long for a short kernel, and stands only for what the
 * device has not told yet. */
uint64_t class_all_busy_ns(const struct replay_class *class)
{
	return sizes_ran_ns(&class->sizes) ?: class->launches * class->usual_ns;
}

uint64_t class_busy_ns(const struct replay_class *class)
{
	return sizes_busy_ns(&class->sizes) ?: class_all_busy_ns(class);
}

const char class_hardly_ran[] =
	"it hardly ran, and the budget of all replays was not enough for all";
static const char no_budget[] = "what was left of the budget of all replays was not enough";

const char *class_why_left(const struct replay_class *class, uint64_t all_ns)
{
	uint64_t left_ns = budget_left_ns(), needed_ns = class_replay_ns(class, left_ns / 2);

	if (needed_ns > left_ns)
		return no_budget;
	if (class->sizes.replay_count)
		return NULL;
	if (class_awaits_times(class, class->last_ran_ns))
		return "the program did not launch it for long enough to time its launches";
	if (class->last_ran_ns < needed_ns)
		return "when it was last launched, the program had not run for as long as its "
		       "replay takes";
	/* What is left may be reserved for others. */
	return choice_is_rare(class_busy_ns(class), all_ns) ? class_hardly_ran : no_budget;
}
