/* SPDX-License-Identifier: MIT */
/* What the readers of the formats of replay_csv.h share. */
#ifndef PWRTRACE_REPLAY_LINES_H
#define PWRTRACE_REPLAY_LINES_H

#include "preload/power/external/replay_csv.h"

struct replay_lines {
	struct replay_csv *csv;
	const char *path;
	unsigned line;
	char *why;
	size_t size;
};

/* Returns -1 with "FILE:LINE: " and the text in why. */
__attribute__((format(printf, 2, 3))) int replay_refuse(
	const struct replay_lines *lines, const char *format, ...);

/* Takes one field off *text in place, quotes removed; *text becomes NULL after the last one.
 * Returns NULL for a quote left open. */
char *replay_take_field(char **text);

/* Finds or adds the series.  device and domain are copied, the others borrowed.  Returns NULL where
 * memory is short. */
struct replay_series *replay_series_of(struct replay_csv *csv, const char *device,
	const char *domain, const char *part_of, const char *quantity);

/* Returns 0 or -1 where memory is short. */
int replay_append(
	const struct replay_lines *lines, struct replay_series *series, struct replay_row row);

/* nvidia-smi's format: its columns, by what they hold. */
#define REPLAY_SMI_COLUMNS_MAX 64

struct replay_smi {
	uint8_t column[REPLAY_SMI_COLUMNS_MAX];
	size_t count;
	bool begun;
	int64_t first_ns; /* the first row's wall-clock time */
};

/* Takes the header.  Returns 0, or -1 with why where there is no power in the file. */
int replay_smi_begin(struct replay_smi *smi, const struct replay_lines *lines, char *header);

int replay_smi_row(struct replay_smi *smi, const struct replay_lines *lines, char *text);

#endif
