/* SPDX-License-Identifier: MIT */
/* Which runs a profile is made of, and the parts that a fit has powers of. */
#include "analyzer/profile/before.h"
#include "analyzer/profile/profile.h"

#define REPLAYED_MIN 4 /* executions; fewer were to try whether it can be replayed */

/* By origin, whether it is of this kernel, launched by replays or by the program.  g_free it. */
static bool *find_origins(
	const struct model *model, const char *const *labels, const char *wanted, bool replayed)
{
	bool *found = g_new0(bool, model->origins->list->len + 1);

	for (guint i = 0; i < model->origins->list->len; i++) {
		const struct model_origin *origin =
			&g_array_index(model->origins->list, struct model_origin, i);

		found[i] =
			labels[i] == wanted && (origin->replayed != MODEL_OF_PROGRAM) == replayed;
	}
	return found;
}

static struct runs *find(const struct model *model, const struct profile_options *options,
	const char *const *labels, const char *wanted, bool replayed)
{
	bool *origins = find_origins(model, labels, wanted, replayed);
	struct runs *runs = runs_find(model, &(struct runs_wanted){.origins = origins,
						     .gap_ns = (uint64_t)(options->gap_s * 1e9),
						     .fewest = replayed ? REPLAYED_MIN : 1,
						     .as_launched = options->no_sync});

	g_free(origins);
	return runs;
}

struct runs *profile_runs(const struct model *model, const struct profile_options *options,
	const char *const *labels, const char *wanted)
{
	struct runs *again = find(model, options, labels, wanted, true), *own;

	if (again->list->len >= 2)
		return again;
	own = find(model, options, labels, wanted, false);
	if (!own->list->len) {
		runs_free(own);
		return again;
	}
	runs_free(again);
	return own;
}

void profile_divide(const struct model *model, const struct profile_options *options,
	const char *const *labels, const char *wanted, uint32_t *parts)
{
	struct runs *runs = profile_runs(model, options, labels, wanted);
	struct befores befores = befores_find(model, runs, labels);

	for (guint i = 0; i < runs->executions->len; i++) {
		const struct run_execution *execution = runs_execution(runs, i);

		parts[execution->execution] =
			options->before ? befores.part_of[i]
					: MIN(execution->number, PROFILE_MODELLED_MAX);
	}
	befores_clear(&befores);
	runs_free(runs);
}
