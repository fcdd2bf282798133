/* SPDX-License-Identifier: MIT */
#include "preload/conf.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct conf conf;

void conf_read(void)
{
	const char *value;

#define SETTING(field, variable, preset, help)                                                     \
	value = getenv(variable);                                                                  \
	conf.field = value && *value ? value : preset;
#include "preload/conf.def"
#undef SETTING
}

bool conf_lists(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (;;) {
		size_t item = strcspn(list, ",");

		if (item == length && strncmp(list, word, length) == 0)
			return true;
		if (!list[item])
			return false;
		list += item + 1;
	}
}

uint64_t conf_replay_ns(const char *text)
{
	char *end;
	double seconds = strtod(text, &end);

	if (end == text || *end || !(seconds >= 0 && seconds <= CONF_REPLAY_SECONDS_MAX))
		return UINT64_MAX;
	return (uint64_t)(seconds * 1e9);
}

int conf_output_dir(char *dir, size_t size, const char *app, int pid)
{
	const char *pattern = *conf.output ? conf.output : "pwrtrace-%a-%p";
	char host[HOST_NAME_MAX + 1] = "localhost";
	char number[16];
	size_t used = 0;

	gethostname(host, sizeof(host) - 1);
	snprintf(number, sizeof(number), "%d", pid);
	for (; *pattern; pattern++) {
		char single[2] = {*pattern, 0};
		const char *text = single;

		if (*pattern == '%' && pattern[1]) {
			pattern++;
			single[0] = *pattern;
			text = *pattern == 'h'   ? host
			       : *pattern == 'p' ? number
			       : *pattern == 'a' ? app
						 : single;
		}
		if (used + strlen(text) >= size)
			return -1;
		strcpy(dir + used, text);
		used += strlen(text);
	}
	dir[used] = 0;
	return 0;
}
