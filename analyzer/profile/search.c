/* SPDX-License-Identifier: MIT */
#include "analyzer/profile/search.h"

#define FEWEST 4 /* after about three to warm up */

struct executions_search executions_search_begin(void)
{
	return (struct executions_search){.next = FEWEST, .too_few = FEWEST - 1};
}

bool executions_search_tell(struct executions_search *search, bool suffices)
{
	if (suffices)
		search->enough = search->next;
	else
		search->too_few = search->next;
	search->next = search->enough ? (search->too_few + search->enough) / 2 : 2 * search->next;
	return search->next > search->too_few;
}
