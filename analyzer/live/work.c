/* SPDX-License-Identifier: MIT */
#include "analyzer/live/work.h"

static void device_free(gpointer data)
{
	struct live_device *device = data;

	g_free(device->uuid);
	g_free(device->pci);
	g_free(device->name);
	g_free(device->kind);
	g_free(device);
}

static void stream_free(gpointer data)
{
	struct live_stream *stream = data;

	g_hash_table_unref(stream->work);
	g_free(stream);
}

struct live_process *live_process_new(void)
{
	struct live_process *process = g_new(struct live_process, 1);

	process->devices = g_hash_table_new_full(NULL, NULL, NULL, device_free);
	process->streams = g_hash_table_new_full(NULL, NULL, NULL, stream_free);
	return process;
}

void live_process_free(gpointer data)
{
	struct live_process *process = data;

	g_hash_table_unref(process->devices);
	g_hash_table_unref(process->streams);
	g_free(process);
}

void live_process_device(struct live_process *process, const struct pwrtrace_device *e)
{
	struct live_device *device = g_new(struct live_device, 1);

	*device = (struct live_device){e->device, g_strdup(e->uuid), g_strdup(e->pci),
		g_strdup(e->name), g_strdup(e->kind)};
	g_hash_table_replace(process->devices, GUINT_TO_POINTER(e->device), device);
}

struct live_stream *live_process_stream(struct live_process *process, uint32_t number)
{
	struct live_stream *stream =
		g_hash_table_lookup(process->streams, GUINT_TO_POINTER(number));

	if (stream)
		return stream;
	stream = g_new0(struct live_stream, 1);
	stream->work = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	g_hash_table_insert(process->streams, GUINT_TO_POINTER(number), stream);
	return stream;
}

struct live_second *live_second_at(struct live_second seconds[LIVE_SECONDS], uint64_t number)
{
	struct live_second *second = &seconds[number % LIVE_SECONDS];

	if (second->number > number)
		return NULL;
	if (second->number < number)
		*second = (struct live_second){.number = number};
	return second;
}

void live_stream_add(
	struct live_stream *stream, const char *name, uint64_t begin_ns, uint64_t end_ns)
{
	struct live_work *work = g_hash_table_lookup(stream->work, name);
	const uint64_t last = end_ns / PWRTRACE_NS_PER_S;
	uint64_t number = begin_ns / PWRTRACE_NS_PER_S;
	struct live_second *second = NULL;

	if (!work) {
		work = g_new0(struct live_work, 1);
		g_hash_table_insert(stream->work, g_strdup(name), work);
	}
	if (last - number >= LIVE_SECONDS)
		number = last - LIVE_SECONDS + 1;
	for (; number <= last; number++) {
		uint64_t second_ns = number * PWRTRACE_NS_PER_S;

		second = live_second_at(work->seconds, number);
		if (second)
			second->known_ns += MIN(end_ns, second_ns + PWRTRACE_NS_PER_S) -
					    MAX(begin_ns, second_ns);
	}
	if (second)
		second->executions++;
}

static gboolean is_over(gpointer name, gpointer data, gpointer user_data)
{
	const struct live_work *work = data;
	const uint64_t *number = user_data;

	(void)name;
	for (int i = 0; i < LIVE_SECONDS; i++)
		if (work->seconds[i].number >= *number)
			return FALSE;
	return TRUE;
}

void live_process_forget(struct live_process *process, uint64_t number)
{
	GHashTableIter streams;
	gpointer stream;

	g_hash_table_iter_init(&streams, process->streams);
	while (g_hash_table_iter_next(&streams, NULL, &stream))
		g_hash_table_foreach_remove(((struct live_stream *)stream)->work, is_over, &number);
}
