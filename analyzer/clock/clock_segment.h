/* SPDX-License-Identifier: MIT */
/* How two clocks went between steps of either: what clock.h's promises are made of. */
#ifndef PWRTRACE_CLOCK_SEGMENT_H
#define PWRTRACE_CLOCK_SEGMENT_H

#include <stdint.h>

#include "analyzer/clock/lines.h"

struct anchor {
	uint64_t host_ns, raw_ns, error_ns;
};

/* In what follows, x is raw time since a segment's first anchor, and y what the host's clock has
 * gained on it since: doubles that keep nanoseconds for months. */

struct piece {
	double from_ns;  /* it holds from this x on, until the next one does */
	double until_ns; /* its last anchor */
	GArray *lines;   /* all that pass its anchors' brackets (lines.h), within its limits */
	struct squared_error error;
	struct clock_line line;
	double tightest_ns; /* of the brackets */
	double bent_ns; /* the first anchor by which its rate is this one; from_ns: it was before */
	double bend_ns; /* what the rate's change may do until there */
	double used_from_ns, used_until_ns; /* x of what it has moved; none: from > until */
};

struct segment {
	struct anchor first, last;
	GArray *pieces; /* struct piece */
};

/* Sorts the anchors (struct anchor), drops repeats and makes segments (struct segment) of them;
 * *wrong is how many of them are in none.  Their pieces have no line yet.  Free with
 * segments_free. */
GArray *segments_fit(GArray *anchors, guint *wrong);
void segments_free(GArray *segments);

/* Chooses each piece's line, also anew after limits. */
void segments_settle(GArray *segments);

/* The host's time at a raw one is at most host_ns (side 1), or at least (side -1), as exactly
 * as its clock tells times: leaves what lines of the piece there say so.  Returns false, and
 * changes nothing, if none does. */
bool segment_limit(struct segment *segment, uint64_t raw_ns, uint64_t host_ns, int side);

/* The x of a raw time. */
double segment_x_ns(const struct segment *segment, uint64_t raw_ns);

/* Piece i; the one that holds at x. */
struct piece *segment_piece(const struct segment *segment, guint i);
struct piece *segment_piece_at(const struct segment *segment, double x_ns);

/* The host's time at a raw one. */
uint64_t segment_host_ns(const struct segment *segment, uint64_t raw_ns);

/* How far off a piece may be at x. */
double piece_error_ns(const struct piece *piece, double x_ns);

#endif
