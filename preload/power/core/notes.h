/* SPDX-License-Identifier: MIT */
/* A list of notes, for a source's op of that name. */
#ifndef PWRTRACE_POWER_NOTES_H
#define PWRTRACE_POWER_NOTES_H

#include "preload/power/core/power.h"

/* Zero before the first note; owns the texts. */
struct power_notes {
	struct power_note *list;
	size_t count;
};

/* what: an event, borrowed.  A note that finds no memory is not said. */
__attribute__((format(printf, 3, 4))) void power_notes_add(
	struct power_notes *notes, const char *what, const char *format, ...);

/* The i-th note, or NULL. */
const struct power_note *power_notes_at(const struct power_notes *notes, size_t i);

void power_notes_free(struct power_notes *notes);

#endif
