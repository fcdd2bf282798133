/* SPDX-License-Identifier: MIT */
#include "preload/common/environment.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_named(const char *entry, const char *const *names)
{
	size_t length = strcspn(entry, "=");

	for (; *names; names++)
		if (strlen(*names) == length && strncmp(entry, *names, length) == 0)
			return true;
	return false;
}

char **environment_copy(size_t room, const char *const *without)
{
	size_t count = 0, used = room;
	char **copy;

	while (environ && environ[count])
		count++;
	copy = calloc(room + count + 1, sizeof(*copy));
	for (size_t i = 0; copy && i < count; i++)
		if (!is_named(environ[i], without))
			copy[used++] = environ[i];
	return copy;
}
