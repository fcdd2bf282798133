/* SPDX-License-Identifier: MIT */
#include "analyzer/cmd/profiling.h"

#include <math.h>
#include <string.h>

#include "analyzer/ledger/iterations.h"
#include "analyzer/ledger/kernel_names.h"
#include "analyzer/print/cell.h"
#include "analyzer/print/message.h"
#include "analyzer/profile/steps.h"

/* data: a struct profile_choice. */
static bool divide(void *data, const struct model *model, uint32_t *parts)
{
	const struct profile_choice *choice = data;
	struct kernel_names *names = kernel_names_of(model);
	const char *label = kernel_names_pick(names, choice->kernel);

	if (label)
		profile_divide(model, &choice->profile, names->label, label, parts);
	kernel_names_free(names);
	return label != NULL;
}

static struct profile *profile_kernel(
	const struct profile_choice *choice, const struct attribution *attribution)
{
	struct kernel_names *names = kernel_names_of(attribution->model);
	const char *label = kernel_names_pick(names, choice->kernel);
	struct runs *runs = profile_runs(attribution->model, &choice->profile, names->label, label);
	struct profile *profile = NULL;

	if (runs->list->len) {
		profile = profile_make(attribution, &choice->profile, label, runs, names->label);
	} else {
		message_error("the times of all executions of \"%s\" are unknown", label);
		runs_free(runs);
	}
	kernel_names_free(names);
	return profile;
}

static struct profile *profile_layer(const struct profile_choice *choice,
	const struct attribution *attribution, const struct iterations *iterations)
{
	struct runs *runs = iterations ? steps_find(iterations) : NULL;

	if (runs && runs->list->len)
		return profile_make(attribution, &choice->profile, iterations->name, runs, NULL);
	runs_free(runs);
	message_error("no mark and no layer \"%s\" is there twice with work in it", choice->layer);
	return NULL;
}

/* Whether a profile has something to study.  Returns false after an error message. */
static bool is_of_something(const struct profile *profile)
{
	char wanted[CELL_RANGE_MAX], there[CELL_RANGE_MAX];

	if (isnan(profile->period_s)) {
		message_error("no sensor measured the device of \"%s\"; pwrtrace sensors says what "
			      "there is to measure it",
			profile->name);
		return false;
	}
	if (profile->golden)
		return true;
	cell_range(wanted, profile->bin.low_s, profile->bin.high_s, "s");
	cell_range(there, profile->times.low_s, profile->times.high_s, "s");
	if (profile->of_iterations)
		message_error("no iteration takes %s; they take %s", wanted, there);
	else
		message_error("execution %u of no run takes %s; it takes %s", profile->binned,
			wanted, there);
	return false;
}

static struct profile *make(const struct profile_choice *choice, const struct profiling *profiling)
{
	const struct attribution *attribution = profiling->analysis.attribution;
	struct profile *profile;

	if (attribution->estimated) {
		message_error("the power of this trace is an estimate, which tells kernels' times "
			      "and not their powers; record with a sensor");
		return NULL;
	}
	profile = choice->layer ? profile_layer(choice, attribution, profiling->ledger->iterations)
				: profile_kernel(choice, attribution);
	if (!profile || is_of_something(profile))
		return profile;
	profile_free(profile);
	return NULL;
}

bool profiling_begin(
	struct profiling *profiling, const struct profile_choice *choice, char *const *traces)
{
	const struct load_options load = {.layers = choice->layer != NULL,
		.divide = choice->kernel ? divide : NULL,
		.divide_data = (void *)choice};
	bool any = !choice->layer || strcmp(choice->layer, "iteration") == 0;

	*profiling = (struct profiling){0};
	if (!analysis_begin(&profiling->analysis, &choice->analysis, traces, &load))
		return false;
	profiling->ledger = ledger_make(profiling->analysis.attribution,
		&(struct ledger_options){.by = choice->layer ? "layer" : "kernel",
			.iterations = any ? NULL : choice->layer});
	profiling->profile = make(choice, profiling);
	if (profiling->profile)
		return true;
	profiling_end(profiling);
	return false;
}

void profiling_end(struct profiling *profiling)
{
	if (profiling->profile)
		profile_free(profiling->profile);
	ledger_free(profiling->ledger);
	analysis_end(&profiling->analysis);
}
