/* SPDX-License-Identifier: MIT */
#include "analyzer/attribute/energies.h"

#include <math.h>

#define ROOM_MIN 256

static const struct energy no_energy = {0, NAN};

static struct energy *slots_new(guint room)
{
	struct energy *slots = g_new(struct energy, room);

	for (guint i = 0; i < room; i++)
		slots[i] = no_energy;
	return slots;
}

void energies_begin(struct energies *energies)
{
	*energies = (struct energies){.slots = slots_new(ROOM_MIN), .room = ROOM_MIN};
}

void energies_end(struct energies *energies)
{
	g_free(energies->slots);
}

static struct energy *slot_of(const struct energies *energies, guint execution)
{
	return &energies->slots[execution & (energies->room - 1)];
}

static void grow(struct energies *energies, guint room)
{
	struct energies larger = {.slots = slots_new(room), .room = room, .first = energies->first};

	for (guint i = 0; i < energies->room; i++)
		*slot_of(&larger, energies->first + i) = *slot_of(energies, energies->first + i);
	energies_end(energies);
	*energies = larger;
}

struct energy *energies_at(struct energies *energies, guint execution)
{
	guint room = energies->room;

	while (execution - energies->first >= room)
		room *= 2;
	if (room > energies->room)
		grow(energies, room);
	return slot_of(energies, execution);
}

struct energy energies_take(struct energies *energies)
{
	struct energy *slot = slot_of(energies, energies->first), energy = *slot;

	*slot = no_energy;
	energies->first++;
	return energy;
}
