/* SPDX-License-Identifier: MIT */
/*
 * A device's clock on CLOCK_MONOTONIC, from all anchors (clock_sync) of a trace.
 *
 * Between steps of either clock lie segments.  In a segment, pieces of steady rate follow one
 * another, each as long as one line passes all of its anchors' brackets; there
 *
 *	host = raw + offset + rate·raw
 *
 * by weighted least squares (lines.h).  What cannot have happened before or after some time of the
 * host's leaves fewer lines: messages in the sense of lines.h, tight where anchors are far.  The
 * error at a time is how far any line that is left is from that one there, which grows beyond the
 * first and last anchor; and it is never less than the tightest bracket, since rates do wander a
 * little.  |rate| is at most
 * CLOCK_DRIFT_MAX: two anchors that need more are on two sides of a step, and one that those before
 * it lead past to the next is wrong and left out.
 */
#ifndef PWRTRACE_CLOCK_H
#define PWRTRACE_CLOCK_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* By how much Linux may let CLOCK_MONOTONIC run fast or slow to follow NTP (MAXFREQ of
 * <linux/timex.h>, adjtimex(2)); it holds for undisciplined quartz too, of which PCI Express wants
 * 300 parts in a million (Base Specification, Refclk) and most parts promise 100. */
#define CLOCK_DRIFT_MAX 500e-6

/* What is taken for likely, a standard deviation, where anchors say little. */
#define CLOCK_DRIFT_LIKELY 100e-6

struct clock;

struct clock *clock_new(void);
void clock_free(struct clock *clock);

/* At host_ns ± error_ns it read raw_ns; in any order, as often as one likes.  What is unknown is no
 * anchor. */
void clock_add(struct clock *clock, uint64_t host_ns, uint64_t raw_ns, uint64_t error_ns);

/* When all have been added, and before what follows. */
void clock_fit(struct clock *clock);

/* Between what times of the host's something must have happened; either may be
 * PWRTRACE_UNKNOWN_U64. */
struct clock_limits {
	uint64_t not_before_ns, not_after_ns;
};

#define CLOCK_NO_LIMITS ((struct clock_limits){PWRTRACE_UNKNOWN_U64, PWRTRACE_UNKNOWN_U64})

/* The clock read raw_ns within the limits: they hold as far as anchors, and limits that came
 * before, leave any line for them.  Of a clock that is known; clock_settle when all have come. */
void clock_limit(struct clock *clock, uint64_t raw_ns, struct clock_limits limits);
void clock_settle(struct clock *clock);

/* Whether there is an anchor. */
bool clock_is_known(const struct clock *clock);

/* The host's time at a raw one, of a clock that is known.  Where a step leaves a choice, it is
 * within the limits, and else the one closest to about_ns, which may be PWRTRACE_UNKNOWN_U64. */
uint64_t clock_host_ns(
	struct clock *clock, uint64_t raw_ns, struct clock_limits limits, uint64_t about_ns);

/* By how much that time may be off. */
uint64_t clock_error_ns(
	const struct clock *clock, uint64_t raw_ns, struct clock_limits limits, uint64_t about_ns);

/* The same of times that were the host's from the beginning: of the worst anchor. */
uint64_t clock_anchor_error_ns(const struct clock *clock);

/* A time that was told is off by at least by_ns, which is more than was said. */
void clock_contradicted(struct clock *clock, uint64_t by_ns);

/* What makes the error as large as it is. */
enum clock_cause {
	CLOCK_COMPARED, /* no time was moved: as the anchors say */
	CLOCK_BETWEEN,  /* between anchors */
	CLOCK_BEYOND,   /* before the first or after the last one, or that of a segment */
	CLOCK_AT_STEP,  /* when the clock stepped is not known better */
	CLOCK_CONTRADICTED,
};
extern const char *const clock_causes[];

struct clock_summary {
	guint anchors;     /* without repeats */
	guint wrong;       /* of them, left out */
	guint steps;       /* of one of the clocks */
	guint pieces;      /* of a steady rate each */
	double span_s;     /* from the first anchor to the last */
	double drift;      /* of the longest piece: how much the device's clock is fast, a part */
	int64_t step_ns;   /* the first of them: how much the device's clock gained on the host's */
	uint64_t error_ns; /* all that clock_host_ns has said is true to that; rounded up */
	uint64_t contradicted;     /* how often it was more than had been said, */
	uint64_t contradiction_ns; /* by at most that */
	enum clock_cause cause;
};
struct clock_summary clock_summarize(const struct clock *clock);

#endif
