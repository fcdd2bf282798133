/* SPDX-License-Identifier: MIT */
#include "preload/power/sources.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preload/common/clock.h"

#define COST_READINGS 7
#define COST_ENOUGH_NS (10 * PWRTRACE_NS_PER_MS)

/* The rows of power_sources.def. */
struct power_family {
	const char *name;
	const char *argument; /* ":FILE"; "": it takes none */
	enum { FOUND, NAMED, INSTEAD } used;
	const struct power_ops *ops;
};

static const struct power_family families[] = {
#define POWER_SOURCE(name, argument, used, help) {#name, argument, used, &power_##name},
#include "preload/common/power_sources.def"
#undef POWER_SOURCE
};

#define FAMILIES (sizeof(families) / sizeof(*families))

static const struct power_family *find_family(const char *name, size_t length)
{
	for (size_t i = 0; i < FAMILIES; i++)
		if (strlen(families[i].name) == length &&
			strncmp(families[i].name, name, length) == 0)
			return &families[i];
	return NULL;
}

static void add_to_text(struct power_sources *sources, const char *item, size_t length)
{
	size_t used = strlen(sources->text);

	snprintf(sources->text + used, sizeof(sources->text) - used, "%s%.*s", used ? "," : "",
		(int)length, item);
}

/* The problem that all sensors of energy or power have: of the first, or NULL where one has none.
 */
static const char *common_problem(const struct power_source *source)
{
	for (size_t i = 0; i < source->sensor_count; i++)
		if (!source->sensors[i].problem &&
			strcmp(source->sensors[i].quantity, "state") != 0)
			return NULL;
	return source->sensor_count ? source->sensors[0].problem : "it has no sensor";
}

/* item: the source's name, then perhaps ":argument".  Adds the source, with a problem where it
 * cannot be opened.  Returns it, or NULL where there are too many.  why, of size bytes, is its name
 * meanwhile. */
static struct power_source *add_source(struct power_sources *sources,
	const struct power_family *family, const char *item, size_t length, char *why, size_t size)
{
	struct power_source *source = &sources->list[sources->count];
	size_t name_length = strlen(family->name);
	char *argument = NULL;

	if (sources->count == SOURCES_MAX)
		return NULL;
	if (length > name_length)
		argument = strndup(item + name_length + 1, length - name_length - 1);
	*source = (struct power_source){.name = family->name, .ops = family->ops};
	snprintf(why, size, "%s", family->name);
	if (argument && !*family->argument)
		snprintf(source->problem, sizeof(source->problem), "takes no argument");
	else
		source->state = source->ops->open(argument ? argument : "", source->problem);
	free(argument);
	if (source->state)
		source->sensor_count = source->ops->sensors(source->state, &source->sensors);
	sources->count++;
	add_to_text(sources, item, length);
	return source;
}

static void drop_last(struct power_sources *sources)
{
	struct power_source *source = &sources->list[--sources->count];
	char *comma = strrchr(sources->text, ',');

	if (source->state)
		source->ops->close(source->state);
	*(comma ? comma : sources->text) = 0;
}

/* For a recording: a source that measures nothing is an error where it was asked for. */
static const char *unusable(const struct power_source *source)
{
	return source->state ? common_problem(source) : source->problem;
}

/* What is not there at all need not be said. */
static void pass_over(struct power_sources *sources, const struct power_source *source)
{
	if (!source->state || sources->passed_over)
		return;
	sources->passed_over = source->name;
	snprintf(sources->problem, sizeof(sources->problem), "%s", unusable(source));
}

static void add_used(struct power_sources *sources, int used, bool all, char *why, size_t size)
{
	for (size_t i = 0; i < FAMILIES; i++) {
		const char *name = families[i].name;
		struct power_source *source;

		if ((int)families[i].used != used)
			continue;
		source = add_source(sources, &families[i], name, strlen(name), why, size);
		if (!source || all || !unusable(source))
			continue;
		pass_over(sources, source);
		drop_last(sources);
	}
}

static void add_what_is_found(struct power_sources *sources, bool all, char *why, size_t size)
{
	add_used(sources, FOUND, all, why, size);
	if (sources->count)
		sources->passed_over = NULL;
	else
		add_used(sources, INSTEAD, true, why, size);
}

static void say_unknown(const char *item, size_t length, char *why, size_t size)
{
	int used = snprintf(
		why, size, "no power source is called \"%.*s\"; there are", (int)length, item);

	for (size_t i = 0; i < FAMILIES && used >= 0 && (size_t)used < size; i++)
		used += snprintf(why + used, size - used, "%s %s%s", i ? "," : "", families[i].name,
			families[i].argument);
}

static int add_list(
	struct power_sources *sources, const char *list, bool all, char *why, size_t size)
{
	for (;;) {
		size_t length = strcspn(list, ",");
		size_t name_length = strcspn(list, ":,");
		const struct power_family *family = find_family(list, name_length);
		struct power_source *source;

		if (!family) {
			say_unknown(list, name_length, why, size);
			return -1;
		}
		source = add_source(sources, family, list, length, why, size);
		if (!source) {
			snprintf(why, size, "more than %d power sources", SOURCES_MAX);
			return -1;
		}
		if (!all && unusable(source)) {
			snprintf(why, size, "%s: %s", family->name, unusable(source));
			return -1;
		}
		if (!list[length])
			return 0;
		list += length + 1;
	}
}

static int add(struct power_sources *sources, const char *list, bool all, char *why, size_t size)
{
	if (!*list || *list == ',')
		add_what_is_found(sources, all, why, size);
	if (*list == ',')
		list++;
	return *list ? add_list(sources, list, all, why, size) : 0;
}

int sources_open(struct power_sources *sources, const char *list, char *why, size_t size)
{
	return add(sources, list, false, why, size);
}

int sources_list(struct power_sources *sources, const char *list, char *why, size_t size)
{
	return add(sources, list, true, why, size);
}

void sources_close(struct power_sources *sources)
{
	while (sources->count)
		drop_last(sources);
}

static bool cpu_is_held(const struct power_sources *sources)
{
	for (size_t i = 0; i < sources->count; i++) {
		const struct power_source *source = &sources->list[i];

		for (size_t k = 0; k < source->sensor_count; k++)
			if (source->sensors[k].holds_cpu && !source->sensors[k].problem)
				return true;
	}
	return false;
}

const char *source_part_of(const struct power_sources *sources, const struct power_sensor *sensor)
{
	if (sensor->part_of && *sensor->part_of)
		return sensor->part_of;
	return strcmp(sensor->device, "cpu") == 0 && cpu_is_held(sources) ? "*" : "";
}

uint64_t source_read_cost_ns(const struct power_source *source, size_t i)
{
	uint64_t least_ns = UINT64_MAX;
	uint64_t spent_ns = 0;

	if (!source->ops->read)
		return 0;
	for (int k = 0; k < COST_READINGS && spent_ns < COST_ENOUGH_NS; k++) {
		uint64_t begin_ns = clock_now_ns();

		source->ops->read(source->state, i);
		uint64_t cost_ns = clock_now_ns() - begin_ns;

		least_ns = cost_ns < least_ns ? cost_ns : least_ns;
		spent_ns += cost_ns;
	}
	return least_ns;
}
