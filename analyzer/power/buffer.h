/* SPDX-License-Identifier: MIT */
/* The energy buffer that would smooth a power curve: the greatest minus the least of the energy
 * drawn beyond the curve's mean power.  Exact in integers. */
#ifndef PWRTRACE_BUFFER_H
#define PWRTRACE_BUFFER_H

#include <stdint.h>

/* The energy of a curve and its length, the mean power of which is energy / time. */
struct buffer_total {
	__int128 energy_fj;
	uint64_t time_ns;
};

/* Begin with the total of the whole curve and zeroes. */
struct buffer {
	struct buffer_total total, sofar;
	__int128 least, greatest; /* of the energy beyond the mean, times total.time_ns */
};

/* Continues the curve, the whole of which total describes. */
static inline void buffer_add(struct buffer *buffer, uint64_t length_ns, int64_t power_uw)
{
	__int128 beyond;

	buffer->sofar.energy_fj += (__int128)length_ns * power_uw;
	buffer->sofar.time_ns += length_ns;
	beyond = buffer->sofar.energy_fj * buffer->total.time_ns -
		 buffer->total.energy_fj * buffer->sofar.time_ns;
	buffer->least = beyond < buffer->least ? beyond : buffer->least;
	buffer->greatest = beyond > buffer->greatest ? beyond : buffer->greatest;
}

/* The buffer in J; 0 of an empty or a constant curve. */
static inline double buffer_j(const struct buffer *buffer)
{
	return buffer->total.time_ns ? (double)(buffer->greatest - buffer->least) /
					       (double)buffer->total.time_ns / 1e15
				     : 0;
}

#endif
