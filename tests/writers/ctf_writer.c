/* SPDX-License-Identifier: MIT */
#include "tests/writers/ctf_writer.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define CTF_MAGIC 0xC1FC1FC1u
#define HEADER_BYTES (4 + 16 + 4 + 8)
#define CONTEXT_BYTES (6 * 8 + 4)
#define EVENT_HEADER_BYTES_MAX (2 + 4 + 8)

enum channel { channel_flow, channel_state, channel_count };

struct stream {
	FILE *file;
	enum channel channel;
	unsigned instance;
	uint64_t packets, discarded, begin_ns, end_ns;
	size_t used;
	unsigned char *packet;
};

struct ctf_writer {
	unsigned schema;
	size_t packet_bytes;
	uint64_t now_ns;
	unsigned flow_streams, flow_stream;
	bool failed;
	struct stream *streams; /* the flow streams, then the one of state */
};

static const unsigned char trace_uuid[16] = "pwrtrace-testing";

/* What lttng-sessiond 2.13 writes for LTTng-UST. */
static const char metadata_head[] =
	"/* CTF 1.8 */\n\n"
	"typealias integer { size = 8; align = 8; signed = false; } := uint8_t;\n"
	"typealias integer { size = 16; align = 8; signed = false; } := uint16_t;\n"
	"typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
	"typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n"
	"typealias integer { size = 64; align = 8; signed = false; } := unsigned long;\n"
	"typealias integer { size = 5; align = 1; signed = false; } := uint5_t;\n"
	"typealias integer { size = 27; align = 1; signed = false; } := uint27_t;\n\n"
	"trace {\n\tmajor = 1;\n\tminor = 8;\n"
	"\tuuid = \"70777274-7261-6365-2d74-657374696e67\";\n"
	"\tbyte_order = le;\n"
	"\tpacket.header := struct {\n\t\tuint32_t magic;\n\t\tuint8_t  uuid[16];\n"
	"\t\tuint32_t stream_id;\n\t\tuint64_t stream_instance_id;\n\t};\n};\n\n"
	"env {\n\thostname = \"test\";\n\tdomain = \"ust\";\n};\n\n"
	"clock {\n\tname = \"monotonic\";\n\tdescription = \"Monotonic Clock\";\n"
	"\tfreq = 1000000000; /* Frequency, in Hz */\n"
	"\t/* clock value offset from Epoch is: offset * (1/freq) */\n\toffset = 0;\n};\n\n"
	"typealias integer {\n\tsize = 27; align = 1; signed = false;\n"
	"\tmap = clock.monotonic.value;\n} := uint27_clock_monotonic_t;\n\n"
	"typealias integer {\n\tsize = 32; align = 8; signed = false;\n"
	"\tmap = clock.monotonic.value;\n} := uint32_clock_monotonic_t;\n\n"
	"typealias integer {\n\tsize = 64; align = 8; signed = false;\n"
	"\tmap = clock.monotonic.value;\n} := uint64_clock_monotonic_t;\n\n"
	"struct packet_context {\n\tuint64_clock_monotonic_t timestamp_begin;\n"
	"\tuint64_clock_monotonic_t timestamp_end;\n\tuint64_t content_size;\n"
	"\tuint64_t packet_size;\n\tuint64_t packet_seq_num;\n"
	"\tunsigned long events_discarded;\n\tuint32_t cpu_id;\n};\n\n"
	"struct event_header_compact {\n"
	"\tenum : uint5_t { compact = 0 ... 30, extended = 31 } id;\n"
	"\tvariant <id> {\n\t\tstruct {\n\t\t\tuint27_clock_monotonic_t timestamp;\n"
	"\t\t} compact;\n\t\tstruct {\n\t\t\tuint32_t id;\n"
	"\t\t\tuint64_clock_monotonic_t timestamp;\n\t\t} extended;\n\t} v;\n} align(8);\n\n"
	"struct event_header_large {\n"
	"\tenum : uint16_t { compact = 0 ... 65534, extended = 65535 } id;\n"
	"\tvariant <id> {\n\t\tstruct {\n\t\t\tuint32_clock_monotonic_t timestamp;\n"
	"\t\t} compact;\n\t\tstruct {\n\t\t\tuint32_t id;\n"
	"\t\t\tuint64_clock_monotonic_t timestamp;\n\t\t} extended;\n\t} v;\n} align(8);\n\n";

static const char metadata_stream[] = "stream {\n\tid = %d;\n"
				      "\tevent.header := struct event_header_%s;\n"
				      "\tpacket.context := struct packet_context;\n};\n\n";

/* LTTng has either kind of header, by how many events it expects. */
static const bool is_compact[channel_count] = {[channel_state] = true};

/* ---- schemas ---- */

/* Whether a schema has an event: one of a newer schema replaces an older one of its name.  since:
 * the schema of the row, 0 where it says none. */
static bool has_event(unsigned schema, const char *name, unsigned row_schema)
{
	static const char *const since_2[] = {"kernel_exec", "memory_exec", "graph_launch",
		"long_times", "in_flight", "collective"};

	if (row_schema)
		return schema == row_schema;
	for (size_t i = 0; i < sizeof(since_2) / sizeof(*since_2); i++)
		if (strcmp(name, since_2[i]) == 0)
			return schema >= 2;
	return true;
}

static bool has_field(unsigned schema, const char *event, const char *field)
{
	return schema >= 2 ||
	       !((strcmp(event, "process") == 0 && strcmp(field, "pid") == 0) ||
		       (strcmp(event, "clock_sync") == 0 && strcmp(field, "anchor") == 0));
}

static const char *field_name(unsigned schema, const char *field)
{
	return schema == 1 && strcmp(field, "process") == 0 ? "pid" : field;
}

static const struct field {
	const char *type, *name;
} * fields_of[] = {
#define INTEGER(bits, is_signed)                                                                   \
	"integer { size = " #bits "; align = 8; signed = " #is_signed                              \
	"; encoding = none; base = 10; }"
#define U32(field) {INTEGER(32, 0), #field},
#define U64(field) {INTEGER(64, 0), #field},
#define I32(field) {INTEGER(32, 1), #field},
#define I64(field) {INTEGER(64, 1), #field},
#define F64(field) {"floating_point { exp_dig = 11; mant_dig = 53; align = 8; }", #field},
#define STR(field) {"string", #field},
#define EVENT(name, channel, fields)                                                               \
	[PWRTRACE_EV_##name] = (const struct field[]){fields{NULL, NULL}},
#define OLD_EVENT(name, schema, channel, fields)                                                   \
	[PWRTRACE_EV_##name##_##schema] = (const struct field[]){fields{NULL, NULL}},
#include "pwrtrace/events.def"
#undef EVENT
#undef U32
#undef U64
#undef I32
#undef I64
#undef F64
#undef STR
};

static const struct {
	const char *name;
	unsigned schema;
	enum channel channel;
} events[] = {
#define EVENT(name, channel, fields) [PWRTRACE_EV_##name] = {#name, 0, channel_##channel},
#define OLD_EVENT(name, schema, channel, fields)                                                   \
	[PWRTRACE_EV_##name##_##schema] = {#name, schema, channel_##channel},
#include "pwrtrace/events.def"
#undef EVENT
};

static void write_metadata(FILE *file, unsigned schema)
{
	fputs(metadata_head, file);
	for (int channel = 0; channel < channel_count; channel++)
		fprintf(file, metadata_stream, channel, is_compact[channel] ? "compact" : "large");
	for (int id = 0; id < PWRTRACE_EV_COUNT; id++) {
		if (!has_event(schema, events[id].name, events[id].schema))
			continue;
		fprintf(file,
			"event {\n\tname = \"pwrtrace:%s\";\n\tid = %d;\n\tstream_id = %d;\n"
			"\tloglevel = 13;\n\tfields := struct {\n",
			events[id].name, id, events[id].channel);
		for (const struct field *field = fields_of[id]; field->name; field++)
			if (has_field(schema, events[id].name, field->name))
				fprintf(file, "\t\t%s _%s;\n", field->type,
					field_name(schema, field->name));
		fputs("\t};\n};\n\n", file);
	}
}

/* ---- packets ---- */

static void put(struct stream *stream, const void *bytes, size_t size)
{
	memcpy(stream->packet + stream->used, bytes, size);
	stream->used += size;
}

static void put_u32(struct stream *stream, uint32_t value)
{
	put(stream, &value, sizeof(value));
}

static void put_u64(struct stream *stream, uint64_t value)
{
	put(stream, &value, sizeof(value));
}

static void end_packet(struct ctf_writer *writer, struct stream *stream)
{
	size_t used = stream->used;

	stream->used = 0;
	put_u32(stream, CTF_MAGIC);
	put(stream, trace_uuid, sizeof(trace_uuid));
	put_u32(stream, stream->channel);
	put_u64(stream, stream->instance);
	put_u64(stream, stream->begin_ns);
	put_u64(stream, stream->end_ns);
	put_u64(stream, used * 8);
	put_u64(stream, writer->packet_bytes * 8);
	put_u64(stream, stream->packets++);
	put_u64(stream, stream->discarded);
	put_u32(stream, stream->instance);
	if (fwrite(stream->packet, writer->packet_bytes, 1, stream->file) != 1)
		writer->failed = true;
	stream->used = HEADER_BYTES + CONTEXT_BYTES;
}

/* Whether the time can be told by so many of its bits, as the next one that ends in them. */
static bool fits(const struct ctf_writer *writer, const struct stream *stream, unsigned bits)
{
	return writer->now_ns >= stream->end_ns && writer->now_ns - stream->end_ns < 1ull << bits;
}

static void put_event_header(struct ctf_writer *writer, struct stream *stream, uint32_t id)
{
	const uint16_t id_of_large = id, extended_of_large = 65535;
	const uint8_t extended_of_compact = 31;
	const bool compact = is_compact[stream->channel];

	if (compact && id < 31 && fits(writer, stream, 27)) {
		put_u32(stream, id | (uint32_t)writer->now_ns << 5);
	} else if (!compact && fits(writer, stream, 32)) {
		put(stream, &id_of_large, sizeof(id_of_large));
		put_u32(stream, (uint32_t)writer->now_ns);
	} else {
		if (compact)
			put(stream, &extended_of_compact, sizeof(extended_of_compact));
		else
			put(stream, &extended_of_large, sizeof(extended_of_large));
		put_u32(stream, id);
		put_u64(stream, writer->now_ns);
	}
}

static struct stream *begin_event(
	struct ctf_writer *writer, enum channel channel, uint32_t id, size_t size)
{
	unsigned index = channel == channel_flow ? writer->flow_stream : writer->flow_streams;
	struct stream *stream = &writer->streams[index];

	if (stream->used + EVENT_HEADER_BYTES_MAX + size > writer->packet_bytes)
		end_packet(writer, stream);
	if (stream->used == HEADER_BYTES + CONTEXT_BYTES)
		stream->begin_ns = stream->end_ns = writer->now_ns;
	put_event_header(writer, stream, id);
	stream->end_ns = writer->now_ns;
	return stream;
}

/* An event of a row: its size, and its bytes.  has_field is a constant but for the schema. */
#define SIZED(field, size_of_it)                                                                   \
	if (has_field(writer->schema, name, #field))                                               \
		size += size_of_it;
#define U32(field) SIZED(field, sizeof(event->field))
#define U64(field) SIZED(field, sizeof(event->field))
#define I32(field) SIZED(field, sizeof(event->field))
#define I64(field) SIZED(field, sizeof(event->field))
#define F64(field) SIZED(field, sizeof(event->field))
#define STR(field) SIZED(field, strlen(event->field) + 1)
#define EVENT(name_, channel, fields)                                                              \
	static size_t size_of_##name_(                                                             \
		const struct ctf_writer *writer, const struct pwrtrace_##name_ *event)             \
	{                                                                                          \
		const char *const name = #name_;                                                   \
		size_t size = 0;                                                                   \
                                                                                                   \
		fields return size;                                                                \
	}
#define OLD_EVENT(name, schema, channel, fields) EVENT(name##_##schema, channel, fields)
#include "pwrtrace/events.def"
#undef EVENT
#undef U32
#undef U64
#undef I32
#undef I64
#undef F64
#undef STR

#define PUT(field, from, size)                                                                     \
	if (has_field(writer->schema, name, #field))                                               \
		put(stream, from, size);
#define U32(field) PUT(field, &event->field, sizeof(event->field))
#define U64(field) PUT(field, &event->field, sizeof(event->field))
#define I32(field) PUT(field, &event->field, sizeof(event->field))
#define I64(field) PUT(field, &event->field, sizeof(event->field))
#define F64(field) PUT(field, &event->field, sizeof(event->field))
#define STR(field) PUT(field, event->field, strlen(event->field) + 1)
#define WRITE(id, name_, row_schema, channel, fields)                                              \
	void ctf_write_##id(struct ctf_writer *writer, const struct pwrtrace_##id *event)          \
	{                                                                                          \
		const char *const name = #name_;                                                   \
		struct stream *stream;                                                             \
                                                                                                   \
		if (!has_event(writer->schema, name, row_schema))                                  \
			return;                                                                    \
		stream = begin_event(                                                              \
			writer, channel_##channel, PWRTRACE_EV_##id, size_of_##id(writer, event)); \
		fields                                                                             \
	}
#define EVENT(name, channel, fields) WRITE(name, name, 0, channel, fields)
#define OLD_EVENT(name, schema, channel, fields)                                                   \
	WRITE(name##_##schema, name, schema, channel, fields)
#include "pwrtrace/events.def"
#undef EVENT

static FILE *open_in(const char *dir, const char *channel, int instance)
{
	char path[4096];

	if (instance < 0)
		snprintf(path, sizeof(path), "%s/%s", dir, channel);
	else
		snprintf(path, sizeof(path), "%s/%s_%d", dir, channel, instance);
	return fopen(path, "w");
}

struct ctf_writer *ctf_writer_open(
	const char *dir, unsigned flow_streams, size_t packet_bytes, unsigned schema)
{
	struct ctf_writer *writer = calloc(1, sizeof(*writer));
	FILE *metadata;

	if (mkdir(dir, 0777) || !(metadata = open_in(dir, "metadata", -1))) {
		free(writer);
		return NULL;
	}
	write_metadata(metadata, schema);
	writer->failed = fclose(metadata) != 0;
	writer->schema = schema;
	writer->packet_bytes = packet_bytes;
	writer->flow_streams = flow_streams;
	writer->streams = calloc(flow_streams + 1, sizeof(*writer->streams));
	for (unsigned i = 0; i <= flow_streams; i++) {
		struct stream *stream = &writer->streams[i];

		stream->channel = i < flow_streams ? channel_flow : channel_state;
		stream->instance = i < flow_streams ? i : 0;
		stream->file = open_in(dir, i < flow_streams ? "flow" : "state", stream->instance);
		stream->packet = calloc(1, packet_bytes);
		stream->used = HEADER_BYTES + CONTEXT_BYTES;
		if (!stream->file)
			abort();
	}
	return writer;
}

void ctf_writer_at(struct ctf_writer *writer, uint64_t time_ns, unsigned flow_stream)
{
	writer->now_ns = time_ns;
	writer->flow_stream = flow_stream;
}

void ctf_writer_discard(struct ctf_writer *writer, uint64_t count)
{
	struct stream *stream = &writer->streams[writer->flow_stream];

	end_packet(writer, stream);
	stream->discarded += count;
}

int ctf_writer_close(struct ctf_writer *writer)
{
	int status;

	for (unsigned i = 0; i <= writer->flow_streams; i++) {
		struct stream *stream = &writer->streams[i];

		if (stream->used > HEADER_BYTES + CONTEXT_BYTES)
			end_packet(writer, stream);
		if (fclose(stream->file))
			writer->failed = true;
		free(stream->packet);
	}
	status = writer->failed ? -1 : 0;
	free(writer->streams);
	free(writer);
	return status;
}
