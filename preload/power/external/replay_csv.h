/* SPDX-License-Identifier: MIT */
/*
 * A recorded series of power or energy, as a CSV file.  Its header is
 *
 *   time_ns,device,domain,power_mw          or
 *   time_ns,device,domain,energy_uj         or what
 *   nvidia-smi --query-gpu=timestamp,power.draw.instant,... --format=csv
 *
 * writes, with power.draw, power.draw.instant, clocks.sm, temperature.gpu, uuid, pci.bus_id and
 * index among the columns that it may have.
 */
#ifndef PWRTRACE_REPLAY_CSV_H
#define PWRTRACE_REPLAY_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct replay_row {
	uint64_t time_ns;                     /* since the recording began */
	uint64_t value;                       /* milliwatts, or microjoules since any fixed time */
	uint32_t sm_clock_mhz, temperature_c; /* of a state; else not set */
};

/* All rows of one device, domain and quantity, in order of time. */
struct replay_series {
	char *device;
	char *domain;
	const char *part_of;
	const char *quantity; /* "power", "energy" or "state" */
	struct replay_row *rows;
	size_t count;
	size_t capacity;
	uint64_t period_ns; /* the median step, PWRTRACE_UNKNOWN_U64 for a single row */
};

struct replay_csv {
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
