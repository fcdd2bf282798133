/* SPDX-License-Identifier: MIT */
/* Series of a recorded file, and what the readers of its formats (recorded_csv.h) share. */
#ifndef PWRTRACE_RECORDED_LINES_H
#define PWRTRACE_RECORDED_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct recorded_row {
	uint64_t time_ns;                     /* since the recording began */
	uint64_t value;                       /* milliwatts, or microjoules since any fixed time */
	uint32_t sm_clock_mhz, temperature_c; /* of a state; else 0 */
};

/* All rows of one device, domain and quantity, in order of time. */
struct recorded_series {
	char *device;
	char *domain;
	const char *part_of;
	const char *quantity; /* "power", "energy" or "state" */
	struct recorded_row *rows;
	size_t count;
	size_t capacity;
	uint64_t period_ns; /* the median step, PWRTRACE_UNKNOWN_U64 for a single row */
};

/* Owns the series. */
struct recorded_file {
	struct recorded_series *series;
	size_t count;
};

/* Where a reader is in the file, and where it says what is wrong. */
struct recorded_lines {
	struct recorded_file *file;
	const char *path;
	unsigned line;
	char *why;
	size_t size;
};

/* Returns -1 with "FILE:LINE: " and the text in why. */
__attribute__((format(printf, 2, 3))) int recorded_refuse(
	const struct recorded_lines *lines, const char *format, ...);

/* Takes one field off *text in place, quotes removed; *text becomes NULL after the last one.
 * Returns NULL for a quote left open. */
char *recorded_take_field(char **text);

/* Finds or adds the series.  device and domain are copied, the others borrowed.  Returns NULL where
 * memory is short. */
struct recorded_series *recorded_series_of(struct recorded_file *file, const char *device,
	const char *domain, const char *part_of, const char *quantity);

/* Returns 0 or -1 where memory is short. */
int recorded_append(const struct recorded_lines *lines, struct recorded_series *series,
	struct recorded_row row);

void recorded_file_free(struct recorded_file *file);

#endif
