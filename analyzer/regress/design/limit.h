/* SPDX-License-Identifier: MIT */
/*
 * Replays, of kernels with little of the program's time, that the limit of the device's power held
 * back.  Launched one after the
 * other for half a second, a kernel may draw more than the device may: an H100 of 700 W draws 940 W
 * for 60 ms, and 780 W at three quarters of its clock from then on, where the program's few
 * launches run at full clock.  No one power fits such a replay.  What does not fit widens the
 * intervals of all kernels, and where this one has little of the program's time nothing is gained
 * for it.  (Of the others the clock tells, which the fit then has reason to take into account.)
 * A replay that becomes slower has pauses from then on, so that mostly none of its halves is held
 * back; no recording says whether it had (older ones had none, or in one half alone), and each half
 * is judged by its readings.
 */
#ifndef PWRTRACE_LIMIT_H
#define PWRTRACE_LIMIT_H

#include "analyzer/regress/design/classes.h"
#include "analyzer/response/reading.h"

/* When such halves of replays ran (struct model_span, as in analyzer/model/spans.h), of the one
 * device that the source measures, by its readings (struct power_reading).  The caller frees the
 * array. */
GArray *limit_spans(const struct model *model, const struct source *source,
	const struct classes *classes, const GArray *readings);

#endif
