/* SPDX-License-Identifier: MIT */
/* The sensors of this machine as pwrtrace sensors lists them. */
#ifndef PWRTRACE_SENSORS_LISTING_H
#define PWRTRACE_SENSORS_LISTING_H

#include "preload/power/kept_response.h"
#include "preload/power/sources.h"

struct listed_sensor {
	const struct power_source *source;
	struct power_sensor sensor; /* with its measured times */
	const char *part_of;
	uint64_t read_cost_ns; /* PWRTRACE_UNKNOWN_U64 where it cannot be read, or need not be */
	bool calibrated;
	struct kept_response response;
};

struct listing {
	struct power_sources sources;
	struct listed_sensor *list;
	size_t count;
};

/* Finds the sensors of the sources of power (a list as of --power).  Returns 0, or an exit status
 * after saying what is wrong; to be closed in either case. */
int listing_open(struct listing *listing, const char *power);
void listing_close(struct listing *listing);

/* Calls put with what each source has to say beside its sensors. */
void listing_each_note(const struct listing *listing,
	void (*put)(void *data, const char *source, const char *why), void *data);

/* What is said of a sensor: a row for each in listing.c, which the text and JSON print. */
struct listing_column {
	const char *key;   /* in JSON, with the unit there */
	const char *title; /* in the text, where neighbours that share one take turns; NULL: not
			      there */
	const char *text;  /* NULL: it is a number, or unknown */
	double number;     /* in unit; NaN: unknown */
	const char *unit;  /* "s", "W" or "J" */
	double scale;      /* what JSON's number is multiplied by */
	bool applies;      /* whether such sensors have it at all */
};

#define LISTING_COLUMNS_MAX 24

/* Fills in the columns of a sensor, whose texts are borrowed.  Returns how many there are, which is
 * the same for all sensors. */
size_t listing_columns(
	const struct listed_sensor *listed, struct listing_column columns[LISTING_COLUMNS_MAX]);

/* "gauge", "counter", "busy", "state" or "estimate". */
const char *sensor_kind(const struct power_sensor *sensor);

/* "" for NULL. */
const char *text_or_empty(const char *text);

/* On the standard output. */
void listing_put_text(const struct listing *listing);
void listing_put_json(const struct listing *listing);

#endif
