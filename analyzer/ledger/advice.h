/* SPDX-License-Identifier: MIT */
/* What would make the intervals of a program's kernels and copies narrower. */
#ifndef PWRTRACE_ADVICE_H
#define PWRTRACE_ADVICE_H

#include "analyzer/regress/fit.h"

/* Intervals are narrow where this part of the energy is known to this part of itself. */
#define ADVICE_MOST 0.8
#define ADVICE_WIDE 0.1

#define ADVICE_LONGER 5 /* times the recording, of which the widths are predicted */

/* The half intervals, as a part of their energy, that classes with half, and with ADVICE_MOST, of
 * the energy have at most. */
struct advice_widths {
	double half, most;
};

struct advice {
	struct advice_widths now;
	struct advice_widths longer; /* of a recording ADVICE_LONGER as long; NaN: not known */
	/* How much longer to record for intervals to be narrow: 0 where they are; infinite where no
	 * recording will do; NaN where that is not known. */
	double more_s;
	double loop_ns; /* the period of the loop that the program runs; NaN: it runs none */
	/* The kernels that replay would tell of: with wide intervals, and neither replayed nor
	 * refused in this recording; and about how long it would hold up the program. */
	guint replay_kernels;
	double replay_s;
	double replay_budget_s; /* the budget that it needs; NaN: what it has without a number */
	bool calibrate;         /* the readings do not tell how the sensor answers */
};

struct advice advice_of(const struct fit *fit);

#endif
