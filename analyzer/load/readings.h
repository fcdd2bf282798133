/* SPDX-License-Identifier: MIT */
/* What a sensor said, as all that follows may rely on it. */
#ifndef PWRTRACE_READINGS_H
#define PWRTRACE_READINGS_H

#include "analyzer/model/model.h"

/*
 * Puts readings in the order of time, one for each moment: of equal stamps the one written last.
 *
 * Of a counter, readings that others contradict are left out and counted in sensor->glitches: a few
 * below the one before them where the counter is then back, or above the one after them where it
 * had been below that.  A counter that falls and goes on from there has begun anew, and is left as
 * it is.
 */
void readings_tidy(struct model_sensor *sensor);

#endif
