/* SPDX-License-Identifier: MIT */
/*
 * pwrtrace sensors: what this machine can measure, how often, and with what response.  The online
 * half reads the sensors and runs the load; the readings are analysed here.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/cmd/command.h"
#include "analyzer/cmd/online.h"
#include "analyzer/load/load.h"
#include "analyzer/print/message.h"
#include "analyzer/print/output.h"
#include "analyzer/print/terminal.h"
#include "analyzer/view/sensors/sensor_view.h"

#define PROGRAM "pwrtrace-sensors"

/* While calibrating: often enough for the grid of a counter, as far as a reading's cost allows. */
#define POLL_MS "5"
#define POLL_COST_PERCENT "20"

enum sensors_mode { LIST, WATCH, CALIBRATE, IDENTIFY };

/* The options, for command_parse. */
struct sensors_options {
	struct command_options common;
	int mode; /* enum sensors_mode */
	bool json, keep;
	const char *power, *interval_ms, *count, *api, *device, *seconds, *times, *output;
};

/* ---- the online half ---- */

static void add_option(GPtrArray *arguments, const char *option, const char *value)
{
	if (!value)
		return;
	g_ptr_array_add(arguments, (char *)option);
	g_ptr_array_add(arguments, (char *)value);
}

static int hand_over(const struct sensors_options *sensors)
{
	GPtrArray *arguments = g_ptr_array_new();
	int status = -1;

	g_ptr_array_add(arguments, PROGRAM);
	g_ptr_array_add(arguments, sensors->mode == WATCH ? "--watch" : "--list");
	add_option(arguments, "--power", sensors->power);
	add_option(arguments, "--interval", sensors->interval_ms);
	add_option(arguments, "--count", sensors->count);
	if (sensors->json)
		g_ptr_array_add(arguments, "--json");
	g_ptr_array_add(arguments, NULL);
	if (sensors->mode == LIST && !sensors->json)
		terminal_fit();
	if (terminal_is_fitted(stdout))
		status = online_show(PROGRAM, (char *const *)arguments->pdata);
	else
		online_exec(PROGRAM, (char *const *)arguments->pdata);
	g_ptr_array_free(arguments, TRUE);
	return status < 0 ? COMMAND_BAD_INPUT : status;
}

/* Returns 0, or an exit status after the reason has been printed. */
static int record_load(const struct sensors_options *sensors, const char *directory)
{
	GPtrArray *arguments = g_ptr_array_new();
	char path[PATH_MAX];
	int status;

	online_path(path, PROGRAM);
	g_ptr_array_add(arguments, "record");
	g_ptr_array_add(arguments, "-q");
	add_option(arguments, "-o", directory);
	add_option(arguments, "--power", sensors->power);
	add_option(arguments, "--", path);
	g_ptr_array_add(arguments, "--load");
	add_option(arguments, "--api", sensors->api);
	add_option(arguments, "--device", sensors->device);
	add_option(arguments, "--seconds", sensors->seconds);
	g_ptr_array_add(arguments, NULL);
	g_setenv("PWRTRACE_POLL_MS", POLL_MS, FALSE);
	g_setenv("PWRTRACE_POLL_COST", POLL_COST_PERCENT, FALSE);
	status = online_run("pwrtrace-record", (char *const *)arguments->pdata, NULL);
	g_ptr_array_free(arguments, TRUE);
	return status ? COMMAND_BAD_INPUT : 0;
}

static int keep(const GArray *identities)
{
	GPtrArray *texts = sensor_kept_texts(identities, time(NULL));
	char *arguments[] = {PROGRAM, "--keep", NULL};
	int status = COMMAND_FINE;

	if (!texts->len) {
		message_error("no sensor's response is known: there is nothing to keep");
		status = COMMAND_BAD_INPUT;
	}
	for (guint i = 0; i < texts->len; i++)
		if (online_run(PROGRAM, arguments, g_ptr_array_index(texts, i)))
			status = COMMAND_BAD_INPUT;
	g_ptr_array_unref(texts);
	return status;
}

/* ---- analysing the readings ---- */

static void put(const GArray *identities, bool json)
{
	if (!json)
		terminal_fit();
	if (json)
		fputs("{\"schema\":\"pwrtrace-sensors/1\",\"identified\":[", stdout);
	for (guint i = 0; i < identities->len; i++) {
		const struct identity *identity = &g_array_index(identities, struct identity, i);

		if (json) {
			fputs(i ? ",\n " : "\n ", stdout);
			sensor_put_json(stdout, identity);
		} else {
			sensor_put_text(stdout, identity);
		}
	}
	if (json)
		puts("]}");
	fflush(stdout);
}

static int identify_traces(const struct sensors_options *sensors, char *const *traces, bool keeping)
{
	struct load *load = sensors->times ? identify_load_csv(sensors->times) : NULL;
	struct model *model =
		sensors->times && !load ? NULL : load_traces(traces, &(struct load_options){0});
	GArray *identities;
	int status = COMMAND_FINE;

	if (!model) {
		if (load)
			load_free(load);
		return COMMAND_BAD_INPUT;
	}
	identities = identify(model, load);
	if (identities->len)
		put(identities, sensors->json);
	else {
		message_error("no sensor measured a device that ran anything");
		status = COMMAND_BAD_INPUT;
	}
	if (!status && keeping)
		status = keep(identities);
	identities_free(identities);
	model_free(model);
	if (load)
		load_free(load);
	return status;
}

static int calibrate(const struct sensors_options *sensors)
{
	char *directory = NULL, *traces[] = {(char *)sensors->output, NULL};
	int status;

	if (!sensors->output) {
		directory = g_dir_make_tmp("pwrtrace-calibrate-XXXXXX", NULL);
		traces[0] = directory;
	}
	if (!traces[0]) {
		message_error("no temporary directory can be made: %s; name one with -o",
			strerror(errno));
		return COMMAND_BAD_INPUT;
	}
	status = record_load(sensors, traces[0]);
	if (!status)
		status = identify_traces(sensors, traces, true);
	if (directory)
		output_directory_remove(directory);
	g_free(directory);
	return status;
}

/* ---- options ---- */

static const char *api_choice(size_t i)
{
	static const char *const values[] = {
#define LOAD(name) #name,
#include "pwrtrace/loads.def"
#undef LOAD
		NULL};

	return values[i];
}

/* Returns 0, or the exit status of wrong usage. */
static int check(const struct sensors_options *sensors)
{
	char *const *traces = sensors->common.arguments;

	if (sensors->mode == IDENTIFY && !*traces)
		return command_misused(&command_sensors, "no trace is named");
	if (sensors->mode != IDENTIFY && *traces)
		return command_misused(
			&command_sensors, "only --identify takes traces: \"%s\"", *traces);
	if (sensors->mode == WATCH && sensors->json)
		return command_misused(&command_sensors, "--watch has no --json");
	return 0;
}

static int run(int argc, char **argv)
{
	struct sensors_options sensors = {.mode = LIST};
	int status = command_parse(&command_sensors, argc, argv, &sensors);

	if (!status && !sensors.common.done)
		status = check(&sensors);
	if (status || sensors.common.done)
		return status;
	if (sensors.mode == CALIBRATE)
		return calibrate(&sensors);
	if (sensors.mode == IDENTIFY)
		return identify_traces(&sensors, sensors.common.arguments, sensors.keep);
	return hand_over(&sensors);
}

#define MODE .take = command_take_value, .offset = offsetof(struct sensors_options, mode)
#define FLAG(member) .take = command_take_flag, .offset = offsetof(struct sensors_options, member)
#define TEXT(member) .take = command_take_text, .offset = offsetof(struct sensors_options, member)
#define NUMBER(member)                                                                             \
	.take = command_take_number, .offset = offsetof(struct sensors_options, member)

static const struct command_option options[] = {
	{"watch", 0, NULL, "show the power of each sensor until interrupted", MODE, .value = WATCH},
	{"calibrate", 0, NULL, "run such a load, record it and keep the responses", MODE,
		.value = CALIBRATE},
	{"identify", 0, NULL, "find the responses in recordings of such a load", MODE,
		.value = IDENTIFY},
	{"power", 0, "SOURCES", "these sources only, as for pwrtrace record", TEXT(power)},
	{"json", 0, NULL, "for programs", FLAG(json)},
	{"interval", 0, "MS", "how often --watch shows (default: 1000)", NUMBER(interval_ms),
		.least = 10, .most = 3600000},
	{"count", 0, "N", "end after showing N times", NUMBER(count), .least = 1,
		.most = 1000000000},
	{"api", 0, "API", "what runs the load: %s (default: the first that has a device)",
		TEXT(api), .choice = api_choice},
	{"device", 0, "N", "which device, counted from 0 (default: each in turn)", NUMBER(device),
		.most = 1000},
	{"seconds", 0, "N", "how long it runs on each (default: 30)", NUMBER(seconds), .least = 5,
		.most = 3600},
	{"output", 'o', "DIR", "keep the recording there", TEXT(output)},
	{"times", 0, "FILE", "when the load ran, as CSV: kernel,begin_ns,end_ns", TEXT(times)},
	{"keep", 0, NULL, "keep what --identify finds", FLAG(keep)},
	{0},
};

const struct command command_sensors = {
	.name = "sensors",
	.help = "say what this machine can measure, and find out how exactly",
	.synopsis = (const char *const[]){"[--power SRC[,SRC]] [--json]",
		"--watch [--power SRC[,SRC]] [--interval MS] [--count N]",
		("--calibrate [--power SRC[,SRC]] [--api API] [--device N] [--seconds N] "
		 "[-o DIR] [--json]"),
		"--identify [--times FILE] [--keep] [--json] TRACE...", NULL},
	.about = "Lists the sensors of power, how fast they are and what reading them costs; shows "
		 "what they say; or measures their responses to a load of two levels, and keeps "
		 "them for later recordings.",
	.options = options,
	.run = run,
};
