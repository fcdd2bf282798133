/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/design/blocks.h"

#define LENGTH_NS 2e9 /* long against a sensor's period, short against a recording */
#define PER_FOLD 2    /* blocks at least, so that short recordings have shorter ones */
#define MOST 500      /* blocks, each with an offset: long recordings have longer ones */

struct blocks blocks_of(const struct power_reading *readings, guint count)
{
	double begin_ns = readings[0].time_ns, span_ns = readings[count - 1].time_ns - begin_ns;

	return (struct blocks){begin_ns, span_ns,
		CLAMP(LENGTH_NS, span_ns / MOST, span_ns / (PER_FOLD * BLOCKS_FOLDS) + 1)};
}

guint blocks_at(const struct blocks *blocks, double time_ns)
{
	double since_ns = MAX(time_ns - blocks->begin_ns, 0);

	return (guint)(MIN(since_ns, blocks->span_ns) / blocks->length_ns);
}

guint blocks_fold(const struct blocks *blocks, double time_ns)
{
	guint block = blocks_at(blocks, time_ns);
	guint last = blocks_at(blocks, blocks->begin_ns + blocks->span_ns);

	return (block + (block == last && block % BLOCKS_FOLDS == 0)) % BLOCKS_FOLDS;
}
