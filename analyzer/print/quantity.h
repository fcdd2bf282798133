/* SPDX-License-Identifier: MIT */
/* Numbers with units as people write them: the reverse of cell.h. */
#ifndef PWRTRACE_QUANTITY_H
#define PWRTRACE_QUANTITY_H

/* The number that a text says in a unit, an SI unit without a prefix, or "" for a part of 1: of
 * "0.26", "260m", "260ms" and "260 ms" in "s" 0.26, of "2%" in "" 0.02.  NaN where it says none. */
double quantity_parse(const char *text, const char *unit);

/* What is measured in a unit, as "time" in "s"; "number" where that is not known. */
const char *quantity_name(const char *unit);

#endif
