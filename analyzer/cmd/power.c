/* SPDX-License-Identifier: MIT */
/* pwrtrace power: power over time scales, against its limits. */
#include <math.h>
#include <string.h>

#include "analyzer/cmd/analysis.h"
#include "analyzer/view/content/filter.h"
#include "analyzer/view/power/power_view.h"

/* The options, for command_parse. */
struct power_options {
	struct analysis_options analysis;
	GArray *windows_s; /* double; NULL: windows_default */
	double limit_w, edpp_w;
	const char *layer;
};

static const double windows_default[] = {1e-4, 3e-4, 1e-3, 1e-2, 1e-1, 1};

/* Whether the row of a kernel passes the filter. */
static bool passes(
	const struct filter *filter, const struct ledger *ledger, const struct power_cause *cause)
{
	for (guint i = 0; i < ledger->rows->len; i++) {
		const struct ledger_row *row = &g_array_index(ledger->rows, struct ledger_row, i);

		if (strcmp(row->name, cause->name) == 0 && strcmp(row->shape, cause->shape) == 0 &&
			filter_passes(filter, ledger, row))
			return true;
	}
	return false;
}

/* Leaves out the kernels that do not pass. */
static void filter_causes(
	const struct filter *filter, const struct ledger *ledger, const struct power_record *record)
{
	for (guint i = 0; record->windows && i < record->windows->len; i++) {
		GArray *causes = g_array_index(record->windows, struct power_window, i).causes;

		for (guint k = causes->len; k > 0; k--) {
			const struct power_cause *cause =
				&g_array_index(causes, struct power_cause, k - 1);

			if (strcmp(cause->by, "kernel") == 0 && !passes(filter, ledger, cause))
				g_array_remove_index(causes, k - 1);
		}
	}
}

static void filter_study(const struct filter *filter, const struct power_study *study)
{
	for (guint i = 0; filter && i < study->records->len; i++)
		filter_causes(filter, study->ledger,
			&g_array_index(study->records, struct power_record, i));
	if (filter)
		filter_causes(filter, study->ledger, &study->sum);
}

static int answer(const struct power_options *options, const struct analysis *analysis)
{
	static analysis_writer *const writers[ANALYSIS_FORMATS] = {[ANALYSIS_TEXT] = power_put_text,
		[ANALYSIS_JSON] = power_put_json,
		[ANALYSIS_CSV] = power_put_csv};
	struct ledger *ledger = ledger_make(
		analysis->attribution, &(struct ledger_options){.by = ledger_bys[0].name});
	struct power_study *study =
		power_study_new(ledger, &(struct power_question){.windows_s = options->windows_s,
						.limit_w = options->limit_w,
						.edpp_w = options->edpp_w,
						.layer = options->layer});
	int status = COMMAND_BAD_INPUT;

	if (study) {
		filter_study(options->analysis.filter, study);
		status = analysis_write(&options->analysis, writers, study);
		power_study_free(study);
	}
	ledger_free(ledger);
	return status;
}

static int load(struct power_options *options)
{
	struct analysis analysis;
	int status;

	if (!options->windows_s) {
		options->windows_s = g_array_new(FALSE, FALSE, sizeof(double));
		g_array_append_vals(
			options->windows_s, windows_default, G_N_ELEMENTS(windows_default));
	}
	if (!analysis_begin(&analysis, &options->analysis, options->analysis.common.arguments,
		    &(struct load_options){0}))
		return COMMAND_BAD_INPUT;
	status = answer(options, &analysis);
	analysis_end(&analysis);
	return status;
}

static int run(int argc, char **argv)
{
	struct power_options options = {
		.analysis = analysis_options_default(), .limit_w = NAN, .edpp_w = NAN};
	int status = command_parse(&command_power, argc, argv, &options);

	if (!status && !options.analysis.common.done)
		status = load(&options);
	if (options.windows_s)
		g_array_unref(options.windows_s);
	analysis_options_clear(&options.analysis);
	return status;
}

#define PLACE(member) .offset = offsetof(struct power_options, member)

static const struct command_option options[] = {
	{"window", 0, "LIST",
		"average over windows of these lengths, as 1ms,260ms; a number alone is in seconds "
		"(default: 100us,300us,1ms,10ms,100ms,1s)",
		.take = command_take_quantities, PLACE(windows_s), .unit = "s",
		.example = "1ms,260ms", .above_zero = true},
	{"limit", 0, "POWER", "the limit of each device's mean power (default: as recorded)",
		.take = command_take_quantity, PLACE(limit_w), .unit = "W", .example = "700W",
		.above_zero = true},
	{"edpp", 0, "POWER", "the limit of its peaks (default: as recorded)",
		.take = command_take_quantity, PLACE(edpp_w), .unit = "W", .example = "910W",
		.above_zero = true},
	{"layer", 0, "PATH", "only the time of a layer, as backward/attention",
		.take = command_take_text, PLACE(layer)},
	ANALYSIS_FILTER,
	ANALYSIS_METHOD,
	ANALYSIS_DOMAIN,
	ANALYSIS_LIBRARY,
	ANALYSIS_NUMBERS,
	ANALYSIS_FORMAT,
	ANALYSIS_OUTPUT,
	{0},
};

const struct command command_power = {
	.name = "power",
	.help = "say how high power was over short and long times, and why",
	.synopsis = (const char *const[]){"[OPTION]... TRACE...", NULL},
	.about = "Says, for each device and for all together, the highest and lowest mean power "
		 "over windows of several lengths, how it compares with the limits, what drew it, "
		 "and how large an energy buffer would smooth it.",
	.options = options,
	.traces = true,
	.run = run,
};
