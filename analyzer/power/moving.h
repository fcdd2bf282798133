/* SPDX-License-Identifier: MIT */
/*
 * Moving averages of a power curve, which is constant between its steps: for windows of several
 * lengths the highest and the lowest average, and the steepest ramp, the growth from the average
 * over one window to that over the next one divided by their length.
 *
 * The energy in a window is then a straight line between the times at which one of its ends meets a
 * step: the extremes are at such times, and exact in integers.  What is kept is the last two
 * windows of the longest length.
 */
#ifndef PWRTRACE_MOVING_H
#define PWRTRACE_MOVING_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* An extreme of energies over a time, in fJ (1 uW during 1 ns). */
struct moving_extreme {
	bool met;   /* there was a window */
	bool known; /* and at most a tenth of its energy is uncertain */
	__int128 energy_fj;
	uint64_t end_ns; /* when the window, or the second of a ramp's, ends */
};

struct moving_window {
	uint64_t length_ns;
	struct moving_extreme highest, lowest;
	struct moving_extreme ramp; /* the second window's energy less the first one's */
};

struct moving;

/* Moving averages over windows of so many lengths, each above 0.  Free with moving_free. */
struct moving *moving_new(const uint64_t *lengths_ns, guint count);
void moving_free(struct moving *moving);

/* Continues the curve: power_uw, of which uncertain_uw is uncertain, from begin_ns to end_ns, in
 * the order of time.  Between one that ends and one that begins later, the curve is not known, and
 * no window reaches across. */
void moving_add(struct moving *moving, uint64_t begin_ns, uint64_t end_ns, int64_t power_uw,
	int64_t uncertain_uw);

/* Ends the curve, before results are asked for. */
void moving_finish(struct moving *moving);

/* The i-th window, as given to moving_new. */
const struct moving_window *moving_at(const struct moving *moving, guint i);

/* The mean power of a window with an extreme energy in W, and its ramp in W/s; NaN: not known. */
double moving_w(const struct moving_window *window, const struct moving_extreme *extreme);
double moving_ramp_w_per_s(const struct moving_window *window);

#endif
