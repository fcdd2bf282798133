/* SPDX-License-Identifier: MIT */
/*
 * A graph of a source component of our own and the library's sink.ctf.fs.  The graph runs once for
 * each message, so that the source has only the event that is being written.
 */
#include "analyzer/view/ctf/ctf_writer.h"

#include <babeltrace2/babeltrace.h>
#include <glib.h>

#define FIELDS_MAX 10
#define PACKET_EVENTS 4096

enum field_type { COUNT, REAL, TEXT, SIZES, FIELD_TYPES };

static const struct {
	const char *name;
	struct {
		enum field_type type;
		const char *name; /* NULL: no more */
	} fields[FIELDS_MAX];
} schema[] = {
#define EVENT(name, ...) {#name, {__VA_ARGS__}},
#include "analyzer/view/ctf/ctf_events.def"
#undef EVENT
};

struct ctf_writer {
	bt_graph *graph;
	bt_stream *stream;
	bt_packet *packet; /* that is open; NULL: none */
	bt_event_class *classes[CTF_EVENTS];
	enum ctf_event event; /* to write; CTF_EVENTS: the stream is to end */
	const union ctf_value *values;
	uint64_t time_ns, last_ns; /* of that event, and of the one before it */
	guint packet_events;       /* in packet */
	bool begun, done;          /* the stream was; what is to be written was */
	bool failed;
};

/* ---- the source ---- */

static bt_field_class *field_class(bt_trace_class *trace, enum field_type type)
{
	bt_field_class *class, *element;

	switch (type) {
	case REAL:
		return bt_field_class_real_double_precision_create(trace);
	case TEXT:
		return bt_field_class_string_create(trace);
	case SIZES:
		element = bt_field_class_integer_unsigned_create(trace);
		class = bt_field_class_array_dynamic_create(trace, element, NULL);
		bt_field_class_put_ref(element);
		return class;
	default:
		return bt_field_class_integer_unsigned_create(trace);
	}
}

static void make_event_class(
	struct ctf_writer *writer, bt_trace_class *trace, bt_stream_class *stream, guint event)
{
	bt_field_class *payload = bt_field_class_structure_create(trace);

	writer->classes[event] = bt_event_class_create(stream);
	bt_event_class_set_name(writer->classes[event], schema[event].name);
	for (guint i = 0; i < FIELDS_MAX && schema[event].fields[i].name; i++) {
		bt_field_class *member = field_class(trace, schema[event].fields[i].type);

		bt_field_class_structure_append_member(
			payload, schema[event].fields[i].name, member);
		bt_field_class_put_ref(member);
	}
	bt_event_class_set_payload_field_class(writer->classes[event], payload);
	bt_field_class_put_ref(payload);
}

static bt_component_class_initialize_method_status initialize(bt_self_component_source *self,
	bt_self_component_source_configuration *configuration, const bt_value *params, void *data)
{
	bt_self_component *component = bt_self_component_source_as_self_component(self);
	struct ctf_writer *writer = data;
	bt_trace_class *trace_class = bt_trace_class_create(component);
	bt_stream_class *stream_class = bt_stream_class_create(trace_class);
	bt_clock_class *clock = bt_clock_class_create(component);
	bt_trace *trace = bt_trace_create(trace_class);

	(void)configuration;
	(void)params;
	bt_self_component_set_data(component, writer);
	bt_clock_class_set_name(clock, "monotonic");
	bt_clock_class_set_origin_is_unix_epoch(clock, BT_FALSE);
	bt_stream_class_set_default_clock_class(stream_class, clock);
	bt_stream_class_set_supports_packets(stream_class, BT_TRUE, BT_TRUE, BT_TRUE);
	for (guint i = 0; i < CTF_EVENTS; i++)
		make_event_class(writer, trace_class, stream_class, i);
	bt_trace_set_environment_entry_string(trace, "tracer_name", "pwrtrace");
	bt_trace_set_environment_entry_string(trace, "tracer_version", PWRTRACE_VERSION);
	writer->stream = bt_stream_create(stream_class, trace);
	bt_trace_put_ref(trace);
	bt_clock_class_put_ref(clock);
	bt_stream_class_put_ref(stream_class);
	bt_trace_class_put_ref(trace_class);
	return bt_self_component_source_add_output_port(self, "out", NULL, NULL) ==
			       BT_SELF_COMPONENT_ADD_PORT_STATUS_OK
		       ? BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK
		       : BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
}

static void set_sizes(bt_field *field, const uint64_t *sizes)
{
	bt_field_array_dynamic_set_length(field, sizes ? 3 : 0);
	for (guint i = 0; sizes && i < 3; i++)
		bt_field_integer_unsigned_set_value(
			bt_field_array_borrow_element_field_by_index(field, i), sizes[i]);
}

static void set_fields(const struct ctf_writer *writer, bt_field *payload)
{
	for (guint i = 0; i < FIELDS_MAX && schema[writer->event].fields[i].name; i++) {
		bt_field *field = bt_field_structure_borrow_member_field_by_index(payload, i);
		const union ctf_value *value = &writer->values[i];

		switch (schema[writer->event].fields[i].type) {
		case REAL:
			bt_field_real_double_precision_set_value(field, value->real);
			break;
		case TEXT:
			bt_field_string_set_value(field, value->text);
			break;
		case SIZES:
			set_sizes(field, value->sizes);
			break;
		default:
			bt_field_integer_unsigned_set_value(field, value->count);
		}
	}
}

static bt_message *end_packet(struct ctf_writer *writer, bt_self_message_iterator *self)
{
	bt_message *message = bt_message_packet_end_create_with_default_clock_snapshot(
		self, writer->packet, writer->last_ns);

	bt_packet_put_ref(writer->packet);
	writer->packet = NULL;
	return message;
}

static bt_message *begin_packet(struct ctf_writer *writer, bt_self_message_iterator *self)
{
	writer->packet = bt_packet_create(writer->stream);
	writer->packet_events = 0;
	return bt_message_packet_beginning_create_with_default_clock_snapshot(
		self, writer->packet, writer->time_ns);
}

/* The next message on the way to what is to be written. */
static bt_message *next_message(struct ctf_writer *writer, bt_self_message_iterator *self)
{
	bool ends = writer->event == CTF_EVENTS;
	bt_message *message;

	if (!writer->begun) {
		writer->begun = true;
		return bt_message_stream_beginning_create(self, writer->stream);
	}
	if (writer->packet && (ends || writer->packet_events == PACKET_EVENTS))
		return end_packet(writer, self);
	if (!ends && !writer->packet)
		return begin_packet(writer, self);
	writer->done = true;
	if (ends)
		return bt_message_stream_end_create(self, writer->stream);
	message = bt_message_event_create_with_packet_and_default_clock_snapshot(
		self, writer->classes[writer->event], writer->packet, writer->time_ns);
	if (message)
		set_fields(writer,
			bt_event_borrow_payload_field(bt_message_event_borrow_event(message)));
	writer->packet_events++;
	writer->last_ns = writer->time_ns;
	return message;
}

static bt_message_iterator_class_next_method_status next(bt_self_message_iterator *self,
	bt_message_array_const messages, uint64_t capacity, uint64_t *count)
{
	struct ctf_writer *writer =
		bt_self_component_get_data(bt_self_message_iterator_borrow_component(self));

	(void)capacity;
	if (writer->event == CTF_EVENTS && writer->done)
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_END;
	messages[0] = next_message(writer, self);
	*count = 1;
	return messages[0] ? BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK
			   : BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_MEMORY_ERROR;
}

/* ---- the graph ---- */

static const bt_component_source *add_source(struct ctf_writer *writer)
{
	bt_message_iterator_class *iterator = bt_message_iterator_class_create(next);
	bt_component_class_source *class = bt_component_class_source_create("pwrtrace", iterator);
	const bt_component_source *source = NULL;

	bt_component_class_source_set_initialize_method(class, initialize);
	if (bt_graph_add_source_component_with_initialize_method_data(writer->graph, class,
		    "report", NULL, writer, BT_LOGGING_LEVEL_NONE,
		    &source) != BT_GRAPH_ADD_COMPONENT_STATUS_OK)
		source = NULL;
	bt_component_class_source_put_ref(class);
	bt_message_iterator_class_put_ref(iterator);
	return source;
}

static const bt_component_sink *add_sink(struct ctf_writer *writer, const char *directory)
{
	const bt_plugin *plugin = NULL;
	const bt_component_sink *sink = NULL;
	bt_value *params = bt_value_map_create();

	if (bt_plugin_find("ctf", BT_TRUE, BT_TRUE, BT_TRUE, BT_TRUE, BT_FALSE, &plugin) ==
			BT_PLUGIN_FIND_STATUS_OK &&
		bt_value_map_insert_string_entry(params, "path", directory) ==
			BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
		bt_value_map_insert_bool_entry(params, "assume-single-trace", BT_TRUE) ==
			BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
		bt_value_map_insert_bool_entry(params, "quiet", BT_TRUE) ==
			BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
		bt_graph_add_sink_component(writer->graph,
			bt_plugin_borrow_sink_component_class_by_name_const(plugin, "fs"), "trace",
			params, BT_LOGGING_LEVEL_NONE, &sink) != BT_GRAPH_ADD_COMPONENT_STATUS_OK)
		sink = NULL;
	bt_value_put_ref(params);
	if (plugin)
		bt_plugin_put_ref(plugin);
	return sink;
}

struct ctf_writer *ctf_writer_new(const char *directory)
{
	struct ctf_writer *writer = g_new0(struct ctf_writer, 1);
	const bt_component_source *source;
	const bt_component_sink *sink;

	writer->graph = bt_graph_create(0);
	source = add_source(writer);
	sink = add_sink(writer, directory);
	writer->failed = !source || !sink ||
			 bt_graph_connect_ports(writer->graph,
				 bt_component_source_borrow_output_port_by_index_const(source, 0),
				 bt_component_sink_borrow_input_port_by_index_const(sink, 0),
				 NULL) != BT_GRAPH_CONNECT_PORTS_STATUS_OK;
	return writer;
}

/* Runs the graph until what is to be written was. */
static void run(struct ctf_writer *writer)
{
	writer->done = false;
	while (!writer->failed && !writer->done)
		writer->failed = bt_graph_run_once(writer->graph) != BT_GRAPH_RUN_ONCE_STATUS_OK;
}

void ctf_writer_put(struct ctf_writer *writer, enum ctf_event event, uint64_t time_ns,
	const union ctf_value *values)
{
	writer->event = event;
	writer->time_ns = time_ns;
	writer->values = values;
	run(writer);
}

bool ctf_writer_close(struct ctf_writer *writer)
{
	static bt_graph *broken; /* for checkers of leaks */
	bool written;

	writer->event = CTF_EVENTS;
	run(writer);
	written =
		!writer->failed && bt_graph_run_once(writer->graph) == BT_GRAPH_RUN_ONCE_STATUS_END;
	bt_packet_put_ref(writer->packet);
	for (guint i = 0; i < CTF_EVENTS; i++)
		bt_event_class_put_ref(writer->classes[i]);
	bt_stream_put_ref(writer->stream);
	/* A sink that failed frees its packet twice (babeltrace 2.0.4). */
	if (written)
		bt_graph_put_ref(writer->graph);
	else
		broken = writer->graph;
	(void)broken;
	bt_current_thread_clear_error();
	g_free(writer);
	return written;
}
