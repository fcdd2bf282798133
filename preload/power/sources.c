/* SPDX-License-Identifier: MIT */
#include "preload/power/sources.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_to_text(struct sources *sources, const char *item, size_t length)
{
	size_t used = strlen(sources->text);

	snprintf(sources->text + used, sizeof(sources->text) - used, "%s%.*s", used ? "," : "",
		(int)length, item);
}

/* item: the source's name, then perhaps ":argument".  Returns 0, or -1 with a line in why. */
static int open_source(struct sources *sources, const struct power_source *ops, const char *item,
	size_t length, char why[POWER_WHY_MAX])
{
	struct source *source = &sources->list[sources->count];
	size_t name_length = strlen(ops->name);
	char *argument = NULL;

	if (sources->count == SOURCES_MAX) {
		snprintf(why, POWER_WHY_MAX, "more than %d sources", SOURCES_MAX);
		return -1;
	}
	if (length > name_length)
		argument = strndup(item + name_length + 1, length - name_length - 1);
	if (argument && !ops->argument) {
		snprintf(why, POWER_WHY_MAX, "takes no argument");
		free(argument);
		return -1;
	}
	source->ops = ops;
	source->state = ops->open(argument ? argument : "", why);
	free(argument);
	if (!source->state)
		return -1;
	source->sensor_count = ops->sensors(source->state, &source->sensors);
	sources->count++;
	add_to_text(sources, item, length);
	return 0;
}

static void open_what_is_found(struct sources *sources)
{
	char why[POWER_WHY_MAX];

	for (const struct power_source *const *ops = power_sources; *ops; ops++)
		if ((*ops)->automatic)
			open_source(sources, *ops, (*ops)->name, strlen((*ops)->name), why);
	if (!sources->count)
		open_source(sources, &power_model, power_model.name, strlen(power_model.name), why);
}

static void say_unknown(const char *item, size_t length, char *why, size_t size)
{
	int used = snprintf(
		why, size, "no power source is called \"%.*s\"; there are", (int)length, item);

	for (size_t i = 0; power_sources[i] && used >= 0 && (size_t)used < size; i++)
		used += snprintf(why + used, size - used, "%s %s%s%s", i ? "," : "",
			power_sources[i]->name, power_sources[i]->argument ? ":" : "",
			power_sources[i]->argument ? power_sources[i]->argument : "");
}

static int open_list(struct sources *sources, const char *list, char *why, size_t size)
{
	for (;;) {
		size_t length = strcspn(list, ",");
		size_t name_length = strcspn(list, ":,");
		const struct power_source *ops = power_find(list, name_length);
		char reason[POWER_WHY_MAX];

		if (!ops) {
			say_unknown(list, name_length, why, size);
			return -1;
		}
		if (open_source(sources, ops, list, length, reason)) {
			snprintf(why, size, "%s: %s", ops->name, reason);
			return -1;
		}
		if (!list[length])
			return 0;
		list += length + 1;
	}
}

int sources_open(struct sources *sources, const char *list, char *why, size_t size)
{
	if (*list)
		return open_list(sources, list, why, size);
	open_what_is_found(sources);
	return 0;
}

void sources_close(struct sources *sources)
{
	for (size_t i = 0; i < sources->count; i++)
		sources->list[i].ops->close(sources->list[i].state);
	sources->count = 0;
}
