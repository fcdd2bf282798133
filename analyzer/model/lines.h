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

struct line {
	double offset_ns;
	double rate; /* ns of y for each of x */
};

struct bracket {
	double x_ns, y_ns;
	double error_ns; /* above 0 */
};

static inline double line_at(const struct line *line, double x_ns)
{
	return line->offset_ns + line->rate * x_ns;
}

/* The lines with |rate| <= rate_max that pass a bracket, as their corners (struct line). */
GArray *lines_through(const struct bracket *bracket, double rate_max);

/* Leaves those that pass another bracket too.  Returns false, and changes nothing, if none does. */
bool lines_narrow(GArray *lines, const struct bracket *bracket);

/* The least and the most that the lines say at x. */
struct bracket lines_at(const GArray *lines, double x_ns);

/* The line of the least squares through the brackets (struct bracket), weighted by 1/error², where
 * its rate is one more observation: 0 ± rate_error.  So it is about 0 where brackets say little of
 * it.  Where that line misses a bracket, it is the middle of lines, all of which pass. */
struct line lines_best(const GArray *lines, const GArray *brackets, double rate_error);

#endif
