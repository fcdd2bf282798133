/* SPDX-License-Identifier: MIT */
/*
 * The online half of pwrtrace sensors, which checks the options and execs this: what the machine's
 * sensors are (--list), what they say now (--watch), a load that shows how they answer (--load),
 * and where their answers are kept (--keep).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preload/common/conf.h"
#include "preload/common/log.h"
#include "preload/common/options.h"
#include "preload/sensors/sensors.h"

static struct options {
	enum { LIST, WATCH, LOAD, KEEP } mode;
	const char *power;
	bool json;
	int interval_ms, count;
	struct sensors_load load;
} options = {.interval_ms = 1000, .load = {.device = -1, .seconds = 30}};

/* Without help: pwrtrace sensors has it. */
static const struct option_row rows[] = {
	{"list", .take = option_choice, .into = &options.mode, .choice = LIST},
	{"watch", .take = option_choice, .into = &options.mode, .choice = WATCH},
	{"load", .take = option_choice, .into = &options.mode, .choice = LOAD},
	{"keep", .take = option_choice, .into = &options.mode, .choice = KEEP},
	{"power", .argument = " SOURCES", .take = option_text, .into = &options.power},
	{"json", .take = option_flag, .into = &options.json},
	{"interval", .argument = " MS", .take = option_number, .into = &options.interval_ms},
	{"count", .argument = " COUNT", .take = option_number, .into = &options.count},
	{"api", .argument = " API", .take = option_text, .into = &options.load.api},
	{"device", .argument = " DEVICE", .take = option_number, .into = &options.load.device},
	{"seconds", .argument = " SECONDS", .take = option_number, .into = &options.load.seconds},
};

static int parse(int argc, char **argv)
{
	const char *wrong;
	int first = options_parse(rows, sizeof(rows) / sizeof(*rows), argc, argv, &wrong);

	return first < 0 || argv[first] || options.interval_ms <= 0 || options.load.seconds <= 0
		       ? -1
		       : 0;
}

static int run(void)
{
	switch (options.mode) {
	case LIST:
		return sensors_list(options.power, options.json);
	case WATCH:
		return sensors_watch(
			options.power, (unsigned)options.interval_ms, (unsigned)options.count);
	case LOAD:
		return sensors_load(&options.load);
	case KEEP:
		return sensors_keep();
	}
	return SENSORS_BAD_USAGE;
}

int main(int argc, char **argv)
{
	int status;

	conf_read();
	log_init();
	log_refused_settings();
	options.power = conf.power;
	if (parse(argc, argv)) {
		fprintf(stderr, "pwrtrace: see pwrtrace sensors --help\n");
		return SENSORS_BAD_USAGE;
	}
	status = run();
	if (status == SENSORS_FINE && (fflush(stdout) || ferror(stdout))) {
		log_error("the standard output could not be written whole: %s", strerror(errno));
		return SENSORS_BAD_INPUT;
	}
	return status;
}
