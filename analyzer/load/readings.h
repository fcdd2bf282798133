/* SPDX-License-Identifier: MIT */
/* Cleans the readings of a sensor. */
#ifndef PWRTRACE_READINGS_H
#define PWRTRACE_READINGS_H

#include "analyzer/model/model.h"

/*
 * Sorts readings by time.  Of readings with equal timestamps, only the one that was written last is
 * kept.
 *
 * Of a counter, glitches are removed and counted in sensor->glitches: a few readings that are too
 * low (the counter falls, and then jumps back) or too high (it jumps, and then falls back).  A
 * counter that falls and goes on from there was reset; its readings are kept.
 *
 * Of a gauge of power, powers that no device can draw are removed and counted in the same way, as
 * drivers give them where they do not know the power: all that no device at all draws (model.h),
 * and at most one of a hundred readings, a hundred times as high as all others.
 */
void readings_tidy(struct model_sensor *sensor);

#endif
