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
#ifndef PWRTRACE_RECORDED_CSV_H
#define PWRTRACE_RECORDED_CSV_H

#include "preload/power/external/recorded_lines.h"

/*
 * Reads a whole file.  Fields may stand in double quotes ("" within them is one quote).  Within a
 * series times must rise and energies must not fall.  Returns 0; or -1 with "FILE:LINE: what is
 * wrong" in why (size bytes) and nothing to free.
 */
int recorded_csv_read(struct recorded_file *file, const char *path, char *why, size_t size);

#endif
