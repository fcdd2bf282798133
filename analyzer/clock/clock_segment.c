/* SPDX-License-Identifier: MIT */
#include "analyzer/clock/clock_segment.h"

#include <math.h>

#include "analyzer/clock/clock.h"
#include "analyzer/numeric/bisect.h"

/* Added to an anchor's error, since both clocks are read in whole nanoseconds. */
#define ROUNDING_NS 1.

/* The coarsest resolution of a device's times (hipEventElapsedTime in hip_runtime_api.h). */
#define COARSEST_NS 1000.

struct piece *segment_piece(const struct segment *segment, guint i)
{
	return &g_array_index(segment->pieces, struct piece, i);
}

static struct piece *last_piece(const struct segment *segment)
{
	return segment_piece(segment, segment->pieces->len - 1);
}

double segment_x_ns(const struct segment *segment, uint64_t raw_ns)
{
	return (double)(int64_t)(raw_ns - segment->first.raw_ns);
}

static double y_ns(const struct segment *segment, uint64_t raw_ns, uint64_t host_ns)
{
	return (double)(int64_t)(host_ns - segment->first.host_ns -
				 (raw_ns - segment->first.raw_ns));
}

static struct bracket bracket_of(const struct segment *segment, const struct anchor *anchor)
{
	return (struct bracket){segment_x_ns(segment, anchor->raw_ns),
		y_ns(segment, anchor->raw_ns, anchor->host_ns),
		(double)anchor->error_ns + ROUNDING_NS};
}

/* Whether clocks can get from one bracket to another without a step, at the largest drift. */
static bool reaches(const struct bracket *from, const struct bracket *to)
{
	return fabs(to->y_ns - from->y_ns) <=
	       from->error_ns + to->error_ns + CLOCK_DRIFT_MAX * fabs(to->x_ns - from->x_ns);
}

/* The bracket at a piece's last anchor that all of its anchors leave. */
static struct bracket end_of(const struct piece *piece)
{
	struct bracket end = lines_at(piece->lines, piece->until_ns);

	end.error_ns = MAX(end.error_ns, piece->tightest_ns);
	return end;
}

/* Sets what follows from all anchors of the last piece, whose brackets (struct bracket) are given.
 */
static void end_piece(struct segment *segment, GArray *brackets)
{
	struct piece *piece = last_piece(segment);

	piece->error = squared_error_of(brackets, CLOCK_DRIFT_LIKELY);
	if (segment->pieces->len > 1 && brackets->len > 1)
		piece->bent_ns = g_array_index(brackets, struct bracket, 1).x_ns;
}

static void begin_piece(struct segment *segment, const struct bracket *first, GArray *brackets)
{
	struct piece piece = {.from_ns = first->x_ns,
		.bent_ns = first->x_ns,
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

static struct segment *begin_segment(GArray *segments, const struct anchor *first, GArray *brackets)
{
	struct segment segment = {*first, *first, g_array_new(FALSE, FALSE, sizeof(struct piece))};
	struct bracket bracket = bracket_of(&segment, first);

	g_array_append_val(segments, segment);
	begin_piece(&segment, &bracket, brackets);
	return &g_array_index(segments, struct segment, segments->len - 1);
}

/* Whether an anchor is wrong: the next one follows from those before it, and not from this one. */
static bool is_wrong(
	const struct segment *segment, const struct anchor *anchor, const struct anchor *next)
{
	struct bracket end = end_of(last_piece(segment)), at = bracket_of(segment, anchor), after;

	if (!next)
		return false;
	after = bracket_of(segment, next);
	return reaches(&end, &after) && !reaches(&at, &after);
}

/* Adds an anchor to the segment, in a new piece where its rate has changed.  Returns false where it
 * is beyond a step. */
static bool extend_segment(struct segment *segment, const struct anchor *anchor, GArray *brackets)
{
	struct piece *piece = last_piece(segment);
	struct bracket next = bracket_of(segment, anchor), end = end_of(piece);

	if (!extend_piece(piece, &next, brackets)) {
		if (!reaches(&end, &next))
			return false;
		end_piece(segment, brackets);
		begin_piece(segment, &end, brackets);
		extend_piece(last_piece(segment), &next, brackets);
	}
	segment->last = *anchor;
	return true;
}

static int by_host(gconstpointer a, gconstpointer b)
{
	const struct anchor *x = a, *y = b;

	if (x->host_ns != y->host_ns)
		return x->host_ns < y->host_ns ? -1 : 1;
	if (x->raw_ns != y->raw_ns)
		return x->raw_ns < y->raw_ns ? -1 : 1;
	return x->error_ns < y->error_ns ? -1 : x->error_ns > y->error_ns;
}

/* An anchor may be in the trace twice, since definitions are written again when a session is
 * rotated or restarted.  Keeps the one with the smaller error. */
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

static const struct anchor *next_of(const GArray *anchors, guint i)
{
	return i + 1 < anchors->len ? &g_array_index(anchors, struct anchor, i + 1) : NULL;
}

GArray *segments_fit(GArray *anchors, guint *wrong)
{
	GArray *segments = g_array_new(FALSE, FALSE, sizeof(struct segment));
	GArray *brackets = g_array_new(FALSE, FALSE, sizeof(struct bracket)); /* of a piece */
	struct segment *segment = NULL;

	*wrong = 0;
	g_array_sort(anchors, by_host);
	drop_repeats(anchors);
	for (guint i = 0; i < anchors->len; i++) {
		const struct anchor *at = &g_array_index(anchors, struct anchor, i);

		if (segment && extend_segment(segment, at, brackets))
			continue;
		if (segment && is_wrong(segment, at, next_of(anchors, i))) {
			++*wrong;
			continue;
		}
		if (segment)
			end_piece(segment, brackets);
		segment = begin_segment(segments, at, brackets);
	}
	if (segment)
		end_piece(segment, brackets);
	g_array_free(brackets, TRUE);
	return segments;
}

void segments_settle(GArray *segments)
{
	for (guint i = 0; i < segments->len; i++) {
		const struct segment *segment = &g_array_index(segments, struct segment, i);

		for (guint k = 0; k < segment->pieces->len; k++) {
			struct piece *piece = segment_piece(segment, k);

			piece->line = lines_best(piece->lines, &piece->error);
			if (k)
				piece->bend_ns = fabs(piece->line.rate -
							 segment_piece(segment, k - 1)->line.rate) *
						 (piece->bent_ns - piece->from_ns);
		}
	}
}

void segments_free(GArray *segments)
{
	for (guint i = 0; i < segments->len; i++) {
		const struct segment *segment = &g_array_index(segments, struct segment, i);

		for (guint k = 0; k < segment->pieces->len; k++)
			g_array_free(segment_piece(segment, k)->lines, TRUE);
		g_array_free(segment->pieces, TRUE);
	}
	g_array_free(segments, TRUE);
}

struct piece *segment_piece_at(const struct segment *segment, double x_ns)
{
	return segment_piece(segment,
		BISECT(i, 1, segment->pieces->len, segment_piece(segment, i)->from_ns > x_ns) - 1);
}

bool segment_limit(struct segment *segment, uint64_t raw_ns, uint64_t host_ns, int side)
{
	double x_ns = segment_x_ns(segment, raw_ns);
	struct piece *piece = segment_piece_at(segment, x_ns);
	double slack_ns = MIN(piece->tightest_ns, COARSEST_NS);

	if (x_ns < piece->bent_ns)
		slack_ns += piece->bend_ns;

	return lines_limit(
		piece->lines, x_ns, y_ns(segment, raw_ns, host_ns) + side * slack_ns, side);
}

uint64_t segment_host_ns(const struct segment *segment, uint64_t raw_ns)
{
	double x_ns = segment_x_ns(segment, raw_ns);

	return segment->first.host_ns + (raw_ns - segment->first.raw_ns) +
	       (uint64_t)llround(line_at(&segment_piece_at(segment, x_ns)->line, x_ns));
}

double piece_error_ns(const struct piece *piece, double x_ns)
{
	struct bracket all = lines_at(piece->lines, x_ns);
	double off_ns = fabs(line_at(&piece->line, x_ns) - all.y_ns) + all.error_ns;

	return MAX(off_ns, piece->tightest_ns) + piece->bend_ns;
}
