/* SPDX-License-Identifier: MIT */
/* What the utilization of a device's parts tells of a kernel's dynamic power before any reading:
 * equation (8e) of analyzer/regress/README.md, with the coefficients of utilization_power.def. */
#ifndef PWRTRACE_UTILIZATION_POWER_H
#define PWRTRACE_UTILIZATION_POWER_H

#include "analyzer/regress/design/expectation.h"
#include "analyzer/regress/utilization/utilization.h"

/* By column of the classes; the caller frees it.  NULL: utilization is NULL or lacks a part, or
 * utilization_power.def has not the device. */
struct expectation *utilization_powers_of(const struct model *model, const struct classes *classes,
	const struct utilization *utilization);

#endif
