/* SPDX-License-Identifier: MIT */
#include "analyzer/response/find.h"

#include <math.h>
#include <string.h>

#include "analyzer/response/ablation.h"
#include "analyzer/response/search.h"

/* The gain that a response needs over the expected one, in twice the logarithm of the likelihood:
 * three parameters have it by chance in one case of six thousand. */
#define GAIN_NEEDED 20.

/* The simplest family that is not significantly worse than the next ones. */
static const struct shape_candidate *choose(const struct search *search)
{
	const struct shape_candidate *chosen = &search->best[SEARCH_BOX];
	double needed = log(MAX(search->independent, 1));

	if (ablated(ABLATION_FAMILIES))
		return &search->best[SEARCH_BOTH];
	for (int family = SEARCH_BOX + 1; family < SEARCH_FAMILIES; family++)
		if (search_gain(search, chosen->misfit, search->best[family].misfit) > needed)
			chosen = &search->best[family];
	return chosen;
}

static bool at_edge(const struct trial *trial, const struct response_shape *shape)
{
	return shape->lag_ns <= -0.1 * trial->period_ns ||
	       shape->lag_ns >= 1.5 * trial->period_ns ||
	       shape->window_ns >= 10 * trial->period_ns ||
	       shape->tail_ns >= TRIAL_TAIL_MOST * trial->period_ns;
}

/* The response that another recording found, else the one that the sensor states of itself; where
 * there is neither, a mean since the reading before. */
static struct found_response expected(const struct trial *trial, const struct find_input *input)
{
	const struct model_sensor *sensor = input->sensor;
	struct found_response found = {.shape = {0, trial->period_ns, 0}};

	if (input->remembered && trial_allows(trial, input->remembered))
		return (struct found_response){
			.shape = *input->remembered, .origin = RESPONSE_REMEMBERED};
	if (trial->counter)
		found.shape.window_ns = 0;
	else if (sensor->window_ns != PWRTRACE_UNKNOWN_U64)
		found.shape.window_ns = (double)sensor->window_ns;
	if (sensor->lag_ns != PWRTRACE_UNKNOWN_U64)
		found.shape.lag_ns = (double)sensor->lag_ns;
	if (sensor->window_ns != PWRTRACE_UNKNOWN_U64 || sensor->lag_ns != PWRTRACE_UNKNOWN_U64)
		found.origin = RESPONSE_STATED;
	return found;
}

/* Replaces the response so far by the one found where that is significantly better; with draws,
 * draws other likely shapes, too. */
static void take_better(struct search *search, struct found_response *found, bool draws)
{
	double before = search_misfit(search, &found->shape);
	const struct shape_candidate *chosen = choose(search);

	if (search_gain(search, before, chosen->misfit) <=
		(ablated(ABLATION_STATED) ? 0 : GAIN_NEEDED))
		return;
	if (draws && !ablated(ABLATION_DRAWS)) {
		found->others = search_draw(search, found->other, FIND_OTHERS);
		chosen = choose(search);
	}
	found->shape = chosen->shape;
	found->origin = RESPONSE_FOUND;
	found->at_edge = at_edge(search->trials, &chosen->shape);
}

/* ---- alone and together ---- */

/* A trial of few readings is as good as a rough one. */
static void search_whole(
	struct search *search, const struct find_input *inputs, const struct earlier_fit *earlier)
{
	struct trial rough[FIND_TOGETHER_MAX];

	if (search->trials->rows <= TRIAL_ROWS_ROUGH) {
		search_all(search, search->trials);
		return;
	}
	for (guint i = 0; i < search->count; i++)
		trial_begin(&rough[i], &inputs[i], true, earlier);
	search_all(search, rough);
	for (guint i = 0; i < search->count; i++)
		trial_end(&rough[i]);
}

static void look_alone(struct trial *trial, const struct find_input *input,
	struct found_response *found, bool draws)
{
	struct search search;

	search_begin(&search, trial, 1);
	search_whole(&search, input, NULL);
	take_better(&search, found, draws);
	search_end(&search);
}

/* Searches again with the powers and influences of an earlier fit.  An influence may have been
 * mistaken for a response, so that after the first one, which explains most, the whole search is
 * repeated.  The known powers were fitted with the earlier response and so speak for it: a response
 * that was uncertain stays uncertain, unless the influence is a speed, a clock or a limit, which no
 * response resembles, or the powers are those of other recordings.  Without an influence, the
 * earlier search distinguished too few columns to say what is uncertain. */
static void look_again(struct trial *trial, const struct find_input *input,
	const struct earlier_fit *earlier, struct found_response *found)
{
	bool first = earlier->factors.count == 1;
	bool explained =
		earlier->of_others || !earlier->factors.count || (first && !earlier->fades);
	struct search search;

	search_begin(&search, trial, 1);
	if (earlier->of_others || (first && (explained || !earlier->found->others)))
		search_whole(&search, input, earlier);
	search_from(&search, &earlier->found->shape);
	take_better(&search, found, explained);
	search_end(&search);
	if (explained)
		return;
	found->others = earlier->found->others;
	memcpy(found->other, earlier->found->other, sizeof(found->other));
}

/* Whether the search will be repeated with powers known: where there are many columns.  It need
 * only come near then, and nothing is drawn: with columns sharing slots, wrong shapes stay likely.
 */
static bool is_again(const struct find_input *input)
{
	return input->columns->count > FIND_COLUMNS;
}

struct found_response response_find_together(const struct find_input *inputs, guint count)
{
	struct trial trials[FIND_TOGETHER_MAX] = {{.rows = 0}};
	struct found_response found;
	struct search search;

	count = MIN(count, FIND_TOGETHER_MAX);
	for (guint i = 0; i < count; i++)
		trial_begin(&trials[i], &inputs[i], is_again(inputs), NULL);
	found = expected(trials, inputs);
	search_begin(&search, trials, count);
	search_whole(&search, inputs, NULL);
	take_better(&search, &found, !is_again(inputs));
	search_end(&search);
	for (guint i = 0; i < count; i++)
		trial_end(&trials[i]);
	return found;
}

struct found_response response_find(
	const struct find_input *input, const struct earlier_fit *earlier)
{
	struct found_response found;
	struct trial trial;

	trial_begin(&trial, input, !earlier && is_again(input), earlier);
	found = expected(&trial, input);
	if (earlier && ablated(ABLATION_AGAIN))
		found = *earlier->found;
	else if (earlier)
		look_again(&trial, input, earlier, &found);
	else
		look_alone(&trial, input, &found, !is_again(input));
	trial_end(&trial);
	return found;
}
