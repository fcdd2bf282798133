/* SPDX-License-Identifier: MIT */
#include "analyzer/cmd/analysis.h"

#include "analyzer/attribute/method.h"
#include "analyzer/library/library.h"
#include "analyzer/print/message.h"
#include "analyzer/print/terminal.h"
#include "analyzer/view/content/filter.h"

static const char *const format_names[] = {
	[ANALYSIS_TEXT] = "text", [ANALYSIS_JSON] = "json", [ANALYSIS_CSV] = "csv", NULL};

/* ---- options ---- */

struct analysis_options analysis_options_default(void)
{
	return (struct analysis_options){
		.common.color = command_color_default(stdout), .format = format_names[0]};
}

void analysis_options_clear(struct analysis_options *options)
{
	filter_free(options->filter);
}

const char *analysis_format_choice(size_t i)
{
	return format_names[i];
}

const char *analysis_method_choice(size_t i)
{
	return methods[i] ? methods[i]->name : NULL;
}

int analysis_take_filter(const struct command *command, const struct command_option *option,
	void *place, const char *argument)
{
	struct filter **filter = place;
	char *why;
	int status = 0;

	(void)option;
	filter_free(*filter);
	*filter = filter_parse(argument, &why);
	if (!*filter)
		status = command_misused(command, "%s", why);
	g_free(why);
	return status;
}

/* ---- from traces to an attribution ---- */

/* Reads the library that was named, else the user's own, where there is one.  Returns false after
 * an error message. */
static bool read_library(const struct analysis_options *options, struct library **library)
{
	char *own = options->library ? NULL : library_own_path();
	const char *path = options->library ? options->library : own;
	bool wanted = options->library ? strcmp(options->library, "none") != 0
				       : g_file_test(own, G_FILE_TEST_EXISTS);

	*library = wanted ? library_read(path) : NULL;
	g_free(own);
	return *library || !wanted;
}

/* Whether some sensor measures the wanted domain; prints an error where none does. */
static bool check_domain(const struct analysis_options *options, const struct model *model)
{
	GPtrArray *known = g_ptr_array_new();
	bool found;

	for (guint i = 0; i < model->sensors->len; i++) {
		const struct model_sensor *sensor =
			&g_array_index(model->sensors, struct model_sensor, i);

		if (model_measures_power(sensor) &&
			!g_ptr_array_find_with_equal_func(known, sensor->domain, g_str_equal, NULL))
			g_ptr_array_add(known, (gpointer)sensor->domain);
	}
	found = !options->domain ||
		g_ptr_array_find_with_equal_func(known, options->domain, g_str_equal, NULL);
	g_ptr_array_add(known, NULL);
	if (!found) {
		char *all = g_strjoinv(", ", (char **)known->pdata);

		message_error("no sensor of the trace measures the domain \"%s\"; measured: %s",
			options->domain, *all ? all : "nothing");
		g_free(all);
	}
	g_ptr_array_free(known, TRUE);
	return found;
}

#define NJ_PER_MWH 3.6e18

/* Energies are added up as 64-bit integers of nanojoules, which hold 5.1 MWh, as 64 GPUs of 700 W
 * draw in five days.  Prints an error where the sources have measured more. */
static bool check_sum(const struct attribution *attribution)
{
	double sum_nj = 0;

	for (guint i = 0; i < attribution->sources->len; i++)
		if (g_array_index(attribution->sources, struct source, i).top_level)
			sum_nj += (double)attribution->balances[i].measured_nj;
	if (sum_nj < 0x1p64)
		return true;
	message_error(
		"these traces have measured %.3g MWh, of which no more than %.3g can be added "
		"up exactly; give fewer of them at a time",
		sum_nj / NJ_PER_MWH, 0x1p64 / NJ_PER_MWH);
	return false;
}

struct attribution_options analysis_attribution(
	const struct analysis *analysis, const struct analysis_options *options)
{
	return (struct attribution_options){
		.method = options->method ? method_find(options->method) : NULL,
		.domain = options->domain,
		.memory = analysis->library ? &analysis->memory : NULL};
}

bool analysis_begin(struct analysis *analysis, const struct analysis_options *options,
	char *const *traces, const struct load_options *load)
{
	struct load_options numbered = *load;
	struct attribution_options how;

	numbered.numbers = options->numbers;
	*analysis = (struct analysis){0};
	if (!read_library(options, &analysis->library))
		return false;
	analysis->memory = (struct fit_memory){library_remember, analysis->library};
	analysis->model = load_traces(traces, &numbered);
	if (!analysis->model || !check_domain(options, analysis->model)) {
		analysis_end(analysis);
		return false;
	}
	how = analysis_attribution(analysis, options);
	message_progress("finding the powers of kernels", 0, 0);
	analysis->attribution = attribution_new(analysis->model, &how);
	message_progress_end();
	if (check_sum(analysis->attribution))
		return true;
	analysis_end(analysis);
	return false;
}

void analysis_end(struct analysis *analysis)
{
	if (analysis->attribution)
		attribution_free(analysis->attribution);
	if (analysis->model)
		model_free(analysis->model);
	library_free(analysis->library);
}

/* ---- output ---- */

bool analysis_open_output(const struct analysis_options *options, struct output *output)
{
	if (strcmp(options->format, format_names[ANALYSIS_TEXT]) == 0 && !options->output &&
		!options->wide)
		terminal_fit();
	return output_open(output, options->output);
}

bool analysis_has_format(const char *name)
{
	return g_strv_contains(format_names, name);
}

int analysis_write(const struct analysis_options *options,
	analysis_writer *const writers[ANALYSIS_FORMATS], const void *result)
{
	struct output output;

	if (!analysis_open_output(options, &output))
		return COMMAND_BAD_INPUT;
	for (size_t i = 0; i < ANALYSIS_FORMATS; i++)
		if (strcmp(options->format, format_names[i]) == 0)
			writers[i](output.file, result);
	return output_close(&output) ? COMMAND_FINE : COMMAND_BAD_INPUT;
}
