/* SPDX-License-Identifier: MIT */
/* Prints the settings of conf.def as the items of a list in mdoc(7), for
 * pwrtrace-environment(7). */
#include <stdio.h>
#include <string.h>

/* A word that a setting takes and what it stands for; a row of NULLs ends a list. */
struct word {
	const char *word, *argument, *help;
};

static const struct word layers[] = {
#define SOURCE(word, name, variable, help) {#word, "", help},
#include "preload/common/layer_sources.def"
#undef SOURCE
	{0},
};

static const struct word power[] = {
#define POWER_SOURCE(name, argument, used, help) {#name, argument, help},
#include "preload/common/power_sources.def"
#undef POWER_SOURCE
	{0},
};

/* The words of others are in their help. */
#define ANYTHING NULL
#define WORD(of) NULL
#define LIST(of) NULL
#define NUMBER(from, to, unit) NULL
#define LAYERS layers
#define POWER power

static const struct {
	const char *variable, *preset, *help;
	const struct word *words;
} settings[] = {
#define SETTING(field, variable, preset, takes, help) {variable, preset, help, takes},
#include "preload/common/conf.def"
#undef SETTING
};

/* One line for each sentence: troff sets the space behind it. */
static void print_sentences(const char *text)
{
	const char *end;

	while ((end = strstr(text, ". "))) {
		printf("%.*s\n", (int)(end + 1 - text), text);
		text = end + 2;
	}
	puts(text);
}

static void print_words(const struct word *word)
{
	puts(".Bl -tag -width exec:COMMAND -compact");
	for (; word->word; word++) {
		printf(".It Cm %s", word->word);
		if (*word->argument)
			printf(" : Ns Ar %s", word->argument + 1);
		printf("\n%s\n", word->help);
	}
	puts(".El");
}

int main(void)
{
	for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++) {
		printf(".It Ev %s\n", settings[i].variable);
		print_sentences(settings[i].help);
		if (*settings[i].preset)
			printf("Default:\n.Ql %s .\n", settings[i].preset);
		if (settings[i].words)
			print_words(settings[i].words);
	}
	return 0;
}
