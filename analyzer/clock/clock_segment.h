/* SPDX-License-Identifier: MIT */
/* Segments: how two clocks related to each other between steps of either (clock.h). */
#ifndef PWRTRACE_CLOCK_SEGMENT_H
#define PWRTRACE_CLOCK_SEGMENT_H

#include <stdint.h>

#include "analyzer/clock/lines.h"

/* At host_ns ± error_ns the device's clock read raw_ns. */
struct anchor {
	uint64_t host_ns, raw_ns, error_ns;
};

/* In what follows, x is the raw time since a segment's first anchor, and y how much more the host's
 * clock has advanced since then, both in ns.  Doubles keep them exact for 104 days. */

/* A time of steady rate. */
struct piece {
	double from_ns;             /* x from which it holds, until the next piece does */
	double until_ns;            /* x of its last anchor */
	GArray *lines;              /* the lines that agree with its anchors and limits (lines.h) */
	struct squared_error error; /* of lines, to its anchors */
	struct clock_line line;     /* the one that converts times */
	double tightest_ns;         /* the smallest error of its anchors */
	double bent_ns; /* x of the first anchor by which the rate had changed to this piece's */
	double bend_ns; /* the error before bent_ns from not knowing when the rate changed */
	double used_from_ns,
		used_until_ns; /* x of the times it has converted; none: from > until */
};

struct segment {
	struct anchor first, last;
	GArray *pieces; /* struct piece, in the order of x */
};

/* Sorts the anchors (struct anchor), drops repeated ones and makes segments (struct segment) of
 * them; *wrong is set to how many are in none.  Pieces have their lines, and no line chosen yet.
 * Free with segments_free. */
GArray *segments_fit(GArray *anchors, guint *wrong);
void segments_free(GArray *segments);

/* Chooses each piece's line; again when limits have been added. */
void segments_settle(GArray *segments);

/* Says that the host's time at a raw time is at most host_ns (side 1) or at least host_ns (side
 * -1), to within the clock's resolution.  Removes the lines of the piece there that disagree.
 * Returns false, and changes nothing, where all disagree. */
bool segment_limit(struct segment *segment, uint64_t raw_ns, uint64_t host_ns, int side);

/* The x of a raw time. */
double segment_x_ns(const struct segment *segment, uint64_t raw_ns);

/* Piece i of a segment, and the piece that holds at x. */
struct piece *segment_piece(const struct segment *segment, guint i);
struct piece *segment_piece_at(const struct segment *segment, double x_ns);

/* The host's time at a raw time. */
uint64_t segment_host_ns(const struct segment *segment, uint64_t raw_ns);

/* The error of a piece's line at x, in ns. */
double piece_error_ns(const struct piece *piece, double x_ns);

#endif
