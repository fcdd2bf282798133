/* SPDX-License-Identifier: MIT */
/* The sensors of this machine, and how they are shown. */
#ifndef PWRTRACE_SENSORS_LIST_H
#define PWRTRACE_SENSORS_LIST_H

#include "preload/power/kept_response.h"
#include "preload/power/sources.h"

/* A sensor as it is listed. */
struct entry {
	const struct source *source;
	struct power_sensor sensor; /* with its measured times */
	const char *part_of;
	uint64_t read_cost_ns; /* PWRTRACE_UNKNOWN_U64 where it cannot be read, or need not be */
	bool calibrated;
	struct kept_response response;
};

struct entries {
	struct sources sources;
	struct entry *list;
	size_t count;
};

/* "" for NULL. */
const char *entry_text(const char *text);

/* "gauge", "counter", "state" or "estimate". */
const char *entry_kind(const struct entry *entry);

/* Calls put with what each source has to say beside its sensors. */
void entries_each_note(const struct entries *entries,
	void (*put)(void *data, const char *source, const char *why), void *data);

/* On the standard output. */
void entries_put_text(const struct entries *entries);
void entries_put_json(const struct entries *entries);

#endif
