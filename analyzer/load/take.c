/* SPDX-License-Identifier: MIT */
#include "analyzer/load/take.h"

#include <stdlib.h>
#include <string.h>

void take_event(void *data, unsigned trace, enum pwrtrace_event_id id, const void *record)
{
	struct loader *loader = data;

	loader->model->event_count[id]++;
	switch (id) {
#define EVENT(name, channel, fields)                                                               \
	case PWRTRACE_EV_##name:                                                                   \
		take_##name(loader, trace, record);                                                \
		break;
#define OLD_EVENT(name, schema, channel, fields) EVENT(name##_##schema, channel, fields)
#include "pwrtrace/events.def"
#undef EVENT
	case PWRTRACE_EV_COUNT:
		break;
	}
}

static const struct {
	enum pwrtrace_event_id event;
	const char *field;
} unread[] = {
/* sizeof makes the build fail where a field does not exist. */
#define UNREAD(name, field, why)                                                                   \
	{sizeof(((struct pwrtrace_##name *)NULL)->field) ? PWRTRACE_EV_##name : 0, #field},
#include "analyzer/load/unread.def"
#undef UNREAD
};

/* Events that are needed only to know when layers were open; there are many. */
static bool is_of_layers(enum pwrtrace_event_id id)
{
	return id == PWRTRACE_EV_layer_push || id == PWRTRACE_EV_layer_pop;
}

bool take_wants(void *data, enum pwrtrace_event_id id, const char *field)
{
	const struct loader *loader = data;

	for (size_t i = 0; i < G_N_ELEMENTS(unread); i++)
		if (unread[i].event == id && strcmp(unread[i].field, field) == 0)
			return false;
	return !is_of_layers(id) || loader->model->ranges;
}

bool take_is_new(void *data, const char *directory)
{
	struct loader *loader = data;
	char *path = realpath(directory, NULL);
	bool is_new = !path || g_hash_table_add(loader->paths, path);

	loader->repeats += !is_new;
	return is_new;
}

void take_damaged(void *data)
{
	struct loader *loader = data;

	loader->model->damaged++;
}

void take_discarded(void *data, uint64_t count)
{
	struct loader *loader = data;

	loader->model->discarded += count;
}
