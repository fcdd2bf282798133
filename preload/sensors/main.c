/* SPDX-License-Identifier: MIT */
/*
 * The online half of pwrtrace sensors, which checks the options and execs this: what the machine's
 * sensors are (--list), what they say now (--watch), a load that shows how they answer (--load),
 * and where their answers are kept (--keep).
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preload/common/conf.h"
#include "preload/common/log.h"
#include "preload/sensors/sensors.h"

enum mode { LIST, WATCH, LOAD, KEEP };

struct options {
	enum mode mode;
	const char *power;
	bool json;
	unsigned interval_ms, count;
	struct sensors_load load;
};

enum {
	OPTION_LIST = 256,
	OPTION_WATCH,
	OPTION_LOAD,
	OPTION_KEEP,
	OPTION_POWER,
	OPTION_JSON,
	OPTION_INTERVAL,
	OPTION_COUNT,
	OPTION_API,
	OPTION_DEVICE,
	OPTION_SECONDS
};

static const struct option long_options[] = {
	{"list", no_argument, NULL, OPTION_LIST},
	{"watch", no_argument, NULL, OPTION_WATCH},
	{"load", no_argument, NULL, OPTION_LOAD},
	{"keep", no_argument, NULL, OPTION_KEEP},
	{"power", required_argument, NULL, OPTION_POWER},
	{"json", no_argument, NULL, OPTION_JSON},
	{"interval", required_argument, NULL, OPTION_INTERVAL},
	{"count", required_argument, NULL, OPTION_COUNT},
	{"api", required_argument, NULL, OPTION_API},
	{"device", required_argument, NULL, OPTION_DEVICE},
	{"seconds", required_argument, NULL, OPTION_SECONDS},
	{0},
};

static int parse(struct options *options, int argc, char **argv)
{
	int option;

	while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
		switch (option) {
		case OPTION_LIST:
		case OPTION_WATCH:
		case OPTION_LOAD:
		case OPTION_KEEP:
			options->mode = (enum mode)(option - OPTION_LIST);
			break;
		case OPTION_POWER:
			options->power = optarg;
			break;
		case OPTION_JSON:
			options->json = true;
			break;
		case OPTION_INTERVAL:
			options->interval_ms = (unsigned)strtoul(optarg, NULL, 10);
			break;
		case OPTION_COUNT:
			options->count = (unsigned)strtoul(optarg, NULL, 10);
			break;
		case OPTION_API:
			options->load.api = optarg;
			break;
		case OPTION_DEVICE:
			options->load.device = (int)strtol(optarg, NULL, 10);
			break;
		case OPTION_SECONDS:
			options->load.seconds = (unsigned)strtoul(optarg, NULL, 10);
			break;
		default:
			return -1;
		}
	}
	return argv[optind] || !options->interval_ms || !options->load.seconds ? -1 : 0;
}

static int run(const struct options *options)
{
	switch (options->mode) {
	case LIST:
		return sensors_list(options->power, options->json);
	case WATCH:
		return sensors_watch(options->power, options->interval_ms, options->count);
	case LOAD:
		return sensors_load(&options->load);
	case KEEP:
		return sensors_keep();
	}
	return SENSORS_BAD_USAGE;
}

int main(int argc, char **argv)
{
	struct options options = {.interval_ms = 1000, .load = {.device = -1, .seconds = 30}};
	int status;

	conf_read();
	log_init();
	log_refused_settings();
	options.power = conf.power;
	if (parse(&options, argc, argv)) {
		fprintf(stderr, "pwrtrace: see pwrtrace sensors --help\n");
		return SENSORS_BAD_USAGE;
	}
	status = run(&options);
	if (status == SENSORS_FINE && (fflush(stdout) || ferror(stdout))) {
		log_error("the standard output could not be written whole: %s", strerror(errno));
		return SENSORS_BAD_INPUT;
	}
	return status;
}
