/* SPDX-License-Identifier: MIT */
#include "analyzer/trace/reader.h"

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <string.h>

#include "analyzer/print/message.h"
#include "analyzer/trace/decode.h"
#include "analyzer/trace/merge.h"
#include "analyzer/trace/salvage.h"
#include "analyzer/trace/survive.h"

/* A sink with a port for each stream, in the order of the names of their files, and a heap over
 * their next events.
 *
 * This takes the place of libbabeltrace2's muxer, which compares all streams for each event. */

struct stream {
	bt_message_iterator *iterator;
	bt_message_array_const messages;
	uint64_t next, count;
	int64_t time; /* of messages[next] */
};

#define RECENT_CLASSES 16

struct sub_trace {
	const struct reader_sink *sink;
	unsigned trace;        /* its number, for the caller's sink */
	const char *directory; /* to read, which salvage_open made */
	uint64_t ports;
	struct stream *streams;
	struct merge_next *heap; /* of the streams that have not ended */
	size_t heap_size;
	GHashTable *decoders; /* by event class; NULL for those that are not pwrtrace's */
	struct {
		const bt_event_class *class;
		const struct decoder *decoder;
	} recent[RECENT_CLASSES]; /* a cache of decoders */
	bool failed;              /* a stream ended with an error */
	bool whole;               /* all was read */
};

static const struct decoder *decoder_of(struct sub_trace *sub_trace, const bt_event_class *class)
{
	guint recent = g_direct_hash(class) / sizeof(void *) % RECENT_CLASSES;
	gpointer decoder;

	if (class == sub_trace->recent[recent].class)
		return sub_trace->recent[recent].decoder;
	if (!g_hash_table_lookup_extended(sub_trace->decoders, class, NULL, &decoder)) {
		decoder = decode_prepare(class, sub_trace->sink);
		g_hash_table_insert(sub_trace->decoders, (gpointer) class, decoder);
	}
	sub_trace->recent[recent].class = class;
	sub_trace->recent[recent].decoder = decoder;
	return decoder;
}

static void hand_over(struct sub_trace *sub_trace, const bt_message *message)
{
	const bt_event *event = bt_message_event_borrow_event_const(message);
	const struct decoder *decoder = decoder_of(sub_trace, bt_event_borrow_class_const(event));
	union record record;

	if (decoder)
		sub_trace->sink->event(sub_trace->sink->data, sub_trace->trace,
			decode_event(decoder, event, &record), &record);
}

/* Moves to the stream's next event, and handles messages before it that are no events.  Returns
 * false at the end of the stream. */
static bool advance(struct sub_trace *sub_trace, struct stream *stream)
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
			/* The other streams may be whole.  The library refuses further calls until
			 * the error is cleared. */
			bt_current_thread_clear_error();
			sub_trace->failed |= status != BT_MESSAGE_ITERATOR_NEXT_STATUS_END;
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
			sub_trace->sink->discarded(sub_trace->sink->data, count);
		bt_message_put_ref(message);
	}
}

static bt_component_class_sink_consume_method_status consume(bt_self_component_sink *self)
{
	struct sub_trace *sub_trace =
		bt_self_component_get_data(bt_self_component_sink_as_self_component(self));
	struct merge_next *heap = sub_trace->heap;

	for (unsigned i = 0; i < sub_trace->ports; i++)
		if (advance(sub_trace, &sub_trace->streams[i]))
			heap[sub_trace->heap_size++] =
				(struct merge_next){sub_trace->streams[i].time, i};
	merge_begin(heap, sub_trace->heap_size);
	while (sub_trace->heap_size) {
		struct stream *stream = &sub_trace->streams[heap->stream];
		const bt_message *message = stream->messages[stream->next];

		hand_over(sub_trace, message);
		bt_message_put_ref(message);
		stream->next++;
		if (advance(sub_trace, stream))
			heap->time = stream->time;
		else
			*heap = heap[--sub_trace->heap_size];
		if (sub_trace->heap_size)
			merge_sift_down(heap, sub_trace->heap_size, 0);
	}
	return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_END;
}

static bt_component_class_initialize_method_status initialize(bt_self_component_sink *self,
	bt_self_component_sink_configuration *configuration, const bt_value *params, void *data)
{
	struct sub_trace *sub_trace = data;

	(void)configuration;
	(void)params;
	bt_self_component_set_data(bt_self_component_sink_as_self_component(self), sub_trace);
	for (uint64_t i = 0; i < sub_trace->ports; i++) {
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
	struct sub_trace *sub_trace =
		bt_self_component_get_data(bt_self_component_sink_as_self_component(self));

	for (uint64_t i = 0; i < sub_trace->ports; i++)
		if (bt_message_iterator_create_from_sink_component(self,
			    bt_self_component_sink_borrow_input_port_by_index(self, i),
			    &sub_trace->streams[i].iterator) !=
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

static const bt_component_sink *add_sink(bt_graph *graph, struct sub_trace *sub_trace)
{
	bt_component_class_sink *class = bt_component_class_sink_create("pwrtrace", consume);
	const bt_component_sink *sink = NULL;

	bt_component_class_sink_set_initialize_method(class, initialize);
	bt_component_class_sink_set_graph_is_configured_method(class, configured);
	if (bt_graph_add_sink_component_with_initialize_method_data(graph, class, "model", NULL,
		    sub_trace, BT_LOGGING_LEVEL_NONE, &sink) != BT_GRAPH_ADD_COMPONENT_STATUS_OK)
		sink = NULL;
	bt_component_class_sink_put_ref(class);
	return sink;
}

/* Reads a sub-trace.  Returns whether all of it was read. */
static bool run_graph(bt_graph *graph, struct sub_trace *sub_trace)
{
	const bt_component_source *source = add_source(graph, sub_trace->directory);
	const bt_component_sink *sink;

	if (!source)
		return false;
	sub_trace->ports = bt_component_source_get_output_port_count(source);
	sub_trace->streams = g_new0(struct stream, sub_trace->ports);
	sub_trace->heap = g_new0(struct merge_next, sub_trace->ports);
	sink = add_sink(graph, sub_trace);
	for (uint64_t i = 0; sink && i < sub_trace->ports; i++)
		if (bt_graph_connect_ports(graph,
			    bt_component_source_borrow_output_port_by_index_const(source, i),
			    bt_component_sink_borrow_input_port_by_index_const(sink, i),
			    NULL) != BT_GRAPH_CONNECT_PORTS_STATUS_OK)
			return false;
	if (!sink || (sub_trace->ports && bt_graph_run(graph) != BT_GRAPH_RUN_STATUS_OK))
		return false;
	return !sub_trace->failed;
}

static void run(void *data)
{
	struct sub_trace *sub_trace = data;
	bt_graph *graph = bt_graph_create(0);

	sub_trace->whole = run_graph(graph, sub_trace);
	for (uint64_t i = 0; i < sub_trace->ports; i++)
		if (sub_trace->streams[i].iterator)
			bt_message_iterator_put_ref(sub_trace->streams[i].iterator);
	bt_graph_put_ref(graph);
	bt_current_thread_clear_error();
}

enum reading babeltrace_read(const char *directory, unsigned trace, const struct reader_sink *sink)
{
	char *opened = salvage_open(directory);
	struct sub_trace sub_trace = {.sink = sink,
		.trace = trace,
		.directory = opened,
		.decoders = g_hash_table_new_full(NULL, NULL, NULL, g_free)};

	if (opened && !survive(run, &sub_trace)) {
		sub_trace.whole = false;
		bt_current_thread_clear_error();
	}
	if (opened && !sub_trace.whole)
		message_warn("%s cannot be read%s", directory,
			sub_trace.heap ? " whole: its metadata or a stream is damaged"
				       : ": its metadata or a stream is damaged; copy the trace "
					 "again, or record anew");
	if (!sub_trace.whole || strcmp(directory, opened) != 0)
		sink->damaged(sink->data);
	if (opened)
		salvage_close(directory, opened);
	g_free(opened);
	g_free(sub_trace.streams);
	g_free(sub_trace.heap);
	g_hash_table_destroy(sub_trace.decoders);
	return sub_trace.whole || sub_trace.heap ? READING_DONE : READING_FAILED;
}
