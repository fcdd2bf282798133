/* SPDX-License-Identifier: MIT */
#include "analyzer/model/hosts.h"

#include <string.h>

#include "analyzer/model/source.h"

static const struct model_recording *recording_at(const struct model *model, guint i)
{
	return &g_array_index(model->recordings, struct model_recording, i);
}

bool hosts_are_several(const struct model *model)
{
	const char *first = NULL;
	bool several = false;

	for (guint i = 0; i < model->processes->len && !several; i++) {
		const char *host = g_array_index(model->processes, struct model_process, i).host;

		first = first ? first : host;
		several = strcmp(first, host) != 0;
	}
	for (guint i = 0; i < model->recordings->len && !several; i++) {
		first = first ? first : recording_at(model, i)->host;
		several = strcmp(first, recording_at(model, i)->host) != 0;
	}
	return several;
}

const char *hosts_of_machine(const struct model *model, const char *machine)
{
	for (guint i = 0; i < model->recordings->len; i++)
		if (strcmp(recording_at(model, i)->machine, machine) == 0)
			return recording_at(model, i)->host;
	for (guint i = 0; i < model->processes->len; i++) {
		const struct model_process *process =
			&g_array_index(model->processes, struct model_process, i);

		if (strcmp(process->machine, machine) == 0)
			return process->host;
	}
	return "";
}

char *hosts_place(const struct model *model, const char *host)
{
	return hosts_are_several(model)
		       ? g_strdup_printf(" on %s", *host ? host : "an unknown host")
		       : g_strdup("");
}

char *hosts_sensor_place(const struct model *model, const struct model_sensor *sensor)
{
	const struct model_recording *recording =
		source_recording(model, sensor->trace, sensor->process_number);

	return hosts_place(model, recording ? recording->host : "");
}

uint64_t hosts_time_of_day_ns(const struct model *model, const char *machine)
{
	for (guint i = 0; i < model->recordings->len; i++)
		if (recording_at(model, i)->realtime_offset_ns &&
			strcmp(recording_at(model, i)->machine, machine) == 0)
			return (uint64_t)recording_at(model, i)->realtime_offset_ns;
	return 0;
}

bool hosts_share_axis(const struct model *model, const char *one, const char *other)
{
	return strcmp(one, other) == 0 ||
	       (hosts_time_of_day_ns(model, one) && hosts_time_of_day_ns(model, other));
}
