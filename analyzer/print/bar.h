/* SPDX-License-Identifier: MIT */
/* Bars of block characters, which show eighths. */
#ifndef PWRTRACE_BAR_H
#define PWRTRACE_BAR_H

#include <stdio.h>

/* The character of a bar that fills so much of its height; less than 0 and more than 1 are as
 * these.
 */
const char *bar_upright(double part);

/* Writes a bar that fills so much of width characters, and blanks behind it.  What is not nothing
 * shows. */
void bar_put(FILE *out, double part, int width);

#endif
