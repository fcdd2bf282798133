/* SPDX-License-Identifier: MIT */
/*
 * Straight lines through brackets (intervals of y at some x): how two clocks of steady rates can
 * have related to each other, given some readings of both.
 *
 * A line y = offset + rate·x passes a bracket if at x it is within error of y.  The lines that pass
 * some brackets form a convex polygon in the plane of offset and rate, which is kept as an array of
 * its corners (struct clock_line).  This is the convex hull method of Duda, Harrus, Haddad and
 * Bernard, "Estimating global time in distributed systems" (ICDCS 1987), with readings of both
 * clocks in place of messages.
 */
#ifndef PWRTRACE_LINES_H
#define PWRTRACE_LINES_H

#include <glib.h>
#include <stdbool.h>

struct clock_line {
	double offset_ns;
	double rate; /* ns of y for each of x */
};

struct bracket {
	double x_ns, y_ns;
	double error_ns; /* above 0 */
};

static inline double line_at(const struct clock_line *line, double x_ns)
{
	return line->offset_ns + line->rate * x_ns;
}

/* The lines with |rate| <= rate_max that pass a bracket.  The caller frees the array. */
GArray *lines_through(const struct bracket *bracket, double rate_max);

/* Removes the lines that do not pass another bracket.  Returns false, and changes nothing, where
 * none passes it. */
bool lines_narrow(GArray *lines, const struct bracket *bracket);

/* The same for a bracket of one side: y at x is at most limit_ns (side 1) or at least limit_ns
 * (side -1). */
bool lines_limit(GArray *lines, double x_ns, double limit_ns, int side);

/* The bracket of all lines at x: from the least to the greatest y there. */
struct bracket lines_at(const GArray *lines, double x_ns);

/*
 * The weighted sum of squared distances from a line to brackets, as a function of the line.  It is
 * least for one line; for another one, which differs from that by dy at the weighted mean x_ns of
 * the brackets and by dr in the rate, it is larger by
 *
 *	of_offset·dy² + of_rate·dr²
 */
struct squared_error {
	struct clock_line least;
	double x_ns;
	double of_offset, of_rate;
};

/* The squared error to brackets (struct bracket), each weighted by 1/error², with a normal prior of
 * the rate, 0 ± rate_error, which counts where the brackets say little of it. */
struct squared_error squared_error_of(const GArray *brackets, double rate_error);

/* The line of least squared error among lines; or the mean of the corners, where that would be on
 * an edge of the polygon and all lines are within one standard deviation of each other. */
struct clock_line lines_best(const GArray *lines, const struct squared_error *error);

#endif
