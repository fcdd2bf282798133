/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/loop.h"

#include <math.h>

#define LOOK_AT 16384u /* runs: they tell a loop of a quarter as many */
#define ROUNDS 4u      /* at least, for a sequence to count as a loop */
#define ALIKE 0.25     /* of the rounds: others have something more or less */
#define DIFFERS 0.05   /* of the runs of a round: of several streams, neighbours change places */
#define HOLDS 0.8      /* of the busy time: what is repeated is not the program else */

/* Some of what the program ran, in the order of time.  Executions of one class, one after the
 * other, are a run: how many there are may differ from one round of a loop to the next. */
struct sequence {
	guint count;
	uint32_t class_index[LOOK_AT];
	uint64_t begin_ns[LOOK_AT];
};

/* The class of an execution; CLASSES_NONE where it has none, or a replay launched it. */
static uint32_t class_of(const struct fit *fit, guint execution)
{
	const struct model *model = fit->classes->columns.model;
	const struct model_execution *own = model_execution_at(model, execution);

	return model_origin_of(model, own)->replayed == MODEL_OF_PROGRAM
		       ? classes_find(fit->classes, own)
		       : CLASSES_NONE;
}

/* The execution with which the last runs before the middle one begin: half of those to look at. */
static guint first_of(const struct fit *fit)
{
	uint32_t last = CLASSES_NONE;
	guint first = fit->classes->columns.model->executions->len / 2;

	for (guint runs = 0; first > 0; first--) {
		uint32_t class_index = class_of(fit, first - 1);

		if (class_index == CLASSES_NONE || class_index == last)
			continue;
		if (runs++ == LOOK_AT / 2)
			break;
		last = class_index;
	}
	return first;
}

/* Takes up runs from the middle of the recording. */
static void take_runs(struct sequence *sequence, const struct fit *fit)
{
	const struct model *model = fit->classes->columns.model;
	uint32_t last = CLASSES_NONE;

	for (guint i = first_of(fit); i < model->executions->len && sequence->count < LOOK_AT;
		i++) {
		uint32_t class_index = class_of(fit, i);

		if (class_index == CLASSES_NONE || class_index == last)
			continue;
		last = class_index;
		sequence->class_index[sequence->count] = class_index;
		sequence->begin_ns[sequence->count++] = model_execution_at(model, i)->begin_ns;
	}
}

/* Whether the runs from `at` on, so many of them, are those that follow them, too. */
static bool repeats(const struct sequence *sequence, guint at, guint length)
{
	double left = DIFFERS * length;

	for (guint i = at; i < at + length && left >= 0; i++)
		left -= sequence->class_index[i] != sequence->class_index[i + length];
	return left >= 0;
}

/* How many classes some runs are of; 0 where they are not nearly all that ran. */
static guint classes_in(
	const struct sequence *sequence, guint at, guint length, const struct fit *fit)
{
	const GArray *list = fit->classes->list;
	bool *seen = g_new0(bool, list->len);
	double of_loop_ns = 0, all_ns = 0;
	guint count = 0;

	for (guint i = at; i < at + length; i++)
		seen[sequence->class_index[i]] = true;
	for (guint i = 0; i < list->len; i++) {
		double own_ns = g_array_index(list, struct kernel_class, i).program.raked_ns;

		count += seen[i];
		of_loop_ns += seen[i] ? own_ns : 0;
		all_ns += own_ns;
	}
	g_free(seen);
	return of_loop_ns >= HOLDS * all_ns ? count : 0;
}

/* The loop of so many runs; no classes where there is none. */
static struct loop loop_of_length(
	const struct sequence *sequence, guint length, const struct fit *fit)
{
	struct loop loop = {0, 0};
	guint rounds = 0, alike = 0;

	for (guint at = 0; at + 2 * length <= sequence->count; at += length) {
		rounds++;
		if (!repeats(sequence, at, length))
			continue;
		loop.period_ns +=
			(double)(sequence->begin_ns[at + length] - sequence->begin_ns[at]);
		if (!alike++)
			loop.classes = classes_in(sequence, at, length, fit);
	}
	loop.period_ns /= MAX(alike, 1);
	return alike >= ALIKE * rounds && loop.classes ? loop : (struct loop){NAN, 0};
}

struct loop loop_of(const struct fit *fit)
{
	struct sequence *sequence = g_new0(struct sequence, 1);
	struct loop loop = {NAN, 0};

	take_runs(sequence, fit);
	for (guint length = 2; ROUNDS * length <= sequence->count && !loop.classes; length++)
		loop = loop_of_length(sequence, length, fit);
	g_free(sequence);
	return loop;
}
