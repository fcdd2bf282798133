/* SPDX-License-Identifier: MIT */
#include "analyzer/response/search.h"

#include <math.h>

#include "analyzer/numeric/autocorrelation.h"
#include "analyzer/response/ablation.h"

#define STEPS 12        /* of a descent: most need fewer */
#define LAGS 33         /* of the grid: -0.1 to 1.5 periods */
#define LAG_FIRST -0.1  /* periods: stamps may be early */
#define LAG_STEP 0.05   /* periods: minima are wider */
#define RIDGE_LAGS 7    /* about the lag of the same mean delay */
#define RIDGE_MIDDLE 3  /* index of that lag */
#define ALIKE 0.02      /* periods: shapes that differ by less count as one */
#define WALKERS 32      /* of the ensemble: several for each of its 16 draws and 3 dimensions */
#define SWEEPS 10       /* of the ensemble, until the walkers have mixed */
#define LIKELY_GAIN 30. /* gain below the best: others would hardly be drawn */

/* Grids, in periods. */
static const double gauge_windows[] = {0.1, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 10};
static const double counter_windows[] = {0.01, 0.25, 0.5, 1};
static const double ridge_windows[] = {0.02, 0.1, 0.25, 0.5, 0.75, 1, 1.25, 1.5};
static const double ridge_tails[] = {0, 0.05, 0.1, 0.2, 0.3, 0.45, 0.6, 0.75, 1};

static const bool family_free[SEARCH_FAMILIES][SHAPE_PARAMETERS] = {
	[SEARCH_BOX] = {[SHAPE_LAG] = true, [SHAPE_WINDOW] = true},
	[SEARCH_FILTER] = {[SHAPE_LAG] = true, [SHAPE_TAIL] = true},
	[SEARCH_BOTH] = {true, true, true},
};

void search_begin(struct search *search, struct trial *trials, guint count)
{
	*search = (struct search){.trials = trials,
		.count = count,
		.minima = g_array_new(FALSE, FALSE, sizeof(struct shape_candidate)),
		.met = g_array_new(FALSE, FALSE, sizeof(struct shape_candidate))};
	for (int family = 0; family < SEARCH_FAMILIES; family++)
		search->best[family].misfit = INFINITY;
}

void search_end(struct search *search)
{
	g_array_free(search->minima, TRUE);
	g_array_free(search->met, TRUE);
}

static double period_ns(const struct search *search)
{
	return search->trials[0].period_ns;
}

double search_misfit(struct search *search, const struct response_shape *shape)
{
	return trials_misfit(search->trials, search->count, shape);
}

static double rough_misfit(struct search *search, const struct response_shape *shape)
{
	return trials_misfit(search->rough, search->count, shape);
}

double search_gain(const struct search *search, double from, double to)
{
	return search->independent * log(from / to);
}

struct response_shape search_like_box(
	const struct search *search, enum search_family family, double lag_ns, double window_ns)
{
	struct response_shape box = {lag_ns, window_ns, 0};
	struct response_shape filter = {lag_ns, TRIAL_WINDOW_LEAST * period_ns(search),
		MIN(window_ns / 2, TRIAL_TAIL_MOST * period_ns(search))};

	return family == SEARCH_BOX ? box : filter;
}

/* ---- descents ---- */

static void descend(struct search *search, enum search_family family, struct shape_candidate start)
{
	start.misfit = trials_descend(
		search->trials, search->count, family_free[family], STEPS, &start.shape);
	g_array_append_val(search->met, start);
	if (start.misfit < search->best[family].misfit)
		search->best[family] = start;
}

static const struct shape_candidate *candidate_at(const GArray *candidates, guint i)
{
	return &g_array_index(candidates, struct shape_candidate, i);
}

/* Descends from the best minimum of a grid, whose minima are those from index first on; does
 * nothing if it has none.  Rough trials have fewer readings, and come most of the way. */
static void descend_from_grid(struct search *search, enum search_family family, guint first)
{
	struct shape_candidate start = {.misfit = INFINITY};

	for (guint i = first; i < search->minima->len; i++)
		if (candidate_at(search->minima, i)->misfit < start.misfit)
			start = *candidate_at(search->minima, i);
	if (!isfinite(start.misfit))
		return;
	trials_descend(search->rough, search->count, family_free[family], STEPS, &start.shape);
	descend(search, family, start);
}

/* Keeps the local minima of a grid of cells, in rows of width. */
static void keep_minima(
	struct search *search, const struct shape_candidate *cells, guint count, guint width)
{
	for (guint own = 0; own < count; own++) {
		const double misfit = cells[own].misfit;
		bool least = isfinite(misfit);

		least &= own % width == 0 || misfit <= cells[own - 1].misfit;
		least &= (own + 1) % width == 0 || misfit <= cells[own + 1].misfit;
		least &= own < width || misfit <= cells[own - width].misfit;
		least &= own + width >= count || misfit <= cells[own + width].misfit;
		if (least)
			g_array_append_val(search->minima, cells[own]);
	}
}

static void search_grid(struct search *search, enum search_family family)
{
	bool counter = search->trials[0].counter;
	const double *windows = counter ? counter_windows : gauge_windows;
	guint rows = counter ? G_N_ELEMENTS(counter_windows) : G_N_ELEMENTS(gauge_windows);
	struct shape_candidate cells[G_N_ELEMENTS(gauge_windows) * LAGS];
	guint first = search->minima->len;

	for (guint i = 0; i < rows * LAGS; i++) {
		double lag = LAG_FIRST + LAG_STEP * (i % LAGS);

		cells[i].shape = search_like_box(search, family, lag * period_ns(search),
			windows[i / LAGS] * period_ns(search));
		cells[i].misfit = rough_misfit(search, &cells[i].shape);
	}
	keep_minima(search, cells, rows * LAGS, LAGS);
	descend_from_grid(search, family, first);
	descend_from_grid(search, SEARCH_BOTH, first);
}

/* Searches shapes with about the mean delay of the best one: the edges of work determine the delay,
 * and little else of the shape. */
static void search_ridge(struct search *search)
{
	double period = period_ns(search),
	       middle_ns = response_shape_mean_ns(&search->best[SEARCH_BOTH].shape);
	guint first = search->minima->len;

	for (guint i = 0; i < G_N_ELEMENTS(ridge_tails) * G_N_ELEMENTS(ridge_windows); i++) {
		struct shape_candidate line[RIDGE_LAGS] = {{.misfit = INFINITY}};

		for (int k = 0; k < RIDGE_LAGS; k++) {
			struct response_shape *shape = &line[k].shape;

			*shape = (struct response_shape){
				.window_ns =
					ridge_windows[i % G_N_ELEMENTS(ridge_windows)] * period,
				.tail_ns = ridge_tails[i / G_N_ELEMENTS(ridge_windows)] * period};
			shape->lag_ns = middle_ns - response_shape_mean_ns(shape) +
					LAG_STEP * (k - RIDGE_MIDDLE) * period;
			line[k].misfit = trial_allows(&search->trials[0], shape)
						 ? rough_misfit(search, shape)
						 : INFINITY;
		}
		keep_minima(search, line, RIDGE_LAGS, RIDGE_LAGS);
	}
	descend_from_grid(search, SEARCH_BOTH, first);
}

/* Sets the effective number of degrees of freedom, by the autocorrelation of the residuals. */
static void count_independent(struct search *search)
{
	search_misfit(search, &search->best[SEARCH_BOTH].shape);
	search->independent = 0;
	for (guint i = 0; i < search->count; i++) {
		const struct trial *trial = &search->trials[i];
		double *left = g_new(double, trial->rows);
		double free = MAX((double)trial->rows - trial->unknowns, 1);

		for (guint row = 0; row < trial->rows; row++)
			left[row] = trial_residual_w(trial, row) * sqrt(trial->weight[row]);
		search->independent +=
			MAX(free / (ablated(ABLATION_INDEPENDENT)
						   ? 1
						   : autocorrelation_time(left, trial->rows)),
				1);
		g_free(left);
	}
}

void search_all(struct search *search, struct trial *rough)
{
	search->rough = rough;
	for (enum search_family family = 0; family < SEARCH_BOTH; family++) {
		if (family == SEARCH_FILTER && ablated(ABLATION_FILTERS))
			continue;
		search_grid(search, family);
		descend(search, SEARCH_BOTH, search->best[family]);
	}
	if (!ablated(ABLATION_RIDGE))
		search_ridge(search);
	count_independent(search);
}

void search_from(struct search *search, const struct response_shape *shape)
{
	struct response response;

	response_of_shape(&response, shape);
	for (enum search_family family = 0; family < SEARCH_BOTH; family++) {
		struct shape_candidate start = {
			.shape = search_like_box(search, family, response_lag_ns(&response),
				response_window_ns(&response))};

		descend(search, family, start);
		descend(search, SEARCH_BOTH, search->best[family]);
	}
	descend(search, SEARCH_BOTH, (struct shape_candidate){.shape = *shape});
	count_independent(search);
}

/* ---- draws ---- */

/* The shape on the line from other through own that is times as far from other as own is. */
static struct response_shape stretched(
	const struct response_shape *own, const struct response_shape *other, double times)
{
	return (struct response_shape){other->lag_ns + times * (own->lag_ns - other->lag_ns),
		other->window_ns + times * (own->window_ns - other->window_ns),
		other->tail_ns + times * (own->tail_ns - other->tail_ns)};
}

/* Samples the posterior with an ensemble of walkers, each of which moves relative to another one
 * (Goodman and Weare, "Ensemble samplers with affine invariance", Communications in Applied
 * Mathematics and Computational Science 5, 2010). */
static void walk(struct search *search, struct shape_candidate *walkers, guint count)
{
	GRand *random = g_rand_new_with_seed(1);

	for (guint step = 0; step < SWEEPS * count; step++) {
		struct shape_candidate *own = &walkers[step % count], next;
		guint other = (guint)g_rand_int_range(random, 1, (gint32)count);
		double root = g_rand_double_range(random, G_SQRT2 / 2, G_SQRT2);
		double odds = log(1 - g_rand_double(random));

		next.shape =
			stretched(&own->shape, &walkers[(step + other) % count].shape, root * root);
		if (!trial_allows(&search->trials[0], &next.shape))
			continue;
		next.misfit = search_misfit(search, &next.shape);
		if (odds < 2 * (SHAPE_PARAMETERS - 1) * log(root) +
				   search_gain(search, own->misfit, next.misfit) / 2)
			*own = next;
	}
	g_rand_free(random);
}

static int by_misfit(gconstpointer a, gconstpointer b)
{
	const struct shape_candidate *x = a, *y = b;

	return x->misfit < y->misfit ? -1 : x->misfit > y->misfit;
}

static bool is_alike(
	const struct search *search, const struct response_shape *a, const struct response_shape *b)
{
	double far_ns = ALIKE * period_ns(search);

	return fabs(response_shape_mean_ns(a) - response_shape_mean_ns(b)) < far_ns &&
	       fabs(a->window_ns - b->window_ns) < 2 * far_ns &&
	       fabs(a->tail_ns - b->tail_ns) < 2 * far_ns;
}

/* Adds the minima of grids to the ends of descents. */
static void meet_minima(struct search *search)
{
	for (guint i = 0; i < search->minima->len; i++) {
		struct shape_candidate met = *candidate_at(search->minima, i);

		met.misfit = search_misfit(search, &met.shape);
		g_array_append_val(search->met, met);
	}
	g_array_set_size(search->minima, 0);
}

/* Sets the first walkers to the likely minima, each once and the best first.  Returns their number.
 */
static guint first_walkers(struct search *search, struct shape_candidate *walkers, guint count)
{
	guint found = 0;

	meet_minima(search);
	g_array_sort(search->met, by_misfit);
	for (guint i = 0; i < search->met->len && found < count; i++) {
		const struct shape_candidate *met = candidate_at(search->met, i);
		bool known = false;

		if (search_gain(search, met->misfit, candidate_at(search->met, 0)->misfit) >
			LIKELY_GAIN)
			break;
		for (guint k = 0; k < found; k++)
			known |= is_alike(search, &met->shape, &walkers[k].shape);
		if (!known)
			walkers[found++] = *met;
	}
	return found;
}

guint search_draw(struct search *search, struct response_shape *shapes, guint count)
{
	struct shape_candidate walkers[WALKERS], *best = walkers;
	guint found = first_walkers(search, walkers, WALKERS);
	GRand *random = g_rand_new_with_seed(1);

	for (guint i = found; found > 1 && i < WALKERS; i++) {
		double by_ns[SHAPE_PARAMETERS];

		for (int k = 0; k < SHAPE_PARAMETERS; k++)
			by_ns[k] = g_rand_double_range(random, -ALIKE, ALIKE) * period_ns(search);
		walkers[i].shape = response_shape_moved(&walkers[i % found].shape, by_ns);
		walkers[i].misfit = search_misfit(search, &walkers[i].shape);
	}
	g_rand_free(random);
	if (found < 2)
		return 0;
	walk(search, walkers, WALKERS);
	for (guint i = 1; i < WALKERS; i++)
		best = walkers[i].misfit < best->misfit ? &walkers[i] : best;
	descend(search, SEARCH_BOTH, *best);
	for (guint i = 0; i < count; i++)
		shapes[i] = walkers[i * WALKERS / count].shape;
	return count;
}
