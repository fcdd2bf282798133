/* SPDX-License-Identifier: MIT */
/* Sets the times of several machines side by side. */
#ifndef PWRTRACE_ALIGN_MACHINES_H
#define PWRTRACE_ALIGN_MACHINES_H

#include "analyzer/model/model.h"

/* Moves all times of a model to the clock of the machine that booted first, by the time of day;
 * those of a machine that does not know that stay.  Times that are not known stay so. */
void align_machines(struct model *model);

#endif
