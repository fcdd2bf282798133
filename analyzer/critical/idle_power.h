/* SPDX-License-Identifier: MIT */
/* The power of devices while they are idle. */
#ifndef PWRTRACE_CRITICAL_IDLE_POWER_H
#define PWRTRACE_CRITICAL_IDLE_POWER_H

#include "analyzer/attribute/attribution.h"

/* Returns, by index in model->gpus, the mean power in watts while nothing ran on the device; NaN
 * where it was not measured or never idle.  What devices have in common counts for each in equal
 * parts.  The caller frees it. */
double *idle_powers_of(const struct attribution *attribution);

#endif
