/* SPDX-License-Identifier: MIT */
/* Which launch a profiler asks about; on the launching thread. */
#include "preload/engine/gpu/hip/hip.h"

static __thread struct {
	const uint32_t *correlations;
	int count, next;
} each;

void hip_correlate_each(const uint32_t *correlations, int count)
{
	each.correlations = correlations;
	each.count = count;
	each.next = 0;
}

uint32_t hip_current_correlation(void)
{
	if (!each.count)
		return stream_correlation;
	return each.correlations[each.next < each.count - 1 ? each.next++ : each.next];
}
