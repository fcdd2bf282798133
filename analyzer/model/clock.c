/* SPDX-License-Identifier: MIT */
#include "analyzer/model/clock.h"

#include <math.h>

#include "analyzer/model/lines.h"
#include "pwrtrace/units.h"

const char *const clock_causes[] = {
	[CLOCK_COMPARED] = "as compared with it",
	[CLOCK_BETWEEN] = "between anchors",
	[CLOCK_BEYOND] = "beyond the first or last anchor",
	[CLOCK_AT_STEP] = "around a step of a clock",
	[CLOCK_CONTRADICTED] = "where something would have begun before its launch",
};

/* Both clocks are read in whole nanoseconds. */
#define ROUNDING_NS 1.

/* A bracket of a hundred days says nothing, and doubles are whole numbers up to there. */
#define ERROR_NS_MAX (UINT64_C(1) << 53)

struct anchor {
	uint64_t host_ns, raw_ns, error_ns;
};

/* In what follows, x is raw time since a segment's first anchor, and y what the host's clock has
 * gained on it since: doubles that keep nanoseconds for months. */

struct piece {
	double from_ns;  /* it holds from this x on, until the next one does */
	double until_ns; /* its last anchor */
	GArray *lines;
	struct line line;
	double tightest_ns; /* bracket */
	double bend_ns;     /* what the rate's change may do between the two anchors around it */
	double used_from_ns,
		used_until_ns; /* x of the times that it has moved; none: from > until */
};

struct segment {
	struct anchor first, last;
	GArray *pieces; /* struct piece */
};

struct clock {
	GArray *anchors;  /* struct anchor */
	GArray *segments; /* struct segment */
	guint wrong;
	bool used;
	double step_error_ns;
	uint64_t contradiction_ns;
};

struct clock *clock_new(void)
{
	struct clock *clock = g_new0(struct clock, 1);

	clock->anchors = g_array_new(FALSE, FALSE, sizeof(struct anchor));
	clock->segments = g_array_new(FALSE, FALSE, sizeof(struct segment));
	return clock;
}

static struct segment *segment_at(const struct clock *clock, guint i)
{
	return &g_array_index(clock->segments, struct segment, i);
}

static struct piece *piece_at(const struct segment *segment, guint i)
{
	return &g_array_index(segment->pieces, struct piece, i);
}

void clock_free(struct clock *clock)
{
	if (!clock)
		return;
	for (guint i = 0; i < clock->segments->len; i++) {
		const struct segment *segment = segment_at(clock, i);

		for (guint k = 0; k < segment->pieces->len; k++)
			g_array_free(piece_at(segment, k)->lines, TRUE);
		g_array_free(segment->pieces, TRUE);
	}
	g_array_free(clock->segments, TRUE);
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

/* ---- fitting ---- */

static int by_host(gconstpointer a, gconstpointer b)
{
	const struct anchor *x = a, *y = b;

	if (x->host_ns != y->host_ns)
		return x->host_ns < y->host_ns ? -1 : 1;
	if (x->raw_ns != y->raw_ns)
		return x->raw_ns < y->raw_ns ? -1 : 1;
	return x->error_ns < y->error_ns ? -1 : x->error_ns > y->error_ns;
}

/* An anchor is written again where a session begins anew.  The tighter one stays. */
static void drop_repeats(GArray *anchors)
{
	guint kept = 0;

	for (guint i = 0; i < anchors->len; i++) {
		struct anchor at = g_array_index(anchors, struct anchor, i);
		struct anchor *before =
			kept ? &g_array_index(anchors, struct anchor, kept - 1) : NULL;

		if (!before || at.raw_ns != before->raw_ns ||
			at.host_ns - before->host_ns > at.error_ns + before->error_ns)
			g_array_index(anchors, struct anchor, kept++) = at;
		else if (at.error_ns < before->error_ns)
			*before = at;
	}
	g_array_set_size(anchors, kept);
}

static double x_of(const struct segment *segment, uint64_t raw_ns)
{
	return (double)(int64_t)(raw_ns - segment->first.raw_ns);
}

static struct bracket bracket_of(const struct segment *segment, const struct anchor *anchor)
{
	uint64_t since_ns = anchor->raw_ns - segment->first.raw_ns;

	return (struct bracket){x_of(segment, anchor->raw_ns),
		(double)(int64_t)(anchor->host_ns - segment->first.host_ns - since_ns),
		(double)anchor->error_ns + ROUNDING_NS};
}

/* Whether clocks that do not step can have been in both. */
static bool reaches(const struct bracket *from, const struct bracket *to)
{
	return fabs(to->y_ns - from->y_ns) <=
	       from->error_ns + to->error_ns + CLOCK_DRIFT_MAX * fabs(to->x_ns - from->x_ns);
}

/* What the clocks were at a piece's last anchor, by all of its anchors. */
static struct bracket end_of(const struct piece *piece)
{
	struct bracket end = lines_at(piece->lines, piece->until_ns);

	end.error_ns = MAX(end.error_ns, piece->tightest_ns);
	return end;
}

static void settle_piece(struct segment *segment, GArray *brackets)
{
	guint count = segment->pieces->len;
	struct piece *piece = piece_at(segment, count - 1);

	piece->line = lines_best(piece->lines, brackets, CLOCK_DRIFT_MAX);
	if (count > 1 && brackets->len > 1)
		piece->bend_ns = fabs(piece->line.rate - piece_at(segment, count - 2)->line.rate) *
				 (g_array_index(brackets, struct bracket, 1).x_ns - piece->from_ns);
}

static void begin_piece(struct segment *segment, const struct bracket *first, GArray *brackets)
{
	struct piece piece = {.from_ns = first->x_ns,
		.until_ns = first->x_ns,
		.lines = lines_through(first, CLOCK_DRIFT_MAX),
		.tightest_ns = first->error_ns,
		.used_from_ns = INFINITY,
		.used_until_ns = -INFINITY};

	g_array_append_val(segment->pieces, piece);
	g_array_set_size(brackets, 0);
	g_array_append_vals(brackets, first, 1);
}

static bool extend_piece(struct piece *piece, const struct bracket *next, GArray *brackets)
{
	if (!lines_narrow(piece->lines, next))
		return false;
	piece->until_ns = MAX(piece->until_ns, next->x_ns);
	piece->tightest_ns = MIN(piece->tightest_ns, next->error_ns);
	g_array_append_vals(brackets, next, 1);
	return true;
}

static void begin_segment(struct clock *clock, const struct anchor *first, GArray *brackets)
{
	struct segment segment = {*first, *first, g_array_new(FALSE, FALSE, sizeof(struct piece))};
	struct bracket bracket = bracket_of(&segment, first);

	g_array_append_val(clock->segments, segment);
	begin_piece(&segment, &bracket, brackets);
}

/* Whether an anchor is one that those before it lead past to the next. */
static bool is_wrong(const struct segment *segment, const struct bracket *end,
	const struct anchor *anchor, const struct anchor *next)
{
	struct bracket at = bracket_of(segment, anchor), after;

	if (!next)
		return false;
	after = bracket_of(segment, next);
	return reaches(end, &after) && !reaches(&at, &after);
}

/* Takes the anchor up into the segment; false: it is not of it. */
static bool extend_segment(struct segment *segment, const struct anchor *anchor, GArray *brackets)
{
	struct piece *piece = piece_at(segment, segment->pieces->len - 1);
	struct bracket next = bracket_of(segment, anchor), end = end_of(piece);

	if (!extend_piece(piece, &next, brackets)) {
		if (!reaches(&end, &next))
			return false;
		settle_piece(segment, brackets);
		begin_piece(segment, &end, brackets);
		extend_piece(piece_at(segment, segment->pieces->len - 1), &next, brackets);
	}
	segment->last = *anchor;
	return true;
}

void clock_fit(struct clock *clock)
{
	GArray *brackets = g_array_new(FALSE, FALSE, sizeof(struct bracket));
	struct segment *segment = NULL;

	g_array_sort(clock->anchors, by_host);
	drop_repeats(clock->anchors);
	for (guint i = 0; i < clock->anchors->len; i++) {
		const struct anchor *at = &g_array_index(clock->anchors, struct anchor, i);
		const struct anchor *next = i + 1 < clock->anchors->len ? at + 1 : NULL;
		struct bracket end;

		if (segment && extend_segment(segment, at, brackets))
			continue;
		if (segment) {
			end = end_of(piece_at(segment, segment->pieces->len - 1));
			if (is_wrong(segment, &end, at, next)) {
				clock->wrong++;
				continue;
			}
			settle_piece(segment, brackets);
		}
		begin_segment(clock, at, brackets);
		segment = segment_at(clock, clock->segments->len - 1);
	}
	if (segment)
		settle_piece(segment, brackets);
	g_array_free(brackets, TRUE);
}

bool clock_is_known(const struct clock *clock)
{
	return clock->segments->len > 0;
}

/* ---- moving ---- */

static struct piece *piece_of(const struct segment *segment, double x_ns)
{
	guint low = 0, high = segment->pieces->len;

	while (high - low > 1) {
		guint middle = low + (high - low) / 2;

		if (piece_at(segment, middle)->from_ns <= x_ns)
			low = middle;
		else
			high = middle;
	}
	return piece_at(segment, low);
}

static uint64_t moved(const struct segment *segment, uint64_t raw_ns)
{
	double x_ns = x_of(segment, raw_ns);

	return segment->first.host_ns + (raw_ns - segment->first.raw_ns) +
	       (uint64_t)llround(line_at(&piece_of(segment, x_ns)->line, x_ns));
}

static uint64_t rounded_up(double ns)
{
	return (uint64_t)ceil(MIN(ns, (double)INT64_MAX));
}

static uint64_t before(uint64_t time_ns, uint64_t limit_ns)
{
	return time_ns < limit_ns ? limit_ns - time_ns : 0;
}

static double error_at(const struct piece *piece, double x_ns)
{
	struct bracket all = lines_at(piece->lines, x_ns);
	double off_ns = fabs(line_at(&piece->line, x_ns) - all.y_ns) + all.error_ns;

	return MAX(off_ns, piece->tightest_ns) + piece->bend_ns;
}

/* By how much a time cannot be one of the segment's, which reaches to the anchors around it. */
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

static guint segment_of(
	const struct clock *clock, uint64_t raw_ns, uint64_t not_before_ns, uint64_t about_ns)
{
	uint64_t least_wrong = UINT64_MAX, least_far = UINT64_MAX;
	guint best = 0;

	for (guint i = 0; i < clock->segments->len; i++) {
		const struct segment *segment = segment_at(clock, i);
		double x_ns = x_of(segment, raw_ns);
		uint64_t time_ns = moved(segment, raw_ns), wrong, far, error_ns;

		wrong = outside(clock, i, time_ns);
		error_ns = rounded_up(error_at(piece_of(segment, x_ns), x_ns));
		if (not_before_ns != PWRTRACE_UNKNOWN_U64)
			wrong = MAX(wrong, before(time_ns + error_ns, not_before_ns));
		far = about_ns == PWRTRACE_UNKNOWN_U64 ? 0 : distance(time_ns, about_ns);
		if (wrong < least_wrong || (wrong == least_wrong && far < least_far)) {
			least_wrong = wrong;
			least_far = far;
			best = i;
		}
	}
	return best;
}

/* Between the last anchor before a step and the first one after it, either side may be right. */
static void note_step(struct clock *clock, guint chosen, uint64_t raw_ns, uint64_t time_ns)
{
	/* The segment before the chosen one, and the one after it. */
	for (guint i = chosen ? chosen - 1 : 1; i < clock->segments->len && i <= chosen + 1;
		i += 2) {
		const struct segment *other = segment_at(clock, i);
		const struct segment *earlier = segment_at(clock, MIN(i, chosen));
		uint64_t other_ns = moved(other, raw_ns);
		uint64_t from_ns = earlier->last.host_ns, until_ns = earlier[1].first.host_ns;

		if (time_ns >= from_ns && time_ns <= until_ns && other_ns >= from_ns &&
			other_ns <= until_ns)
			clock->step_error_ns =
				MAX(clock->step_error_ns, (double)distance(time_ns, other_ns));
	}
}

uint64_t clock_host_ns(
	struct clock *clock, uint64_t raw_ns, uint64_t not_before_ns, uint64_t about_ns)
{
	guint chosen =
		clock->segments->len > 1 ? segment_of(clock, raw_ns, not_before_ns, about_ns) : 0;
	const struct segment *segment = segment_at(clock, chosen);
	double x_ns = x_of(segment, raw_ns);
	struct piece *piece = piece_of(segment, x_ns);
	uint64_t time_ns = moved(segment, raw_ns);

	piece->used_from_ns = MIN(piece->used_from_ns, x_ns);
	piece->used_until_ns = MAX(piece->used_until_ns, x_ns);
	clock->used = true;
	note_step(clock, chosen, raw_ns, time_ns);
	return time_ns;
}

void clock_contradicted(struct clock *clock, uint64_t by_ns)
{
	clock->contradiction_ns = MAX(clock->contradiction_ns, by_ns);
}

/* ---- what it is worth ---- */

static void note_error(struct clock_summary *summary, double error_ns, enum clock_cause cause)
{
	uint64_t rounded_ns = rounded_up(error_ns);

	if (rounded_ns <= summary->error_ns)
		return;
	summary->error_ns = rounded_ns;
	summary->cause = cause;
}

/* The lines spread convexly along x: the worst of the times is the first or the last one. */
static void note_piece(
	struct clock_summary *summary, const struct segment *segment, const struct piece *piece)
{
	double last_ns = piece_at(segment, segment->pieces->len - 1)->until_ns;
	const double used[] = {piece->used_from_ns, piece->used_until_ns};

	if (piece->used_from_ns > piece->used_until_ns)
		return;
	for (size_t i = 0; i < G_N_ELEMENTS(used); i++)
		note_error(summary, error_at(piece, used[i]),
			used[i] < 0 || used[i] > last_ns ? CLOCK_BEYOND : CLOCK_BETWEEN);
}

static void describe_step(struct clock_summary *summary, const struct clock *clock)
{
	const struct segment *a, *b;

	if (clock->segments->len < 2)
		return;
	a = segment_at(clock, 0);
	b = segment_at(clock, 1);
	summary->steps = clock->segments->len - 1;
	summary->step_at_ns = a->last.host_ns;
	summary->step_ns = (int64_t)(moved(a, b->first.raw_ns) - b->first.host_ns);
}

struct clock_summary clock_summarize(const struct clock *clock)
{
	const struct anchor *first = &g_array_index(clock->anchors, struct anchor, 0);
	struct clock_summary summary = {.anchors = clock->anchors->len, .wrong = clock->wrong};
	double longest_ns = -1;

	if (!clock->anchors->len)
		return summary;
	summary.span_s = (double)(first[clock->anchors->len - 1].host_ns - first->host_ns) /
			 PWRTRACE_NS_PER_S;
	describe_step(&summary, clock);
	for (guint i = 0; i < clock->segments->len; i++) {
		const struct segment *segment = segment_at(clock, i);

		summary.pieces += segment->pieces->len;
		for (guint k = 0; k < segment->pieces->len; k++) {
			const struct piece *piece = piece_at(segment, k);

			note_piece(&summary, segment, piece);
			if (piece->until_ns - piece->from_ns > longest_ns) {
				longest_ns = piece->until_ns - piece->from_ns;
				summary.drift = 0 - piece->line.rate;
			}
		}
	}
	note_error(&summary, clock->step_error_ns, CLOCK_AT_STEP);
	note_error(&summary, (double)clock->contradiction_ns, CLOCK_CONTRADICTED);
	for (guint i = 0; !clock->used && i < clock->anchors->len; i++)
		note_error(&summary, (double)first[i].error_ns, CLOCK_COMPARED);
	return summary;
}
