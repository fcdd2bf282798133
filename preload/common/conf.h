/* SPDX-License-Identifier: MIT */
/* The settings of conf.def, read from the environment once. */
#ifndef PWRTRACE_CONF_H
#define PWRTRACE_CONF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Each field is a string of the environment (borrowed) or the row's default; never NULL. */
struct conf {
#define SETTING(field, variable, preset, takes, help) const char *field;
#include "preload/common/conf.def"
#undef SETTING
};

extern struct conf conf;

/* Fills conf from the environment; a variable that is set to what it does not take has its default.
 * Allocates nothing; call it again after a change. */
void conf_read(void);

/* The setting that record --counters stands for, in seconds. */
#define CONF_COUNTERS_ALONE "120"

/* Returns NULL where the variable takes the value, else what it takes, as "node or graph", which is
 * written to text. */
#define CONF_TEXT_MAX 128
const char *conf_refuses(const char *variable, const char *value, char text[CONF_TEXT_MAX]);

/* Calls say with one line for each variable that is set to what it does not take. */
void conf_say_refused(void (*say)(const char *line));

/* The number that text is from its first to its last byte, with a point before its fraction
 * whatever the program's locale; NaN where it is none.  Allocates nothing. */
double conf_number(const char *text);

/* Whether the comma-separated list holds word as one whole item. */
bool conf_lists(const char *list, const char *word);

/* Writes PWRTRACE_OUTPUT, or the default directory, with %h, %p, %a and %% filled in.  Returns 0,
 * or -1 when it does not fit in size bytes. */
int conf_output_dir(char *dir, size_t size, const char *app, int pid);

#endif
