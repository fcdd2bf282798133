/* SPDX-License-Identifier: MIT */
#include "analyzer/trace/reader.h"

#include <babeltrace2/babeltrace.h>
#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "analyzer/print/message.h"
#include "analyzer/trace/decode.h"
#include "analyzer/trace/salvage.h"
#include "analyzer/trace/survive.h"

/* ---- one sub-trace: a sink with a port for each stream, and a heap over their next events ----
 *
 * The library's own muxer looks at every stream for every event. */

struct stream {
	bt_message_iterator *iterator;
	bt_message_array_const messages;
	uint64_t next, count;
	int64_t time; /* of messages[next] */
};

#define RECENT_CLASSES 16

struct reading {
	const struct reader_sink *sink;
	unsigned trace;
	const char *directory;
	uint64_t ports;
	struct stream *streams;
	struct stream **heap;
	size_t heap_size;
	GHashTable *decoders; /* by event class; NULL for foreign ones */
	struct {
		const bt_event_class *class;
		const struct decoder *decoder;
	} recent[RECENT_CLASSES];
	bool failed;
	bool whole;
};

static void sift_down(struct reading *reading, size_t i)
{
	struct stream **heap = reading->heap;
	struct stream *stream = heap[i];

	for (;;) {
		size_t child = 2 * i + 1;

		if (child + 1 < reading->heap_size && heap[child + 1]->time < heap[child]->time)
			child++;
		if (child >= reading->heap_size || stream->time <= heap[child]->time)
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = stream;
}

static const struct decoder *decoder_of(struct reading *reading, const bt_event_class *class)
{
	guint recent = g_direct_hash(class) / sizeof(void *) % RECENT_CLASSES;
	gpointer decoder;

	if (class == reading->recent[recent].class)
		return reading->recent[recent].decoder;
	if (!g_hash_table_lookup_extended(reading->decoders, class, NULL, &decoder)) {
		decoder = decode_prepare(class, reading->sink);
		g_hash_table_insert(reading->decoders, (gpointer) class, decoder);
	}
	reading->recent[recent].class = class;
	reading->recent[recent].decoder = decoder;
	return decoder;
}

static void take_event(struct reading *reading, const bt_message *message)
{
	const bt_event *event = bt_message_event_borrow_event_const(message);
	const struct decoder *decoder = decoder_of(reading, bt_event_borrow_class_const(event));
	union decode_record record;

	if (decoder)
		reading->sink->event(reading->sink->data, reading->trace,
			decode_event(decoder, event, &record), &record);
}

/* Moves to the stream's next event, taking what is none on the way.  Returns false at its end. */
static bool advance(struct reading *reading, struct stream *stream)
{
	for (;; stream->next++) {
		const bt_message *message;
		uint64_t count;

		while (stream->next == stream->count) {
			bt_message_iterator_next_status status = bt_message_iterator_next(
				stream->iterator, &stream->messages, &stream->count);

			stream->next = 0;
			if (status == BT_MESSAGE_ITERATOR_NEXT_STATUS_OK)
				continue;
			stream->count = 0;
			if (status == BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN)
				continue;
			/* The other streams may be whole; the library refuses to go on with an
			 * error that nobody took. */
			bt_current_thread_clear_error();
			reading->failed |= status != BT_MESSAGE_ITERATOR_NEXT_STATUS_END;
			return false;
		}
		message = stream->messages[stream->next];
		if (bt_message_get_type(message) == BT_MESSAGE_TYPE_EVENT) {
			stream->time = (int64_t)bt_clock_snapshot_get_value(
				bt_message_event_borrow_default_clock_snapshot_const(message));
			return true;
		}
		if (bt_message_get_type(message) == BT_MESSAGE_TYPE_DISCARDED_EVENTS &&
			bt_message_discarded_events_get_count(message, &count) ==
				BT_PROPERTY_AVAILABILITY_AVAILABLE)
			reading->sink->discarded(reading->sink->data, count);
		bt_message_put_ref(message);
	}
}

static bt_component_class_sink_consume_method_status consume(bt_self_component_sink *self)
{
	struct reading *reading =
		bt_self_component_get_data(bt_self_component_sink_as_self_component(self));

	for (uint64_t i = 0; i < reading->ports; i++)
		if (advance(reading, &reading->streams[i]))
			reading->heap[reading->heap_size++] = &reading->streams[i];
	for (size_t i = reading->heap_size; i > 0; i--)
		sift_down(reading, i - 1);
	while (reading->heap_size) {
		struct stream *stream = reading->heap[0];
		const bt_message *message = stream->messages[stream->next];

		take_event(reading, message);
		bt_message_put_ref(message);
		stream->next++;
		if (!advance(reading, stream))
			reading->heap[0] = reading->heap[--reading->heap_size];
		if (reading->heap_size)
			sift_down(reading, 0);
	}
	return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_END;
}

static bt_component_class_initialize_method_status initialize(bt_self_component_sink *self,
	bt_self_component_sink_configuration *configuration, const bt_value *params, void *data)
{
	struct reading *reading = data;

	(void)configuration;
	(void)params;
	bt_self_component_set_data(bt_self_component_sink_as_self_component(self), reading);
	for (uint64_t i = 0; i < reading->ports; i++) {
		char name[32];

		g_snprintf(name, sizeof(name), "in%" G_GUINT64_FORMAT, i);
		if (bt_self_component_sink_add_input_port(self, name, NULL, NULL) !=
			BT_SELF_COMPONENT_ADD_PORT_STATUS_OK)
			return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	}
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

static bt_component_class_sink_graph_is_configured_method_status configured(
	bt_self_component_sink *self)
{
	struct reading *reading =
		bt_self_component_get_data(bt_self_component_sink_as_self_component(self));

	for (uint64_t i = 0; i < reading->ports; i++)
		if (bt_message_iterator_create_from_sink_component(self,
			    bt_self_component_sink_borrow_input_port_by_index(self, i),
			    &reading->streams[i].iterator) !=
			BT_MESSAGE_ITERATOR_CREATE_FROM_SINK_COMPONENT_STATUS_OK)
			return BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_ERROR;
	return BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_OK;
}

static const bt_component_source *add_source(bt_graph *graph, const char *directory)
{
	const bt_plugin *plugin = NULL;
	const bt_component_source *source = NULL;
	bt_value *params = bt_value_map_create(), *inputs = NULL;

	if (bt_plugin_find("ctf", BT_TRUE, BT_TRUE, BT_TRUE, BT_TRUE, BT_FALSE, &plugin) !=
		BT_PLUGIN_FIND_STATUS_OK)
		return NULL;
	if (bt_value_map_insert_empty_array_entry(params, "inputs", &inputs) ==
			BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
		bt_value_array_append_string_element(inputs, directory) ==
			BT_VALUE_ARRAY_APPEND_ELEMENT_STATUS_OK &&
		bt_graph_add_source_component(graph,
			bt_plugin_borrow_source_component_class_by_name_const(plugin, "fs"),
			"trace", params, BT_LOGGING_LEVEL_NONE,
			&source) != BT_GRAPH_ADD_COMPONENT_STATUS_OK)
		source = NULL;
	bt_value_put_ref(params);
	bt_plugin_put_ref(plugin);
	return source;
}

static const bt_component_sink *add_sink(bt_graph *graph, struct reading *reading)
{
	bt_component_class_sink *class = bt_component_class_sink_create("pwrtrace", consume);
	const bt_component_sink *sink = NULL;

	bt_component_class_sink_set_initialize_method(class, initialize);
	bt_component_class_sink_set_graph_is_configured_method(class, configured);
	if (bt_graph_add_sink_component_with_initialize_method_data(graph, class, "model", NULL,
		    reading, BT_LOGGING_LEVEL_NONE, &sink) != BT_GRAPH_ADD_COMPONENT_STATUS_OK)
		sink = NULL;
	bt_component_class_sink_put_ref(class);
	return sink;
}

/* Returns whether all was read. */
static bool run_graph(bt_graph *graph, struct reading *reading)
{
	const bt_component_source *source = add_source(graph, reading->directory);
	const bt_component_sink *sink;

	if (!source)
		return false;
	reading->ports = bt_component_source_get_output_port_count(source);
	reading->streams = g_new0(struct stream, reading->ports);
	reading->heap = g_new0(struct stream *, reading->ports);
	sink = add_sink(graph, reading);
	for (uint64_t i = 0; sink && i < reading->ports; i++)
		if (bt_graph_connect_ports(graph,
			    bt_component_source_borrow_output_port_by_index_const(source, i),
			    bt_component_sink_borrow_input_port_by_index_const(sink, i),
			    NULL) != BT_GRAPH_CONNECT_PORTS_STATUS_OK)
			return false;
	if (!sink || (reading->ports && bt_graph_run(graph) != BT_GRAPH_RUN_STATUS_OK))
		return false;
	return !reading->failed;
}

static void run(void *data)
{
	struct reading *reading = data;
	bt_graph *graph = bt_graph_create(0);

	reading->whole = run_graph(graph, reading);
	for (uint64_t i = 0; i < reading->ports; i++)
		if (reading->streams[i].iterator)
			bt_message_iterator_put_ref(reading->streams[i].iterator);
	bt_graph_put_ref(graph);
	bt_current_thread_clear_error();
}

/* Returns whether something was read, after saying so where it was not all. */
static bool read_sub_trace(const char *directory, unsigned trace, const struct reader_sink *sink)
{
	char *opened = salvage_open(directory);
	struct reading reading = {.sink = sink,
		.trace = trace,
		.directory = opened,
		.decoders = g_hash_table_new_full(NULL, NULL, NULL, g_free)};

	if (opened && !survive(run, &reading)) {
		reading.whole = false;
		bt_current_thread_clear_error();
	}
	if (opened && !reading.whole)
		message_warn("%s cannot be read%s", directory,
			reading.heap ? " whole: its metadata or a stream is damaged"
				     : ": its metadata or a stream is damaged; copy the trace "
				       "again, or record anew");
	if (!reading.whole || strcmp(directory, opened) != 0)
		sink->damaged(sink->data);
	if (opened)
		salvage_close(directory, opened);
	g_free(opened);
	g_free(reading.streams);
	g_free(reading.heap);
	g_hash_table_destroy(reading.decoders);
	return reading.whole || reading.heap;
}

/* ---- directories ---- */

#define FINISH_WAIT_MS 10000
#define FINISH_POLL_MS 20

/* The recorder holds a lock on it until the trace is complete. */
static void wait_until_complete(const char *directory)
{
	char *path = g_build_filename(directory, ".recording", NULL);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int left_ms = FINISH_WAIT_MS;

	while (fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) && left_ms > 0) {
		g_usleep(FINISH_POLL_MS * 1000);
		left_ms -= FINISH_POLL_MS;
	}
	if (fd >= 0 && left_ms <= 0)
		message_warn(
			"%s is still being recorded: what it has until now is read", directory);
	if (fd >= 0)
		close(fd);
	g_free(path);
}

static int by_name(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Adds the folders at or below directory that hold a trace's metadata. */
static void find_sub_traces(const char *directory, GPtrArray *found)
{
	char *metadata = g_build_filename(directory, "metadata", NULL);
	GDir *dir = g_dir_open(directory, 0, NULL);
	const char *name;

	if (g_file_test(metadata, G_FILE_TEST_IS_REGULAR))
		g_ptr_array_add(found, g_strdup(directory));
	while (dir && (name = g_dir_read_name(dir))) {
		char *path = g_build_filename(directory, name, NULL);

		if (*name != '.' && g_file_test(path, G_FILE_TEST_IS_DIR) &&
			!g_file_test(path, G_FILE_TEST_IS_SYMLINK))
			find_sub_traces(path, found);
		g_free(path);
	}
	if (dir)
		g_dir_close(dir);
	g_free(metadata);
}

int reader_read(const char *directory, const struct reader_sink *sink)
{
	static unsigned traces;
	GPtrArray *found = g_ptr_array_new_with_free_func(g_free);
	int read = 0;
	if (!g_file_test(directory, G_FILE_TEST_EXISTS)) {
		message_error("%s does not exist; give the directory that pwrtrace record named",
			directory);
		read = -1;
	} else {
		wait_until_complete(directory);
		find_sub_traces(directory, found);
		g_ptr_array_sort(found, by_name);
	}
	for (guint i = 0; i < found->len; i++)
		read += read_sub_trace(g_ptr_array_index(found, i), traces++, sink);
	if (read == 0) {
		if (found->len != 1 || message_quiet) /* else it has been said why */
			message_error(found->len ? "nothing in %s can be read"
						 : "%s is not a trace: there is no metadata in it; "
						   "give the directory that pwrtrace record named",
				directory);
		read = -1;
	}
	g_ptr_array_free(found, TRUE);
	return read;
}
