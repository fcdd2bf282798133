/* SPDX-License-Identifier: MIT */
#include "analyzer/print/bar.h"

#include <glib.h>
#include <math.h>

#define EIGHTHS 8

static int eighths_of(double part)
{
	return (int)ceil(fmin(fmax(part, 0), 1) * EIGHTHS - 0.5);
}

const char *bar_upright(double part)
{
	static const char *const blocks[EIGHTHS + 1] = {
		" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

	return blocks[eighths_of(part)];
}

void bar_put(FILE *out, double part, int width)
{
	static const char *const blocks[EIGHTHS + 1] = {
		" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};

	for (int i = 0; i < width; i++)
		fputs(i == 0 && part > 0 ? blocks[MAX(1, eighths_of(part * width))]
					 : blocks[eighths_of(part * width - i)],
			out);
}
