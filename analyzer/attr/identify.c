/* SPDX-License-Identifier: MIT */
#include "analyzer/attr/identify.h"

#include <math.h>

#include "analyzer/attr/trial.h"
#include "analyzer/sensor/correlation.h"

#define ROWS_MAX 1500
#define ROWS_AT_FIRST 750 /* where it is done again with powers known */
#define FINEST 0.002      /* the following are in periods */
#define LEAST_WINDOW 0.01
#define MOST_WINDOW 11.
#define MOST_TAIL 2.
#define REFINEMENTS 16
#define REFINEMENTS_AT_FIRST 5
/* What another response than the stated one must gain in twice the logarithm of the likelihood:
 * three parameters gain as much by chance in one of six thousand cases. */
#define GAIN_NEEDED 20.
#define DIGITS 1e-6 /* of the variance that is assumed: where no more is left, it says nothing */
#define WITHIN 3.84 /* and what one is worse by that 95 % of true ones are not */
#define SURE 1.96

static const double lags[] = {
	-0.1, 0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.4, 1.5};
static const double gauge_windows[] = {0.1, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 10};
static const double counter_windows[] = {0.01, 0.25, 0.5, 1};

/* What of a response is changed at once: the lag; the window, about its middle; the tail, with the
 * mean delay as it is; the tail for the window, with mean delay and variance as they are. */
enum { MOVE_LAG, MOVE_WINDOW, MOVE_TAIL, MOVE_TAIL_FOR_WINDOW, MOVES };

#define MOVE(name) (1u << MOVE_##name)

enum { BOX, FILTER, BOTH, FAMILIES };

static const unsigned family_moves[FAMILIES] = {
	[BOX] = MOVE(LAG) | MOVE(WINDOW),
	[FILTER] = MOVE(LAG) | MOVE(TAIL),
	[BOTH] = MOVE(LAG) | MOVE(WINDOW) | MOVE(TAIL) | MOVE(TAIL_FOR_WINDOW),
};

/* The best of a family, and the squares that it leaves. */
struct candidate {
	struct response_shape shape;
	double left;
};

struct search {
	struct trial trial;
	double independent; /* readings, beyond what powers take */
};

/* By which twice the logarithm of the likelihood differs. */
static double gain(const struct search *search, double from, double to)
{
	return search->independent * log(from / to);
}

static void keep_better(struct trial *trial, struct candidate *best, struct response_shape shape)
{
	double left = trial_squares(trial, &shape, NULL);

	if (left < best->left)
		*best = (struct candidate){shape, left};
}

/* ---- searching ---- */

/* The member of a family that is like a box. */
static struct response_shape like_box(
	const struct trial *trial, int family, double lag_ns, double window_ns)
{
	struct response_shape box = {lag_ns, window_ns, 0};
	struct response_shape filter = {lag_ns, LEAST_WINDOW * trial->period_ns,
		MIN(window_ns / 2, MOST_TAIL * trial->period_ns)};

	return family == BOX ? box : filter;
}

static struct candidate search_grid(struct trial *trial, int family)
{
	const double *windows = trial->counter ? counter_windows : gauge_windows;
	size_t count = trial->counter ? G_N_ELEMENTS(counter_windows) : G_N_ELEMENTS(gauge_windows);
	struct candidate best = {.left = INFINITY};

	for (size_t k = 0; k < count; k++)
		for (size_t i = 0; i < G_N_ELEMENTS(lags); i++)
			keep_better(trial, &best,
				like_box(trial, family, lags[i] * trial->period_ns,
					windows[k] * trial->period_ns));
	return best;
}

static bool move(struct response_shape *shape, int which, double by_ns, double period_ns)
{
	struct response_shape old = *shape;
	double square;

	if (which == MOVE_LAG) {
		shape->lag_ns += by_ns;
	} else if (which == MOVE_WINDOW) {
		shape->window_ns += by_ns;
		shape->lag_ns -= by_ns / 2;
	} else {
		shape->tail_ns = MAX(old.tail_ns + by_ns, 0);
		shape->lag_ns -= shape->tail_ns - old.tail_ns;
	}
	if (which == MOVE_TAIL_FOR_WINDOW) {
		square = old.window_ns * old.window_ns +
			 12 * (old.tail_ns * old.tail_ns - shape->tail_ns * shape->tail_ns);
		shape->window_ns = sqrt(MAX(square, 0));
		shape->lag_ns += (old.window_ns - shape->window_ns) / 2;
	}
	return shape->window_ns >= LEAST_WINDOW * period_ns &&
	       shape->window_ns <= MOST_WINDOW * period_ns && shape->lag_ns >= -0.2 * period_ns &&
	       shape->tail_ns <= MOST_TAIL * period_ns &&
	       (shape->tail_ns > old.tail_ns || shape->tail_ns < old.tail_ns || which < MOVE_TAIL);
}

/* Goes downhill by moves that get smaller. */
static void refine(struct trial *trial, int family, int rounds, struct candidate *best)
{
	double step_ns = 0.1 * trial->period_ns;

	for (int round = 0; round < rounds && step_ns > FINEST * trial->period_ns; round++) {
		double before = best->left;

		for (int i = 0; i < 2 * MOVES; i++) {
			struct response_shape shape = best->shape;

			if (family_moves[family] & (1u << i / 2) &&
				move(&shape, i / 2, i % 2 ? -step_ns : step_ns, trial->period_ns))
				keep_better(trial, best, shape);
		}
		if (!(best->left < before))
			step_ns /= 2;
	}
}

/* The best of each family.  What an influence explains, no response needs to: with the first one,
 * which explains most, the grid is gone through again. */
static void search_families(struct trial *trial, const struct identify_earlier *earlier, int rounds,
	struct candidate *best)
{
	for (int family = BOX; family < BOTH; family++) {
		best[family] = (struct candidate){.left = INFINITY};
		if (earlier) {
			struct response response;

			response_of_shape(&response, &earlier->identified->shape);
			keep_better(trial, &best[family],
				like_box(trial, family, response_lag(&response),
					response_window(&response)));
		}
		if (!earlier || earlier->influences->count == 1) {
			struct candidate other = search_grid(trial, family);

			if (other.left < best[family].left)
				best[family] = other;
		}
		refine(trial, family, rounds, &best[family]);
	}
	best[BOTH] = best[FILTER].left < best[BOX].left ? best[FILTER] : best[BOX];
	if (earlier)
		keep_better(trial, &best[BOTH], earlier->identified->shape);
	refine(trial, BOTH, rounds, &best[BOTH]);
}

static void count_independent(struct search *search, const struct candidate *best)
{
	struct trial *trial = &search->trial;
	double *left = g_new0(double, trial->rows);
	double free = MAX((double)trial->rows - trial->unknowns, 1);

	trial_squares(trial, &best->shape, left);
	search->independent = MAX(free / correlation_of(left, trial->rows), 1);
	g_free(left);
}

/* The simplest that is enough. */
static int choose(const struct search *search, const struct candidate *best)
{
	double needed = log(MAX(search->independent, 1));
	int chosen = BOX;

	for (int family = BOX + 1; family < FAMILIES; family++)
		if (gain(search, best[chosen].left, best[family].left) > needed)
			chosen = family;
	return chosen;
}

/* ---- how well it is known ---- */

/* A shape whose mean is later, and which is wider about it. */
static struct response_shape changed(
	const struct response_shape *shape, double later_ns, double wider)
{
	struct response_shape other = {.window_ns = shape->window_ns * (1 + wider),
		.tail_ns = shape->tail_ns * (1 + wider)};

	other.lag_ns = shape->lag_ns + later_ns + (shape->window_ns - other.window_ns) / 2 +
		       shape->tail_ns - other.tail_ns;
	return other;
}

static double loss(
	struct search *search, const struct candidate *best, double later_ns, double wider)
{
	struct response_shape shape = changed(&best->shape, later_ns, wider);

	return gain(search, trial_squares(&search->trial, &shape, NULL), best->left);
}

/* Half of what two opposite changes lose. */
static double losses(
	struct search *search, const struct candidate *best, double later_ns, double wider)
{
	return (loss(search, best, later_ns, wider) + loss(search, best, -later_ns, -wider)) / 2;
}

/* How far one must go to lose about as much as an interval allows. */
static double reach(struct search *search, const struct candidate *best, double later_ns,
	double wider, double *lost)
{
	double factor = 1;

	for (int i = 0; i < 12; i++) {
		double next;

		*lost = losses(search, best, factor * later_ns, factor * wider);
		next = *lost < WITHIN / 4 ? 2 : *lost > 2 * WITHIN ? 0.5 : 1;
		if (!(next > 1 || next < 1) || (next > 1 && 2 * factor * wider >= 1))
			break;
		factor *= next;
	}
	*lost = MAX(*lost, 1e-6);
	return factor;
}

static void widen(struct estimate *estimate, double value, double deviation, double floor)
{
	double low = MAX(value - SURE * deviation, floor), high = value + SURE * deviation;

	if (!estimate_known(*estimate)) {
		*estimate = (struct estimate){value, low, high};
	} else {
		estimate->low = MIN(estimate->low, low);
		estimate->high = MAX(estimate->high, high);
	}
}

/* Of the mean and the width, by how fast the likelihood falls about the best. */
static void add_interval(
	struct search *search, const struct candidate *best, struct identified *identified)
{
	double later_ns = 0.02 * search->trial.period_ns, wider = 0.02;
	double by_later, by_wider, by_both, later, wide, both, determinant, window_ns;
	struct response response;

	later_ns *= reach(search, best, later_ns, 0, &by_later);
	wider *= reach(search, best, 0, wider, &by_wider);
	by_both = losses(search, best, later_ns, wider);
	both = CLAMP((by_both - by_later - by_wider) / 2, -0.99 * sqrt(by_later * by_wider),
		0.99 * sqrt(by_later * by_wider));
	/* The inverse of the information; covariances in the units of the changes. */
	determinant = by_later * by_wider - both * both;
	later = by_wider / determinant * later_ns * later_ns;
	wide = by_later / determinant * wider * wider;
	both = -both / determinant * later_ns * wider;
	response_of_shape(&response, &best->shape);
	window_ns = response_window(&response);
	widen(&identified->window_ns, window_ns, window_ns * sqrt(wide), 0);
	/* The lag is the mean less half the window. */
	widen(&identified->lag_ns, response_lag(&response),
		sqrt(MAX(later - window_ns * both + window_ns * window_ns / 4 * wide, 0)),
		-INFINITY);
}

static bool at_edge(const struct trial *trial, const struct response_shape *shape)
{
	return shape->lag_ns <= -0.1 * trial->period_ns ||
	       shape->lag_ns >= 1.5 * trial->period_ns ||
	       shape->window_ns >= 10 * trial->period_ns ||
	       shape->tail_ns >= MOST_TAIL * trial->period_ns;
}

/* That of all families that the readings allow. */
static struct identified describe(struct search *search, const struct candidate *best, int chosen)
{
	struct identified identified = {best[chosen].shape, RESPONSE_FOUND,
		at_edge(&search->trial, &best[chosen].shape), ESTIMATE_UNKNOWN, ESTIMATE_UNKNOWN};

	add_interval(search, &best[chosen], &identified);
	for (int family = BOX; family < FAMILIES; family++)
		if (family != chosen && gain(search, best[family].left, best[BOTH].left) < WITHIN)
			add_interval(search, &best[family], &identified);
	return identified;
}

/* What the sensor says of itself; where it says nothing, a mean since the reading before. */
static struct identified stated(const struct trial *trial, const struct model_sensor *sensor)
{
	struct identified identified = {.shape = {0, trial->period_ns, 0},
		.window_ns = ESTIMATE_UNKNOWN,
		.lag_ns = ESTIMATE_UNKNOWN};

	if (trial->counter)
		identified.shape.window_ns = 0;
	else if (sensor->window_ns != PWRTRACE_UNKNOWN_U64)
		identified.shape.window_ns = (double)sensor->window_ns;
	if (sensor->lag_ns != PWRTRACE_UNKNOWN_U64)
		identified.shape.lag_ns = (double)sensor->lag_ns;
	if (sensor->window_ns != PWRTRACE_UNKNOWN_U64 || sensor->lag_ns != PWRTRACE_UNKNOWN_U64)
		identified.origin = RESPONSE_STATED;
	return identified;
}

/* Whether readings tell of another response than the one that they have so far. */
static void look_for_better(struct search *search, const struct identify_earlier *earlier,
	int rounds, double before, struct identified *identified)
{
	struct candidate best[FAMILIES];
	int chosen;

	search_families(&search->trial, earlier, rounds, best);
	count_independent(search, &best[BOTH]);
	chosen = choose(search, best);
	if (gain(search, before, best[chosen].left) > GAIN_NEEDED)
		*identified = describe(search, best, chosen);
}

struct identified identify_response(const struct model *model, const struct classes *classes,
	const struct model_sensor *sensor, const GArray *readings,
	const struct identify_earlier *earlier)
{
	bool again = !earlier && classes->columns > IDENTIFY_COLUMNS;
	struct identified identified;
	struct search search;
	double before;

	trial_begin(&search.trial, model, classes, sensor, readings,
		MIN(readings->len, again ? ROWS_AT_FIRST : ROWS_MAX), earlier);
	identified = stated(&search.trial, sensor);
	before = trial_squares(&search.trial, &identified.shape, NULL);
	if (before > DIGITS * search.trial.rows)
		look_for_better(&search, earlier, again ? REFINEMENTS_AT_FIRST : REFINEMENTS,
			before, &identified);
	trial_end(&search.trial);
	return identified;
}
