/* SPDX-License-Identifier: MIT */
/* Numbers as text for tables, rounded to three significant digits with an SI prefix, and joules
 * exactly.  All functions fill a buffer of the caller's. */
#ifndef PWRTRACE_CELL_H
#define PWRTRACE_CELL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define CELL_MAX 32 /* bytes, with the terminating null */

/* A value in a unit, as "4.02 mJ" for (0.00402, "J"); "unknown" where it is NaN or infinite. */
void cell_scaled(char cell[CELL_MAX], double value, const char *unit);

/* From one value to another in a unit, as "400 to 408 µs", or "998 µs to 1.02 ms"; one alone where
 * both read the same. */
#define CELL_RANGE_MAX (2 * CELL_MAX + 4)
void cell_range(char cell[CELL_RANGE_MAX], double low, double high, const char *unit);

/* A value as cell_scaled has it, without zeros at its end, as "4 mJ" for (0.004, "J"). */
void cell_scaled_short(char cell[CELL_MAX], double value, const char *unit);

/* An energy in nJ, as "4.02 mJ"; "unknown" where known is false. */
void cell_joules(char cell[CELL_MAX], bool known, uint64_t energy_nj);

/* A fraction, as "4.0 %" for 0.04; "unknown" where it is negative. */
void cell_percent(char cell[CELL_MAX], double part);

/* Writes a cell right-aligned in a column of width characters. */
void cell_put(FILE *out, const char *cell, int width);

/* An energy in nJ as joules with all nine decimals, as "0.004020000".  Returns cell. */
const char *cell_exact_joules(char cell[CELL_MAX], uint64_t energy_nj);

#endif
