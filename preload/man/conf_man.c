/* SPDX-License-Identifier: MIT */
/* Prints the settings of conf.def as the items of a list in mdoc(7), for
 * pwrtrace-environment(7). */
#include <stdio.h>
#include <string.h>

static const struct {
	const char *variable, *preset, *help;
} settings[] = {
#define SETTING(field, variable, preset, takes, help) {variable, preset, help},
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

int main(void)
{
	for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++) {
		printf(".It Ev %s\n", settings[i].variable);
		print_sentences(settings[i].help);
		if (*settings[i].preset)
			printf("Default:\n.Ql %s .\n", settings[i].preset);
	}
	return 0;
}
