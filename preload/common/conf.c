/* SPDX-License-Identifier: MIT */
#include "preload/common/conf.h"

#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct conf conf;

/* What a setting takes. */
struct value_type {
	enum { ANY_TEXT, ONE_WORD, LIST_OF_WORDS, A_NUMBER } kind;
	const char *words; /* separated by commas; of a number, its unit */
	double least, most;
};

#define ANYTHING                                                                                   \
	{                                                                                          \
		.kind = ANY_TEXT                                                                   \
	}
#define WORD(of)                                                                                   \
	{                                                                                          \
		.kind = ONE_WORD, .words = (of)                                                    \
	}
#define LIST(of)                                                                                   \
	{                                                                                          \
		.kind = LIST_OF_WORDS, .words = (of)                                               \
	}
#define NUMBER(from, to, unit)                                                                     \
	{                                                                                          \
		.kind = A_NUMBER, .words = (unit), .least = (from), .most = (to)                   \
	}

#define SOURCE(word, ...) #word ","
static const char layers_and_none[] =
#include "preload/common/layer_sources.def"
	"none";
#undef SOURCE

#define LAYERS LIST(layers_and_none)
#define POWER ANYTHING

static const struct setting {
	const char *variable, *preset;
	const char **value; /* in conf */
	struct value_type takes;
} settings[] = {
#define SETTING(field, variable, preset, takes, help) {variable, preset, &conf.field, takes},
#include "preload/common/conf.def"
#undef SETTING
};

#define SETTINGS (sizeof(settings) / sizeof(*settings))

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

static bool is_list_of(const char *words, const char *list)
{
	char item[64];

	for (;; list++) {
		size_t length = strcspn(list, ",");

		if (length >= sizeof(item))
			return false;
		memcpy(item, list, length);
		item[length] = 0;
		if (length && !conf_lists(words, item))
			return false;
		list += length;
		if (!*list)
			return true;
	}
}

double conf_number(const char *text)
{
	char *end;
	/* The C library has this locale: it is neither made nor to be freed. */
	double number = strtod_l(text, &end, newlocale(LC_ALL_MASK, "C", NULL));

	return end != text && !*end ? number : NAN;
}

static bool is_number(const struct value_type *takes, const char *value)
{
	double number = conf_number(value);

	return number >= takes->least && number <= takes->most;
}

static bool is_taken(const struct value_type *takes, const char *value)
{
	switch (takes->kind) {
	case ANY_TEXT:
		return true;
	case ONE_WORD:
		return !strchr(value, ',') && conf_lists(takes->words, value);
	case LIST_OF_WORDS:
		return is_list_of(takes->words, value);
	case A_NUMBER:
		return is_number(takes, value);
	}
	return false;
}

/* "a,b,c" as "a, b or c". */
static void write_words(char text[CONF_TEXT_MAX], const char *words)
{
	size_t used = 0;

	for (; *words && used + sizeof(" or ") < CONF_TEXT_MAX; words++) {
		const char *said = *words != ','            ? (char[]){*words, 0}
				   : strchr(words + 1, ',') ? ", "
							    : " or ";

		strcpy(text + used, said);
		used += strlen(said);
	}
}

static const char *describe(const struct value_type *takes, char text[CONF_TEXT_MAX])
{
	if (takes->kind == A_NUMBER)
		snprintf(text, CONF_TEXT_MAX, "%g to %g %s", takes->least, takes->most,
			takes->words);
	else
		write_words(text, takes->words);
	if (takes->kind == LIST_OF_WORDS)
		strncat(text, ", separated by commas", CONF_TEXT_MAX - strlen(text) - 1);
	return text;
}

const char *conf_refuses(const char *variable, const char *value, char text[CONF_TEXT_MAX])
{
	for (size_t i = 0; i < SETTINGS; i++)
		if (strcmp(settings[i].variable, variable) == 0)
			return is_taken(&settings[i].takes, value)
				       ? NULL
				       : describe(&settings[i].takes, text);
	return NULL;
}

/* The variable's value in the environment; NULL where it is not set. */
static const char *value_of(const struct setting *setting)
{
	const char *value = getenv(setting->variable);

	return value && *value ? value : NULL;
}

void conf_read(void)
{
	for (size_t i = 0; i < SETTINGS; i++) {
		const char *value = value_of(&settings[i]);

		*settings[i].value =
			value && is_taken(&settings[i].takes, value) ? value : settings[i].preset;
	}
}

void conf_say_refused(void (*say)(const char *line))
{
	char text[CONF_TEXT_MAX], line[512];

	for (size_t i = 0; i < SETTINGS; i++) {
		const char *value = value_of(&settings[i]);

		if (!value || is_taken(&settings[i].takes, value))
			continue;
		snprintf(line, sizeof(line), "%s=%.64s: it takes %s; the default is taken",
			settings[i].variable, value, describe(&settings[i].takes, text));
		say(line);
	}
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
