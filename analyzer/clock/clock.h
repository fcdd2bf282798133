/* SPDX-License-Identifier: MIT */
/*
 * Converts times of a device's clock (raw times) to the host's clock, CLOCK_MONOTONIC, from all
 * anchors of a trace.  An anchor (event clock_sync) means: at host_ns ± error_ns the device's
 * clock read raw_ns.
 *
 * A segment lies between steps (jumps) of either clock.  It consists of pieces in which the
 * device's clock has a steady rate; a piece is as long as one straight line agrees with all of its
 * anchors:
 *
 *	host = raw + offset + rate·raw
 *
 * The line is fitted by weighted least squares among all lines that agree with the anchors
 * (lines.h).  Limits narrow those lines further: a kernel does not begin before its launch was
 * called, nor end after a wait for it returned.  This helps where anchors are far away.
 *
 * The error at a time is the largest distance there between the fitted line and any other line
 * that agrees with anchors and limits; it grows beyond the first and last anchor.  It is never
 * less than the error of the best anchor of the piece, since rates wander a little.
 *
 * |rate| is at most CLOCK_DRIFT_MAX.  Two anchors that would need more are on two sides of a step;
 * but an anchor that disagrees with both those before it and the next one is wrong, and left out.
 */
#ifndef PWRTRACE_CLOCK_H
#define PWRTRACE_CLOCK_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* The largest rate by which Linux lets CLOCK_MONOTONIC run fast or slow to follow NTP (MAXFREQ of
 * <linux/timex.h>, adjtimex(2)).  It covers free-running quartz too: PCI Express demands 300 parts
 * in a million (Base Specification, Refclk), and most oscillators are specified for 100. */
#define CLOCK_DRIFT_MAX 500e-6

/* The standard deviation of the prior of the rate, which counts where anchors say little of it. */
#define CLOCK_DRIFT_LIKELY 100e-6

struct clock;

/* The order of calls: clock_new; clock_add for each anchor; clock_fit; then, where clock_is_known,
 * clock_limit for each limit and clock_settle; then the conversions; clock_free. */
struct clock *clock_new(void);
void clock_free(struct clock *clock); /* NULL is fine */

/* Adds an anchor, in any order.  Anchors with unknown times are ignored. */
void clock_add(struct clock *clock, uint64_t host_ns, uint64_t raw_ns, uint64_t error_ns);

/* Fits segments and pieces to the anchors. */
void clock_fit(struct clock *clock);

/* The host's times between which something must have happened; each may be
 * PWRTRACE_UNKNOWN_U64. */
struct clock_limits {
	uint64_t not_before_ns, not_after_ns;
};

#define CLOCK_NO_LIMITS ((struct clock_limits){PWRTRACE_UNKNOWN_U64, PWRTRACE_UNKNOWN_U64})

/* Says that the clock read raw_ns within the limits.  A limit that no line satisfies, given the
 * anchors and the limits before it, is ignored; so is one of which the segment is not certain. */
void clock_limit(struct clock *clock, uint64_t raw_ns, struct clock_limits limits);

/* Chooses the lines again, when all limits are known. */
void clock_settle(struct clock *clock);

/* Whether there is an anchor. */
bool clock_is_known(const struct clock *clock);

/* The host's time at a raw time.  Where the raw time may be of several segments, that of the
 * segment that fits the limits best, and among equals that closest to about_ns, which may be
 * PWRTRACE_UNKNOWN_U64.  Notes the use for clock_summarize. */
uint64_t clock_host_ns(
	struct clock *clock, uint64_t raw_ns, struct clock_limits limits, uint64_t about_ns);

/* The error of clock_host_ns with the same arguments: by how much that time may be off. */
uint64_t clock_error_ns(
	const struct clock *clock, uint64_t raw_ns, struct clock_limits limits, uint64_t about_ns);

/* The error of times that were converted while recording: the largest error of an anchor. */
uint64_t clock_anchor_error_ns(const struct clock *clock);

/* Notes that a converted time is off by at least by_ns, more than its stated error. */
void clock_contradicted(struct clock *clock, uint64_t by_ns);

/* Where the largest error of a clock's times comes from. */
enum clock_cause {
	CLOCK_COMPARED,     /* no time was converted here: from the anchors' own errors */
	CLOCK_BETWEEN,      /* a time between anchors */
	CLOCK_BEYOND,       /* a time before the first or after the last anchor of a segment */
	CLOCK_AT_STEP,      /* a time near a step, whose own time is uncertain */
	CLOCK_CONTRADICTED, /* a time beyond its limits by more than its error */
};
extern const char *const clock_causes[]; /* by enum clock_cause, for reports */

struct clock_summary {
	guint anchors;          /* without repeated ones */
	guint wrong;            /* anchors that were left out */
	guint steps;            /* of either clock */
	guint pieces;           /* of steady rate */
	double span_s;          /* from the first anchor to the last */
	double drift;           /* in the longest piece: rate by which the device's clock is fast */
	int64_t step_ns;        /* the largest step: what the device's clock gained on the host's */
	uint64_t error_ns;      /* the largest error of a converted time, rounded up */
	enum clock_cause cause; /* of error_ns */
	uint64_t contradicted;  /* times that were off by more than their stated error, */
	uint64_t contradiction_ns; /* and the most by which one was off */
};

/* What clock_host_ns was used for, and how good it was. */
struct clock_summary clock_summarize(const struct clock *clock);

#endif
