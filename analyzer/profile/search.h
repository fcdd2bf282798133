/* SPDX-License-Identifier: MIT */
/* How many executions a run needs until the last one is steady: step 3 of FinGraV (guidance.h),
 * which doubles their number from four on, and then bisects. */
#ifndef PWRTRACE_PROFILE_SEARCH_H
#define PWRTRACE_PROFILE_SEARCH_H

#include <stdbool.h>

struct executions_search {
	unsigned next;    /* the number to try */
	unsigned too_few; /* the greatest number that is known not to suffice */
	unsigned enough;  /* the least number that is known to suffice; 0: none */
};

struct executions_search executions_search_begin(void);

/* Says whether `next` executions suffice, and sets the next.  Returns false where there is none
 * left to try. */
bool executions_search_tell(struct executions_search *search, bool suffices);

#endif
