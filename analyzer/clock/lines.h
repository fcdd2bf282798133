/* SPDX-License-Identifier: MIT */
/*
 * Straight lines through brackets: what two clocks that were read together some times can have been
 * in between, if their rates are steady.
 *
 * y = offset + rate·x passes a bracket where it is within error of y at x.  The lines that pass all
 * of some brackets are a convex polygon in the plane of offset and rate, kept by its corners: the
 * method of convex hulls of Duda, Harrus, Haddad and Bernard, "Estimating global time in
 * distributed systems" (ICDCS 1987), with the bracket of each reading in place of messages.
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

/* The lines with |rate| <= rate_max that pass a bracket, as their corners (struct clock_line). */
GArray *lines_through(const struct bracket *bracket, double rate_max);

/* Leaves those that pass another bracket too.  Returns false, and changes nothing, if none does. */
bool lines_narrow(GArray *lines, const struct bracket *bracket);

/* The same for what is known of one side alone: at x the lines are at most limit_ns (side 1), or at
 * least (side -1). */
bool lines_limit(GArray *lines, double x_ns, double limit_ns, int side);

/* The least and the most that the lines say at x. */
struct bracket lines_at(const GArray *lines, double x_ns);

/* How far lines are from brackets, in squares of their errors: least for one line, and more for one
 * that is off by so much at the brackets' mean, x_ns, and in its rate:
 *
 *	of_offset·(offset at x_ns)² + of_rate·rate²
 */
struct squared_error {
	struct clock_line least;
	double x_ns;
	double of_offset, of_rate;
};

/* Of brackets (struct bracket), where the rate is one more observation: 0 ± rate_error.  So it is
 * about 0 where brackets say little of it. */
struct squared_error squared_error_of(const GArray *brackets, double rate_error);

/* Of lines, the one of the least error; or their middle, where that one is at their edge and the
 * squares tell them apart by less than a standard deviation. */
struct clock_line lines_best(const GArray *lines, const struct squared_error *error);

#endif
