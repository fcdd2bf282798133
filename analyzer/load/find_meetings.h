/* SPDX-License-Identifier: MIT */
/* Which ranks did the same collective, and when the last of them began (model/collective.h). */
#ifndef PWRTRACE_FIND_MEETINGS_H
#define PWRTRACE_FIND_MEETINGS_H

#include "analyzer/model/model.h"

/* Sets met_ns and meeting of all collectives, whose executions are known, and counts those that did
 * not run or meet. */
void find_meetings(struct model *model);

#endif
