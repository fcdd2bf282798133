/* SPDX-License-Identifier: MIT */
/* Numbers as text: as people read them, with three significant digits, an SI prefix or "unknown";
 * and joules exactly. */
#ifndef PWRTRACE_CELL_H
#define PWRTRACE_CELL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define CELL_MAX 32

/* "4.02 mJ" */
void cell_scaled(char cell[CELL_MAX], double value, const char *unit);

void cell_joules(char cell[CELL_MAX], bool known, uint64_t energy_nj);

/* "4.0 %", of a part of 1; negative: not known. */
void cell_percent(char cell[CELL_MAX], double part);

/* Writes a cell at the right end of a table's column of that width. */
void cell_put(FILE *out, const char *cell, int width);

/* Joules with all nine decimals.  Returns the cell. */
const char *cell_exact_joules(char cell[CELL_MAX], uint64_t energy_nj);

#endif
