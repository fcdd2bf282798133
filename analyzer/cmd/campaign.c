/* SPDX-License-Identifier: MIT */
#include "analyzer/cmd/campaign.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analyzer/cmd/recording.h"
#include "analyzer/ledger/kernel_names.h"
#include "analyzer/print/cell.h"
#include "analyzer/print/message.h"
#include "analyzer/profile/search.h"

/* As a rule, so many numbers of executions are tried: 4 8 16 12 10 11. */
#define STAGES 6
#define FIRST 4
#define LARGEST 16
#define EXECUTIONS_MAX 1024
#define POLL_PERCENT 10 /* of its time: reading a counter of 1 ms takes some 50 us */
#define SPARE_S 60      /* for what is not foreseen of a replay: memory to save, a busy host */

struct campaign {
	const struct profile_choice *choice;
	char *const *command;
	char *directory;
	GPtrArray *traces; /* char * */
	char *kernel;      /* its name, as the compiler mangled it */
	double time_s;     /* of an execution */
	double period_s;   /* of the sensor */
	double runs;       /* that the guidance asks for, or the user */
	gint64 end_us;     /* when the budget is spent */
	double steady_w;   /* the power that is steady; NaN: not known yet */
};

static char **set(char **environment, const char *variable, double value)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];

	return g_environ_setenv(
		environment, variable, g_ascii_formatd(text, sizeof(text), "%.9g", value), TRUE);
}

/* ---- the kernel, and how long it takes ---- */

/* The first kernel with this label; NULL: it is no kernel. */
static const struct model_kernel *find_kernel(const struct model *model, const char *wanted)
{
	struct kernel_names *names = kernel_names_of(model);
	const struct model_kernel *found = NULL;

	for (guint i = 0; i < names->origins && !found; i++)
		if (strcmp(names->label[i], wanted) == 0)
			found = model_kernel_of(model,
				&g_array_index(model->origins->list, struct model_origin, i));
	kernel_names_free(names);
	return found;
}

/* How often a sensor of whole devices tells another power: it may say so, and be read less often.
 */
static double sensor_period_s(const struct profiling *profiling)
{
	const GArray *sources = profiling->analysis.attribution->sources;
	double period_s = profiling->profile->period_s;

	for (guint i = 0; i < sources->len; i++) {
		const struct source *source = &g_array_index(sources, struct source, i);
		uint64_t stated_ns = source->sensor->period_ns;

		if (source->top_level && !source->estimated && stated_ns &&
			stated_ns != PWRTRACE_UNKNOWN_U64)
			period_s = fmin(period_s, (double)stated_ns / 1e9);
	}
	return period_s;
}

/* The time of an execution that is warm. */
static double least_time_s(const struct profile *profile)
{
	double time_s = NAN;

	for (guint number = 1; number <= profile->positions->len; number++)
		time_s = fmin(time_s, profile_position(profile, number)->time_s);
	return time_s;
}

/* Takes what a campaign must know from a profile of the program as it is. */
static bool take_kernel(struct campaign *campaign, const struct profiling *profiling)
{
	const struct profile *profile = profiling->profile;
	const struct model_kernel *kernel = find_kernel(profiling->analysis.model, profile->name);

	if (!kernel || strchr(kernel->name, ',')) {
		message_error("%s is not launched again: it is no kernel; try --by-command",
			profile->name);
		return false;
	}
	campaign->kernel = g_strdup(kernel->name);
	campaign->time_s = least_time_s(profile);
	campaign->period_s = sensor_period_s(profiling);
	campaign->runs = campaign->choice->profile.runs
				 ? (double)campaign->choice->profile.runs
				 : guidance_of(campaign->time_s, campaign->period_s).runs;
	return true;
}

/* Records the program once as it is. */
static bool time_it(struct campaign *campaign)
{
	char *trace = g_build_filename(campaign->directory, "as-it-is", NULL);
	char *const traces[] = {trace, NULL};
	struct profile_choice choice = *campaign->choice;
	struct profiling profiling;
	bool fine = false;

	choice.profile.runs = 0;
	if (recording_make(trace, campaign->command, NULL, NULL) &&
		profiling_begin(&profiling, &choice, traces)) {
		fine = take_kernel(campaign, &profiling);
		profiling_end(&profiling);
	}
	g_free(trace);
	return fine;
}

/* ---- one number of executions ---- */

static double left_s(const struct campaign *campaign)
{
	return (double)(campaign->end_us - g_get_monotonic_time()) / 1e6;
}

static double run_s(const struct campaign *campaign, unsigned executions)
{
	return executions * campaign->time_s + campaign->choice->profile.gap_s +
	       campaign->period_s / 2;
}

/* How many runs of so many executions fit into what a stage may take. */
static double runs_of(const struct campaign *campaign, unsigned executions)
{
	double fit = floor(campaign->choice->budget_s / STAGES / run_s(campaign, executions));

	return fmin(campaign->runs, fmax(fit, 2));
}

static char **environment_of(const struct campaign *campaign, unsigned executions, double runs)
{
	char **environment = g_environ_unsetenv(g_get_environ(), "PWRTRACE_REPLAY_KNOWN");

	environment =
		g_environ_setenv(environment, "PWRTRACE_REPLAY_KERNELS", campaign->kernel, TRUE);
	environment = set(environment, "PWRTRACE_REPLAY_BURSTS", runs);
	environment = set(environment, "PWRTRACE_REPLAY_BURST", executions);
	environment =
		set(environment, "PWRTRACE_REPLAY_IDLE_MS", 1e3 * campaign->choice->profile.gap_s);
	environment = set(environment, "PWRTRACE_REPLAY_SPREAD_MS", 1e3 * campaign->period_s);
	environment = set(environment, "PWRTRACE_REPLAY_BUDGET",
		SPARE_S + 2 * runs * run_s(campaign, executions));
	/* A sensor that has one value at a time is read as often as it changes. */
	if (!g_environ_getenv(environment, "PWRTRACE_POLL_COST"))
		environment = set(environment, "PWRTRACE_POLL_COST", POLL_PERCENT);
	if (!g_environ_getenv(environment, "PWRTRACE_POLL_MS"))
		environment = set(
			environment, "PWRTRACE_POLL_MS", fmax(1, round(1e3 * campaign->period_s)));
	return environment;
}

/* Says why a trace has no replays of the kernel.  Returns whether it has some; that they take
 * another time than the program's own launches is no objection, since those are not from idle. */
static bool check_replays(
	const struct campaign *campaign, const struct profiling *profiling, unsigned executions)
{
	const GArray *replays = profiling->analysis.model->replays;
	const char *reason = "the program launches it fewer than three times";

	for (guint i = 0; i < replays->len; i++) {
		const struct model_replay *replay = &g_array_index(replays, struct model_replay, i);

		if (replay->count >= executions)
			return true;
		reason = *replay->reason ? replay->reason : reason;
	}
	message_error("%s is not launched again: %s; --by-command runs the program again instead",
		campaign->choice->kernel, reason);
	return false;
}

/* Whether the last execution of a stage is steady.  While no power is known to be steady, that is
 * for the stage itself to say; then its power must be that one. */
static bool suffices(struct campaign *campaign, const struct profile *profile, unsigned executions)
{
	const struct profile_position *last = profile_position(profile, executions);
	double off_w;

	if (isnan(campaign->steady_w)) {
		if (profile->ssp)
			campaign->steady_w =
				profile_position(profile, profile->ssp)->together.power_w;
		return profile->ssp != 0;
	}
	if (!last || isnan(last->together.power_w))
		return false;
	off_w = fabs(last->together.power_w - campaign->steady_w);
	return off_w <=
	       fmax(campaign->choice->profile.stable * campaign->steady_w, last->together.ci95_w);
}

static void say_stage(const struct profile *profile, unsigned executions, bool enough)
{
	const struct profile_position *last = profile_position(profile, executions);

	if (last && !isnan(last->together.power_w))
		message_warn("%u runs of %u: execution %u draws %.0f W, and %s steady",
			profile->runs, executions, executions, last->together.power_w,
			enough ? "is" : "is not");
	else
		message_warn("%u runs of %u: they do not tell what execution %u draws",
			profile->runs, executions, executions);
}

/* Records and profiles runs of so many executions.  Returns false after an error message. */
static bool try_executions(struct campaign *campaign, unsigned executions, bool *enough)
{
	double runs = runs_of(campaign, executions);
	char takes[CELL_MAX], *name = g_strdup_printf("%u", executions);
	char *trace = g_build_filename(campaign->directory, name, NULL);
	char *const traces[] = {trace, NULL};
	struct profile_choice choice = *campaign->choice;
	struct profiling profiling;
	bool fine = false;

	g_free(name);
	g_ptr_array_add(campaign->traces, trace);
	choice.profile.runs = 0;
	cell_scaled(takes, runs * run_s(campaign, executions), "s");
	message_warn("%.0f runs of %u executions take %s; %.0f s of the budget are left", runs,
		executions, takes, fmax(0, left_s(campaign)));
	if (recording_make(
		    trace, campaign->command, NULL, environment_of(campaign, executions, runs)) &&
		profiling_begin(&profiling, &choice, traces)) {
		fine = check_replays(campaign, &profiling, executions);
		if (fine) {
			*enough = suffices(campaign, profiling.profile, executions);
			say_stage(profiling.profile, executions, *enough);
		}
		profiling_end(&profiling);
	}
	return fine;
}

/* ---- the whole ---- */

static void announce(const struct campaign *campaign)
{
	char time[CELL_MAX], period[CELL_MAX], first[CELL_MAX], all[CELL_MAX];
	double runs = runs_of(campaign, FIRST), later = run_s(campaign, LARGEST);

	cell_scaled(time, campaign->time_s, "s");
	cell_scaled(period, campaign->period_s, "s");
	cell_scaled(first, runs * run_s(campaign, FIRST), "s");
	cell_scaled(all, STAGES * runs_of(campaign, LARGEST) * later, "s");
	message_warn("%s takes %s, and a sensor tells its power every %s: %.0f runs of %d "
		     "executions take %s, and a campaign about %s, besides what the program "
		     "takes itself, %d times; the budget is %.0f s (--budget)",
		campaign->choice->kernel, time, period, runs, FIRST, first, all, STAGES,
		campaign->choice->budget_s);
	if (runs < campaign->runs)
		message_warn("%.0f runs would be better: they take a budget of %.0f s",
			campaign->runs, ceil(STAGES * campaign->runs * later));
}

static bool by_replay(struct campaign *campaign)
{
	struct executions_search search = executions_search_begin();
	bool enough;

	if (!time_it(campaign))
		return false;
	announce(campaign);
	do {
		if (!try_executions(campaign, search.next, &enough))
			return false;
	} while (executions_search_tell(&search, enough) && search.next <= EXECUTIONS_MAX &&
		 left_s(campaign) > 0);
	if (search.enough)
		message_warn("%u executions of a run suffice", search.enough);
	else
		message_warn("its power was not seen to be steady in runs of %u executions alone",
			search.too_few);
	return true;
}

/* Runs the command in a shell's loop, so that one recording has all of it. */
static bool by_command(struct campaign *campaign)
{
	static const char loop[] = "n=$1 end=$(($(date +%s) + $2)); shift 2; "
				   "while [ $n -gt 0 ] && [ $(date +%s) -lt $end ]; do \"$@\" || "
				   "exit; n=$((n - 1)); done";
	size_t runs = campaign->choice->profile.runs;
	char *count = g_strdup_printf("%zu", runs ? runs : G_MAXINT32);
	char *seconds = g_strdup_printf("%.0f", ceil(campaign->choice->budget_s));
	char *trace = g_build_filename(campaign->directory, "by-command", NULL);
	GPtrArray *words = g_ptr_array_new();
	const char *const first[] = {"sh", "-c", loop, "sh", count, seconds};
	bool fine;

	message_warn(
		"the program runs again and again, for %s s at most (--budget, --runs)", seconds);
	g_ptr_array_add(campaign->traces, trace);
	for (size_t i = 0; i < G_N_ELEMENTS(first); i++)
		g_ptr_array_add(words, (gpointer)first[i]);
	for (char *const *word = campaign->command; *word; word++)
		g_ptr_array_add(words, *word);
	g_ptr_array_add(words, NULL);
	fine = recording_make(trace, (char **)words->pdata, NULL, NULL);
	g_ptr_array_free(words, TRUE);
	g_free(count);
	g_free(seconds);
	return fine;
}

GPtrArray *campaign_run(const struct profile_choice *choice, char *const *command)
{
	struct campaign campaign = {.choice = choice,
		.command = command,
		.directory = g_strdup_printf("pwrtrace-profile-%d", (int)getpid()),
		.traces = g_ptr_array_new_with_free_func(g_free),
		.end_us = g_get_monotonic_time() + (gint64)(choice->budget_s * 1e6),
		.steady_w = NAN};
	bool fine = g_mkdir_with_parents(campaign.directory, 0777) == 0;

	if (!fine)
		message_error("%s cannot be made: %s", campaign.directory, strerror(errno));
	fine = fine && (choice->by_command ? by_command(&campaign) : by_replay(&campaign));
	if (fine)
		message_warn("the traces are in %s", campaign.directory);
	g_free(campaign.directory);
	g_free(campaign.kernel);
	g_ptr_array_add(campaign.traces, NULL);
	if (fine)
		return campaign.traces;
	g_ptr_array_free(campaign.traces, TRUE);
	return NULL;
}
