/* SPDX-License-Identifier: MIT */
/* Which executions belong to which collective, and which ranks met when (model/collective.h). */
#ifndef PWRTRACE_FIND_COLLECTIVES_H
#define PWRTRACE_FIND_COLLECTIVES_H

#include "analyzer/load/loader.h"

struct collective_ties;

/* Ties executions, whose times are final but which are not sorted yet, to the collectives whose
 * calls launched them: sets the collective of their origins. */
struct collective_ties *collectives_tie(struct loader *loader);

/* When they are sorted: fills in all that is known of collectives.  Frees the ties. */
void collectives_finish(struct model *model, struct collective_ties *ties);

#endif
