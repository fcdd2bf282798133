/* SPDX-License-Identifier: MIT */
/* The fills that a thread makes right before a launch, to be repeated with it (replay.h). */
#include "preload/engine/replay/program_state.h"

#define FILLS_MAX 4

static __thread struct replay_fill fills[FILLS_MAX];
static __thread unsigned count;

void replay_forget_fills(void)
{
	count = 0;
}

void replay_note_fill(const struct replay_fill *fill)
{
	bool is_small = fill->count <= REPLAY_FILL_BYTES / fill->unit_bytes;

	if (count == FILLS_MAX || !is_small)
		replay_forget_fills();
	if (is_small)
		fills[count++] = *fill;
}

bool replay_repeat_fills(void)
{
	bool done = true;

	/* The kernel cannot use memory that was freed since. */
	for (unsigned i = 0; i < count && done; i++)
		done = !replay_knows_memory(fills[i].to) || fills[i].again(&fills[i]);
	return done;
}

bool replay_refills(uintptr_t address)
{
	for (unsigned i = 0; i < count; i++)
		if (address - fills[i].to < fills[i].count * fills[i].unit_bytes)
			return true;
	return false;
}
