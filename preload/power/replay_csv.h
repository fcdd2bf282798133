/* SPDX-License-Identifier: MIT */
/* A recorded series of power or energy, as a CSV file with the header
 * time_ns,device,domain,power_mw or time_ns,device,domain,energy_uj. */
#ifndef PWRTRACE_REPLAY_CSV_H
#define PWRTRACE_REPLAY_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct replay_row {
	uint64_t time_ns; /* since the recording began */
	uint64_t value;   /* milliwatts, or microjoules since any fixed time */
};

/* All rows of one (device, domain), in order of time. */
struct replay_series {
	char *device;
	char *domain;
	struct replay_row *rows;
	size_t count;
	size_t capacity;
	uint64_t period_ns; /* the median step, PWRTRACE_UNKNOWN_U64 for a single row */
};

struct replay_csv {
	bool is_energy;
	struct replay_series *series;
	size_t count;
};

/*
 * Reads a whole file.  Fields may stand in double quotes ("" within them is one quote).  Within a
 * series times must rise and energies must not fall.  Returns 0; or -1 with "FILE:LINE: what is
 * wrong" in why (size bytes) and nothing to free.
 */
int replay_csv_read(struct replay_csv *csv, const char *path, char *why, size_t size);

void replay_csv_free(struct replay_csv *csv);

#endif
