/* SPDX-License-Identifier: MIT */
#include "preload/power/core/notes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void power_notes_add(struct power_notes *notes, const char *what, const char *format, ...)
{
	struct power_note *list = reallocarray(notes->list, notes->count + 1, sizeof(*list));
	va_list args;
	char *why;
	int length;

	if (!list)
		return;
	notes->list = list;
	va_start(args, format);
	length = vasprintf(&why, format, args);
	va_end(args);
	if (length >= 0)
		list[notes->count++] = (struct power_note){what, why};
}

const struct power_note *power_notes_at(const struct power_notes *notes, size_t i)
{
	return i < notes->count ? &notes->list[i] : NULL;
}

void power_notes_free(struct power_notes *notes)
{
	for (size_t i = 0; i < notes->count; i++)
		free((char *)notes->list[i].why);
	free(notes->list);
}
