/* SPDX-License-Identifier: MIT */
/* How wide the intervals of many energies are, as one figure. */
#ifndef PWRTRACE_WIDTHS_H
#define PWRTRACE_WIDTHS_H

#include <glib.h>

/* Half an interval, as a part of its energy; infinite: not known. */
struct energy_width {
	double part, energy_j;
};

/* The width (struct energy_width) within which this part of the energy is known, counted from the
 * narrowest, which are put first; infinite where that much is not known. */
double widths_within(GArray *widths, double part);

#endif
