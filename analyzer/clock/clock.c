/* SPDX-License-Identifier: MIT */
#include "analyzer/clock/clock.h"

#include <math.h>

#include "analyzer/clock/clock_segment.h"
#include "pwrtrace/units.h"

const char *const clock_causes[] = {
	[CLOCK_COMPARED] = "as compared with it",
	[CLOCK_BETWEEN] = "between anchors",
	[CLOCK_BEYOND] = "beyond the first or last anchor",
	[CLOCK_AT_STEP] = "around a step of a clock",
	[CLOCK_CONTRADICTED] =
		"where something would have begun before its launch, or ended after a wait for it",
};

/* 104 days: an anchor with such an error is useless, and doubles count nanoseconds exactly up to
 * there. */
#define ERROR_NS_MAX (UINT64_C(1) << 53)

struct clock {
	GArray *anchors;                         /* struct anchor */
	GArray *segments;                        /* struct segment; NULL: not yet fitted */
	guint wrong;                             /* anchors that are in no segment */
	bool used;                               /* clock_host_ns was called */
	double step_error_ns;                    /* the largest error of a time around a step */
	uint64_t contradicted, contradiction_ns; /* as in struct clock_summary */
};

struct clock *clock_new(void)
{
	struct clock *clock = g_new0(struct clock, 1);

	clock->anchors = g_array_new(FALSE, FALSE, sizeof(struct anchor));
	return clock;
}

static struct segment *segment_at(const struct clock *clock, guint i)
{
	return &g_array_index(clock->segments, struct segment, i);
}

void clock_free(struct clock *clock)
{
	if (!clock)
		return;
	if (clock->segments)
		segments_free(clock->segments);
	g_array_free(clock->anchors, TRUE);
	g_free(clock);
}

void clock_add(struct clock *clock, uint64_t host_ns, uint64_t raw_ns, uint64_t error_ns)
{
	struct anchor anchor = {host_ns, raw_ns, error_ns};

	if (host_ns != PWRTRACE_UNKNOWN_U64 && raw_ns != PWRTRACE_UNKNOWN_U64 &&
		error_ns < ERROR_NS_MAX)
		g_array_append_val(clock->anchors, anchor);
}

void clock_fit(struct clock *clock)
{
	clock->segments = segments_fit(clock->anchors, &clock->wrong);
	segments_settle(clock->segments);
}

bool clock_is_known(const struct clock *clock)
{
	return clock->segments->len > 0;
}

/* ---- conversion ---- */

static uint64_t rounded_up(double ns)
{
	return (uint64_t)ceil(MIN(ns, (double)INT64_MAX));
}

/* How long before the limit a time is; 0 where it is not. */
static uint64_t before(uint64_t time_ns, uint64_t limit_ns)
{
	return time_ns < limit_ns ? limit_ns - time_ns : 0;
}

/* How far a host time is outside of segment i, which reaches from the last anchor of the segment
 * before to the first anchor of the one after. */
static uint64_t outside(const struct clock *clock, guint i, uint64_t time_ns)
{
	uint64_t least_ns = i ? segment_at(clock, i - 1)->last.host_ns : 0;
	uint64_t most_ns =
		i + 1 < clock->segments->len ? segment_at(clock, i + 1)->first.host_ns : UINT64_MAX;

	return before(time_ns, least_ns) + before(most_ns, time_ns);
}

static uint64_t distance(uint64_t a_ns, uint64_t b_ns)
{
	return before(a_ns, b_ns) + before(b_ns, a_ns);
}

static uint64_t error_at(const struct segment *segment, uint64_t raw_ns)
{
	double x_ns = segment_x_ns(segment, raw_ns);

	return rounded_up(piece_error_ns(segment_piece_at(segment, x_ns), x_ns));
}

/* By how much segment i, if it converts a raw time, misses the segment's span or the limits. */
static uint64_t misfit(
	const struct clock *clock, guint i, uint64_t raw_ns, struct clock_limits limits)
{
	const struct segment *segment = segment_at(clock, i);
	uint64_t time_ns = segment_host_ns(segment, raw_ns), error_ns = error_at(segment, raw_ns);
	uint64_t wrong = outside(clock, i, time_ns);

	if (limits.not_before_ns != PWRTRACE_UNKNOWN_U64)
		wrong = MAX(wrong, before(time_ns + error_ns, limits.not_before_ns));
	if (limits.not_after_ns != PWRTRACE_UNKNOWN_U64)
		wrong = MAX(wrong, before(limits.not_after_ns + error_ns, time_ns));
	return wrong;
}

/* The index of the segment to convert a raw time with (clock_host_ns says how it is chosen). */
static guint segment_of(
	const struct clock *clock, uint64_t raw_ns, struct clock_limits limits, uint64_t about_ns)
{
	uint64_t least_wrong = UINT64_MAX, least_far = UINT64_MAX;
	guint best = 0;

	for (guint i = 0; i < clock->segments->len && clock->segments->len > 1; i++) {
		uint64_t time_ns = segment_host_ns(segment_at(clock, i), raw_ns);
		uint64_t wrong = misfit(clock, i, raw_ns, limits);
		uint64_t far = about_ns == PWRTRACE_UNKNOWN_U64 ? 0 : distance(time_ns, about_ns);

		if (wrong < least_wrong || (wrong == least_wrong && far < least_far)) {
			least_wrong = wrong;
			least_far = far;
			best = i;
		}
	}
	return best;
}

/* The only segment that a raw time can be of; NULL where there are several, or none. */
static struct segment *only_segment(
	const struct clock *clock, uint64_t raw_ns, struct clock_limits limits)
{
	struct segment *only = NULL;

	if (clock->segments->len == 1)
		return segment_at(clock, 0);
	for (guint i = 0; i < clock->segments->len; i++) {
		if (misfit(clock, i, raw_ns, limits))
			continue;
		if (only)
			return NULL;
		only = segment_at(clock, i);
	}
	return only;
}

void clock_limit(struct clock *clock, uint64_t raw_ns, struct clock_limits limits)
{
	struct segment *segment = only_segment(clock, raw_ns, limits);

	if (segment && limits.not_before_ns != PWRTRACE_UNKNOWN_U64)
		segment_limit(segment, raw_ns, limits.not_before_ns, -1);
	if (segment && limits.not_after_ns != PWRTRACE_UNKNOWN_U64)
		segment_limit(segment, raw_ns, limits.not_after_ns, 1);
}

void clock_settle(struct clock *clock)
{
	segments_settle(clock->segments);
}

/* Around a step, between the last anchor before it and the first one after it, the segment on
 * either side may be right: the error is the difference of the two. */
static void note_step(struct clock *clock, guint chosen, uint64_t raw_ns, uint64_t time_ns)
{
	/* Visits the segment before the chosen one, and the one after it. */
	for (guint i = chosen ? chosen - 1 : 1; i < clock->segments->len && i <= chosen + 1;
		i += 2) {
		const struct segment *other = segment_at(clock, i);
		const struct segment *earlier = segment_at(clock, MIN(i, chosen));
		uint64_t other_ns = segment_host_ns(other, raw_ns);
		uint64_t from_ns = earlier->last.host_ns, until_ns = earlier[1].first.host_ns;

		if (time_ns >= from_ns && time_ns <= until_ns && other_ns >= from_ns &&
			other_ns <= until_ns)
			clock->step_error_ns =
				MAX(clock->step_error_ns, (double)distance(time_ns, other_ns));
	}
}

uint64_t clock_host_ns(
	struct clock *clock, uint64_t raw_ns, struct clock_limits limits, uint64_t about_ns)
{
	guint chosen = segment_of(clock, raw_ns, limits, about_ns);
	const struct segment *segment = segment_at(clock, chosen);
	double x_ns = segment_x_ns(segment, raw_ns);
	struct piece *piece = segment_piece_at(segment, x_ns);
	uint64_t time_ns = segment_host_ns(segment, raw_ns);

	piece->used_from_ns = MIN(piece->used_from_ns, x_ns);
	piece->used_until_ns = MAX(piece->used_until_ns, x_ns);
	clock->used = true;
	note_step(clock, chosen, raw_ns, time_ns);
	return time_ns;
}

uint64_t clock_error_ns(
	const struct clock *clock, uint64_t raw_ns, struct clock_limits limits, uint64_t about_ns)
{
	return error_at(segment_at(clock, segment_of(clock, raw_ns, limits, about_ns)), raw_ns);
}

uint64_t clock_anchor_error_ns(const struct clock *clock)
{
	uint64_t worst_ns = 0;

	for (guint i = 0; i < clock->anchors->len; i++)
		worst_ns = MAX(worst_ns, g_array_index(clock->anchors, struct anchor, i).error_ns);
	return worst_ns;
}

void clock_contradicted(struct clock *clock, uint64_t by_ns)
{
	clock->contradicted++;
	clock->contradiction_ns = MAX(clock->contradiction_ns, by_ns);
}

/* ---- summary ---- */

static void note_error(struct clock_summary *summary, double error_ns, enum clock_cause cause)
{
	uint64_t rounded_ns = rounded_up(error_ns);

	if (rounded_ns <= summary->error_ns)
		return;
	summary->error_ns = rounded_ns;
	summary->cause = cause;
}

/* The error is a convex function of x: its maximum over the converted times is at the first or the
 * last of them. */
static void note_piece(
	struct clock_summary *summary, const struct segment *segment, const struct piece *piece)
{
	double last_ns = segment_piece(segment, segment->pieces->len - 1)->until_ns;
	const double used[] = {piece->used_from_ns, piece->used_until_ns};

	if (piece->used_from_ns > piece->used_until_ns)
		return;
	for (size_t i = 0; i < G_N_ELEMENTS(used); i++)
		note_error(summary, piece_error_ns(piece, used[i]),
			used[i] < 0 || used[i] > last_ns ? CLOCK_BEYOND : CLOCK_BETWEEN);
}

static void describe_steps(struct clock_summary *summary, const struct clock *clock)
{
	for (guint i = 1; i < clock->segments->len; i++) {
		const struct segment *earlier = segment_at(clock, i - 1);
		const struct anchor *first = &segment_at(clock, i)->first;
		int64_t step_ns =
			(int64_t)(segment_host_ns(earlier, first->raw_ns) - first->host_ns);

		summary->steps++;
		if (fabs((double)step_ns) > fabs((double)summary->step_ns))
			summary->step_ns = step_ns;
	}
}

struct clock_summary clock_summarize(const struct clock *clock)
{
	const struct anchor *first = &g_array_index(clock->anchors, struct anchor, 0);
	struct clock_summary summary = {.anchors = clock->anchors->len,
		.wrong = clock->wrong,
		.contradicted = clock->contradicted,
		.contradiction_ns = clock->contradiction_ns};
	double longest_ns = -1;

	if (!clock->anchors->len)
		return summary;
	summary.span_s = (double)(first[clock->anchors->len - 1].host_ns - first->host_ns) /
			 PWRTRACE_NS_PER_S;
	describe_steps(&summary, clock);
	for (guint i = 0; i < clock->segments->len; i++) {
		const struct segment *segment = segment_at(clock, i);

		summary.pieces += segment->pieces->len;
		for (guint k = 0; k < segment->pieces->len; k++) {
			const struct piece *piece = segment_piece(segment, k);

			note_piece(&summary, segment, piece);
			if (piece->until_ns - piece->from_ns > longest_ns) {
				longest_ns = piece->until_ns - piece->from_ns;
				summary.drift = 0 - piece->line.rate;
			}
		}
	}
	note_error(&summary, clock->step_error_ns, CLOCK_AT_STEP);
	if (!clock->used)
		note_error(&summary, (double)clock_anchor_error_ns(clock), CLOCK_COMPARED);
	note_error(&summary, (double)clock->contradiction_ns, CLOCK_CONTRADICTED);
	return summary;
}
