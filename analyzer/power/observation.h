/* SPDX-License-Identifier: MIT */
/* What two sweeps gather of the power of a unit, or of the sum: in the first one moving averages
 * and totals, in the second one the buffers, which need the mean. */
#ifndef PWRTRACE_OBSERVATION_H
#define PWRTRACE_OBSERVATION_H

#include "analyzer/power/buffer.h"
#include "analyzer/power/moving.h"
#include "analyzer/power/sweep.h"

#define OBSERVATION_REASONS 64 /* bits of throttle_reasons */

enum { LIMIT_TGP, LIMIT_EDPP, LIMITS };

/* Of one of the two curves. */
struct observed_curve {
	struct buffer_total total;
	uint64_t above_ns[LIMITS];
	struct buffer buffer;
};

struct observation {
	uint64_t window_ns;       /* as in struct power_unit */
	uint64_t measures_ns;     /* averages over shorter windows are modelled */
	bool apart;               /* a sum over several machines: modelled powers are not known */
	int64_t limit_uw[LIMITS]; /* INT64_MAX: not known */
	GPtrArray *moving;        /* struct moving *: of each length one */
	struct observed_curve modelled, measured;
	__int128 uncertain_fj; /* of the modelled curve */
	uint64_t reason_ns[OBSERVATION_REASONS],
		reasons_ns; /* of each, and in which they are known */
};

/* Begins an observation, which observation_clear frees. */
void observation_begin(struct observation *observation, const GArray *lengths_ns);
void observation_clear(struct observation *observation);

/* Whether the averages over windows of a length are measured. */
static inline bool observation_measures(const struct observation *observation, uint64_t length_ns)
{
	return length_ns >= observation->measures_ns;
}

/* Whether modelled powers are known. */
bool observation_told_apart(const struct observation *observation);

/* The window of a length, by its place among the lengths. */
static inline const struct moving_window *observation_window(
	const struct observation *observation, guint i)
{
	return moving_at(g_ptr_array_index(observation->moving, i), 0);
}

/* Adds a stretch in the first sweep; ends that and begins the second one; adds a stretch there. */
void observation_add(struct observation *observation, const struct power_stretch *stretch);
void observation_begin_buffers(struct observation *observation);
void observation_add_buffers(struct observation *observation, const struct power_stretch *stretch);

#endif
