/* SPDX-License-Identifier: MIT */
/* The settings of conf.def, read from the environment once. */
#ifndef PWRTRACE_CONF_H
#define PWRTRACE_CONF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Each field is a string of the environment (borrowed) or the row's default; never NULL. */
struct conf {
#define SETTING(field, variable, value, help) const char *field;
#include "preload/conf.def"
#undef SETTING
};

extern struct conf conf;

/* Fills conf from the environment.  Allocates nothing; call it again after a change. */
void conf_read(void);

/* Whether the comma-separated list holds word as one whole item. */
bool conf_lists(const char *list, const char *word);

/* How long PWRTRACE_REPLAY, or another text, asks for: 0 to CONF_REPLAY_SECONDS_MAX seconds, in ns;
 * UINT64_MAX where it is no such time. */
#define CONF_REPLAY_SECONDS_MAX 60
uint64_t conf_replay_ns(const char *text);

/* Writes PWRTRACE_OUTPUT, or the default directory, with %h, %p, %a and %% filled in.  Returns 0,
 * or -1 when it does not fit in size bytes. */
int conf_output_dir(char *dir, size_t size, const char *app, int pid);

#endif
