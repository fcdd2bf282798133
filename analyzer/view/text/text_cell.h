/* SPDX-License-Identifier: MIT */
/* Numbers as people read them: three significant digits, an SI prefix, "unknown". */
#ifndef PWRTRACE_TEXT_CELL_H
#define PWRTRACE_TEXT_CELL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define TEXT_CELL 32

void text_scaled(char cell[TEXT_CELL], double value, const char *unit);

void text_joules(char cell[TEXT_CELL], bool known, uint64_t energy_nj);

/* Of a part; negative: not known. */
void text_percent(char cell[TEXT_CELL], double part);

/* In a column of that width. */
void text_put_right(FILE *out, const char *cell, int width);

#endif
