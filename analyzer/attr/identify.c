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

static bool at_edge(const struct trial *trial, const struct response_shape *shape)
{
	return shape->lag_ns <= -0.1 * trial->period_ns ||
	       shape->lag_ns >= 1.5 * trial->period_ns ||
	       shape->window_ns >= 10 * trial->period_ns ||
	       shape->tail_ns >= MOST_TAIL * trial->period_ns;
}

/* What the sensor says of itself; where it says nothing, a mean since the reading before. */
static struct identified stated(const struct trial *trial, const struct model_sensor *sensor)
{
	struct identified identified = {.shape = {0, trial->period_ns, 0}};

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
		*identified = (struct identified){.shape = best[chosen].shape,
			.origin = RESPONSE_FOUND,
			.at_edge = at_edge(&search->trial, &best[chosen].shape)};
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
