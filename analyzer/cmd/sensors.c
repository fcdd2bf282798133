/* SPDX-License-Identifier: MIT */
/*
 * pwrtrace sensors: what this machine can measure, how fast, and how it answers.  The online half
 * looks at the sensors and runs the load; what the answers say is found out here.
 */
#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/cmd/command.h"
#include "analyzer/cmd/online.h"
#include "analyzer/load/load.h"
#include "analyzer/print/message.h"
#include "analyzer/print/terminal.h"
#include "analyzer/view/sensors/sensor_view.h"

#define PROGRAM "pwrtrace-sensors"

/* While calibrating: often enough for the grid of a counter, as far as a reading's cost allows. */
#define POLL_MS "5"
#define POLL_COST_PERCENT "20"

enum mode { LIST, WATCH, CALIBRATE, IDENTIFY };

struct sensors {
	struct command_options common;
	enum mode mode;
	bool json, keep;
	const char *power, *interval_ms, *count, *api, *device, *seconds, *times, *output;
	char **traces;
};

enum {
	OPTION_WATCH = 256,
	OPTION_CALIBRATE,
	OPTION_IDENTIFY,
	OPTION_POWER,
	OPTION_JSON,
	OPTION_INTERVAL,
	OPTION_COUNT,
	OPTION_API,
	OPTION_DEVICE,
	OPTION_SECONDS,
	OPTION_TIMES,
	OPTION_KEEP
};

static const struct option long_options[] = {
	{"watch", no_argument, NULL, OPTION_WATCH},
	{"calibrate", no_argument, NULL, OPTION_CALIBRATE},
	{"identify", no_argument, NULL, OPTION_IDENTIFY},
	{"power", required_argument, NULL, OPTION_POWER},
	{"json", no_argument, NULL, OPTION_JSON},
	{"interval", required_argument, NULL, OPTION_INTERVAL},
	{"count", required_argument, NULL, OPTION_COUNT},
	{"api", required_argument, NULL, OPTION_API},
	{"device", required_argument, NULL, OPTION_DEVICE},
	{"seconds", required_argument, NULL, OPTION_SECONDS},
	{"times", required_argument, NULL, OPTION_TIMES},
	{"keep", no_argument, NULL, OPTION_KEEP},
	{"output", required_argument, NULL, 'o'},
	COMMAND_LONG_OPTIONS,
	{0},
};

static const char *api_value(size_t i)
{
	static const char *const values[] = {"cuda", "opencl", NULL};

	return values[i];
}

static const struct command_choice choices[] = {{"api", api_value}, {0}};

/* ---- options ---- */

static bool is_number(const char *text, unsigned long least, unsigned long most)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	return *text >= '0' && *text <= '9' && !*end && value >= least && value <= most;
}

static int check_numbers(const struct sensors *sensors)
{
	const struct {
		const char *name, *text;
		unsigned long least, most;
	} numbers[] = {
		{"interval", sensors->interval_ms, 10, 3600000},
		{"count", sensors->count, 1, 1000000000},
		{"device", sensors->device, 0, 1000},
		{"seconds", sensors->seconds, 5, 3600},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++)
		if (numbers[i].text &&
			!is_number(numbers[i].text, numbers[i].least, numbers[i].most))
			return command_misused(&command_sensors,
				"--%s takes a number from %lu to %lu, not \"%s\"", numbers[i].name,
				numbers[i].least, numbers[i].most, numbers[i].text);
	return 0;
}

/* Returns 0, or the exit status of wrong usage. */
static int check(const struct sensors *sensors)
{
	int status = check_numbers(sensors);

	if (!status && sensors->api)
		status = command_check_choice(&command_sensors, &choices[0], sensors->api);
	if (status)
		return status;
	if (sensors->mode == IDENTIFY && !*sensors->traces)
		return command_misused(&command_sensors, "no trace is named");
	if (sensors->mode != IDENTIFY && *sensors->traces)
		return command_misused(
			&command_sensors, "only --identify takes traces: \"%s\"", *sensors->traces);
	if (sensors->mode == WATCH && sensors->json)
		return command_misused(&command_sensors, "--watch has no --json");
	return 0;
}

static int parse(struct sensors *sensors, int argc, char **argv)
{
	const struct {
		int option;
		const char **text;
	} texts[] = {
		{OPTION_POWER, &sensors->power},
		{OPTION_INTERVAL, &sensors->interval_ms},
		{OPTION_COUNT, &sensors->count},
		{OPTION_API, &sensors->api},
		{OPTION_DEVICE, &sensors->device},
		{OPTION_SECONDS, &sensors->seconds},
		{OPTION_TIMES, &sensors->times},
		{'o', &sensors->output},
	};
	int option;

	while ((option = getopt_long(argc, argv, "o:" COMMAND_SHORT_OPTIONS, long_options, NULL)) !=
		-1) {
		size_t i = 0;

		while (i < G_N_ELEMENTS(texts) && texts[i].option != option)
			i++;
		if (i < G_N_ELEMENTS(texts))
			*texts[i].text = optarg;
		else if (option >= OPTION_WATCH && option <= OPTION_IDENTIFY)
			sensors->mode = (enum mode)(option - OPTION_WATCH + WATCH);
		else if (option == OPTION_JSON)
			sensors->json = true;
		else if (option == OPTION_KEEP)
			sensors->keep = true;
		else if (!command_common_option(&command_sensors, &sensors->common, option))
			return command_misused_option(&command_sensors, argv);
		if (sensors->common.done)
			return 0;
	}
	sensors->traces = argv + optind;
	return check(sensors);
}

/* ---- the online half ---- */

static void add_option(GPtrArray *arguments, const char *option, const char *value)
{
	if (!value)
		return;
	g_ptr_array_add(arguments, (char *)option);
	g_ptr_array_add(arguments, (char *)value);
}

static int hand_over(const struct sensors *sensors)
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

/* Returns 0, or an exit status after somebody has said why. */
static int record_load(const struct sensors *sensors, const char *directory)
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
		message_error("no sensor's answer is known: there is nothing to keep");
		status = COMMAND_BAD_INPUT;
	}
	for (guint i = 0; i < texts->len; i++)
		if (online_run(PROGRAM, arguments, g_ptr_array_index(texts, i)))
			status = COMMAND_BAD_INPUT;
	g_ptr_array_unref(texts);
	return status;
}

/* ---- what the answers say ---- */

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

static int identify_traces(const struct sensors *sensors, char *const *traces, bool keeping)
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

static int remove_one(const char *path, const struct stat *stat, int type, struct FTW *place)
{
	(void)stat;
	(void)type;
	(void)place;
	return remove(path);
}

static int calibrate(const struct sensors *sensors)
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
		nftw(directory, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	g_free(directory);
	return status;
}

static int run(int argc, char **argv)
{
	struct sensors sensors = {.mode = LIST};
	int status = parse(&sensors, argc, argv);

	if (status || sensors.common.done)
		return status;
	if (sensors.mode == CALIBRATE)
		return calibrate(&sensors);
	if (sensors.mode == IDENTIFY)
		return identify_traces(&sensors, sensors.traces, sensors.keep);
	return hand_over(&sensors);
}

const struct command command_sensors = {
	.name = "sensors",
	.help = "say what this machine can measure, and find out how exactly",
	.usage =
		"usage: pwrtrace sensors [--power SRC[,SRC]] [--json]\n"
		"       pwrtrace sensors --watch [--power SRC[,SRC]] [--interval MS] [--count N]\n"
		"       pwrtrace sensors --calibrate [--power SRC[,SRC]] [--api API] [--device N]\n"
		"                        [--seconds N] [-o DIR] [--json]\n"
		"       pwrtrace sensors --identify [--times FILE] [--keep] [--json] TRACE...\n"
		"\n"
		"Lists the sensors of power, how fast they are and what reading them costs; shows\n"
		"what they say; or finds out how they answer to a load of two levels, and keeps "
		"that\n"
		"for later recordings.\n"
		"\n"
		"      --watch          show the power of each sensor until interrupted\n"
		"      --calibrate      run such a load, record it and keep the answers\n"
		"      --identify       find the answers in recordings of such a load\n"
		"      --power SOURCES  these sources only, as for pwrtrace record\n"
		"      --json           for programs\n"
		"      --interval MS    how often --watch shows (default: 1000)\n"
		"      --count N        end after showing N times\n"
		"      --api API        what runs the load: cuda, opencl (default: the first that\n"
		"                       has a device)\n"
		"      --device N       which device, counted from 0 (default: each in turn)\n"
		"      --seconds N      how long it runs on each (default: 30)\n"
		"  -o, --output DIR     keep the recording there\n"
		"      --times FILE     when the load ran, as CSV: kernel,begin_ns,end_ns\n"
		"      --keep           keep what --identify finds\n"
		"  -q, --quiet          say nothing but errors\n"
		"  -v, --verbose        take -q back\n"
		"      --help           this text\n"
		"      --version        the version\n",
	.choices = choices,
	.run = run,
};
