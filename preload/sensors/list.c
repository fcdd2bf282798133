/* SPDX-License-Identifier: MIT */
#include "preload/sensors/list.h"

#include <stdlib.h>
#include <string.h>

#include "preload/common/log.h"
#include "preload/sensors/sensors.h"

const char *entry_text(const char *text)
{
	return text ? text : "";
}

const char *entry_kind(const struct entry *entry)
{
	static const struct {
		const char *quantity, *kind;
	} kinds[] = {
		{"power", "gauge"},
		{"energy", "counter"},
		{"state", "state"},
		{"model", "estimate"},
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strcmp(kinds[i].quantity, entry->sensor.quantity) == 0)
			return kinds[i].kind;
	return entry->sensor.quantity;
}

void entries_each_note(const struct entries *entries,
	void (*put)(void *data, const char *source, const char *why), void *data)
{
	for (size_t i = 0; i < entries->sources.count; i++) {
		const struct source *source = &entries->sources.list[i];
		const struct power_note *note;

		if (!source->state)
			put(data, source->name, source->problem);
		for (size_t k = 0; source->state && source->ops->note &&
				   (note = source->ops->note(source->state, k));
			k++)
			put(data, source->name, note->why);
	}
}

static void look_at(struct entries *entries, const struct source *source, size_t i)
{
	struct entry *entry = &entries->list[entries->count++];

	*entry = (struct entry){.source = source,
		.sensor = source->sensors[i],
		.part_of = source_part_of(&entries->sources, &source->sensors[i]),
		.read_cost_ns = PWRTRACE_UNKNOWN_U64};
	entry->calibrated = kept_response_apply(&entry->response, source->name, &entry->sensor);
	if (!entry->sensor.problem && source->ops->read)
		entry->read_cost_ns = source_read_cost_ns(source, i);
}

/* Returns 0, or an exit status after saying what is wrong. */
static int find_entries(struct entries *entries, const char *power)
{
	char why[POWER_WHY_MAX];
	size_t count = 0;

	if (sources_list(&entries->sources, power, why, sizeof(why))) {
		log_error("%s", why);
		return SENSORS_BAD_USAGE;
	}
	for (size_t i = 0; i < entries->sources.count; i++)
		count += entries->sources.list[i].sensor_count;
	entries->list = calloc(count + 1, sizeof(*entries->list));
	if (!entries->list) {
		log_error("out of memory");
		return SENSORS_BAD_INPUT;
	}
	for (size_t i = 0; i < entries->sources.count; i++)
		for (size_t k = 0; k < entries->sources.list[i].sensor_count; k++)
			look_at(entries, &entries->sources.list[i], k);
	return 0;
}

static void free_entries(struct entries *entries)
{
	sources_close(&entries->sources);
	free(entries->list);
}

int sensors_list(const char *power, bool json)
{
	struct entries entries = {0};
	int status = find_entries(&entries, power);

	if (!status && json)
		entries_put_json(&entries);
	else if (!status)
		entries_put_text(&entries);
	free_entries(&entries);
	return status;
}
