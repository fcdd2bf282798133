/* SPDX-License-Identifier: MIT */
#include "analyzer/trace/metadata.h"

#include <string.h>

#include "analyzer/trace/tokens.h"

/* ---- the text ---- */

/* The header of a metadata packet, in the byte order of the writer. */
struct metadata_head {
	uint32_t magic;
	uint8_t uuid[16];
	uint32_t checksum;
	uint32_t content_bits; /* with the head */
	uint32_t packet_bits;
	uint8_t schemes_and_version[5]; /* compression, encryption, checksum; 0: none */
} __attribute__((packed));

#define METADATA_MAGIC 0x75D11D57

static bool is_usual(const struct metadata_head *head, const struct metadata_head *first)
{
	static const uint8_t usual[sizeof(head->schemes_and_version)] = {0, 0, 0, 1, 8};

	return head->magic == METADATA_MAGIC &&
	       memcmp(head->uuid, first->uuid, sizeof(head->uuid)) == 0 &&
	       memcmp(head->schemes_and_version, usual, sizeof(usual)) == 0 &&
	       head->content_bits % 8 == 0 && head->packet_bits % 8 == 0;
}

/* Takes the packet at the beginning of bytes, and returns its size; 0 where its content is cut off,
 * in which case libbabeltrace2 would wait for the rest for ever. */
static gsize take_packet(const char *bytes, gsize size, struct metadata_head *head, GString *text)
{
	gsize content, packet;

	if (size < sizeof(*head))
		return 0;
	memcpy(head, bytes, sizeof(*head));
	content = head->content_bits;
	packet = head->packet_bits;
	if (head->magic == GUINT32_SWAP_LE_BE(METADATA_MAGIC)) {
		content = GUINT32_SWAP_LE_BE(head->content_bits);
		packet = GUINT32_SWAP_LE_BE(head->packet_bits);
	}
	content /= 8;
	packet /= 8;
	if (content < sizeof(*head) || content > MIN(size, packet))
		return 0;
	g_string_append_len(text, bytes + sizeof(*head), content - sizeof(*head));
	return MIN(size, packet);
}

static enum metadata_state take_packets(const char *bytes, gsize size, GString *text)
{
	struct metadata_head first, head;
	bool usual = true;

	for (gsize at = 0, packet; at < size; at += packet) {
		packet = take_packet(bytes + at, size - at, at ? &head : &first, text);
		if (!packet)
			return METADATA_TORN;
		usual &= is_usual(at ? &head : &first, &first);
	}
	return usual ? METADATA_WHOLE : METADATA_UNUSUAL;
}

enum metadata_state metadata_text_read(const char *directory, GString *text)
{
	char *path = g_build_filename(directory, "metadata", NULL), *bytes = NULL;
	gsize size = 0;
	uint32_t magic = 0;
	enum metadata_state state = METADATA_WHOLE;

	if (!g_file_get_contents(path, &bytes, &size, NULL))
		state = METADATA_UNUSUAL;
	if (size >= sizeof(magic))
		memcpy(&magic, bytes, sizeof(magic));
	if (magic == METADATA_MAGIC || magic == GUINT32_SWAP_LE_BE(METADATA_MAGIC))
		state = take_packets(bytes, size, text);
	else if (bytes)
		g_string_append_len(text, bytes, size);
	g_free(bytes);
	g_free(path);
	return state == METADATA_WHOLE && strlen(text->str) != text->len ? METADATA_UNUSUAL : state;
}

/* ---- what it says ---- */

/* LTTng never gives so many ids; more would cost memory for nothing. */
#define EVENT_IDS_MAX 65535
#define STREAM_CLASSES_MAX 64

static const char before_uuid[] =
	"typealias integer { size = 8; align = 8; signed = false; } := uint8_t;"
	"typealias integer { size = 16; align = 8; signed = false; } := uint16_t;"
	"typealias integer { size = 32; align = 8; signed = false; } := uint32_t;"
	"typealias integer { size = 64; align = 8; signed = false; } := uint64_t;"
	"typealias integer { size = 64; align = 8; signed = false; } := unsigned long;"
	"typealias integer { size = 5; align = 1; signed = false; } := uint5_t;"
	"typealias integer { size = 27; align = 1; signed = false; } := uint27_t;"
	"trace { major = 1; minor = 8; uuid = %s;";

static const char after_uuid[] =
	"byte_order = le; packet.header := struct { uint32_t magic; uint8_t uuid[16];"
	"uint32_t stream_id; uint64_t stream_instance_id; }; };";

static const char after_clock[] =
	"typealias integer { size = 27; align = 1; signed = false; map = clock.monotonic.value; }"
	":= uint27_clock_monotonic_t;"
	"typealias integer { size = 32; align = 8; signed = false; map = clock.monotonic.value; }"
	":= uint32_clock_monotonic_t;"
	"typealias integer { size = 64; align = 8; signed = false; map = clock.monotonic.value; }"
	":= uint64_clock_monotonic_t;"
	"struct packet_context { uint64_clock_monotonic_t timestamp_begin;"
	"uint64_clock_monotonic_t timestamp_end; uint64_t content_size; uint64_t packet_size;"
	"uint64_t packet_seq_num; unsigned long events_discarded; uint32_t cpu_id; };"
	"struct event_header_compact {"
	"enum : uint5_t { compact = 0 ... 30, extended = 31 } id;"
	"variant <id> { struct { uint27_clock_monotonic_t timestamp; } compact;"
	"struct { uint32_t id; uint64_clock_monotonic_t timestamp; } extended; } v; } align(8);"
	"struct event_header_large {"
	"enum : uint16_t { compact = 0 ... 65534, extended = 65535 } id;"
	"variant <id> { struct { uint32_clock_monotonic_t timestamp; } compact;"
	"struct { uint32_t id; uint64_clock_monotonic_t timestamp; } extended; } v; } align(8);";

static bool take_uuid(struct token text, uint8_t *uuid)
{
	size_t digits = 0;

	if (text.length != 36)
		return false;
	for (size_t i = 0; i < text.length; i++) {
		bool hyphen = i == 8 || i == 13 || i == 18 || i == 23;
		int digit = g_ascii_xdigit_value(text.text[i]);

		if (hyphen ? text.text[i] != '-' : digit < 0)
			return false;
		if (hyphen)
			continue;
		uuid[digits / 2] = (uint8_t)(digits % 2 ? uuid[digits / 2] << 4 | digit : digit);
		digits++;
	}
	return true;
}

static bool take_environment(const char **text)
{
	struct token name, value;
	uint64_t number;

	if (!tokens_match(text, "env {"))
		return false;
	while (tokens_match(text, "%w = %s;", &name, &value) ||
		tokens_match(text, "%w = %u;", &name, &number))
		;
	return tokens_match(text, "};");
}

static bool take_clock(const char **text)
{
	struct token ignored;
	uint64_t offset;

	if (!tokens_match(text, "clock { name = \"monotonic\";"))
		return false;
	(void)tokens_match(text, "uuid = %s;", &ignored);
	return tokens_match(
		text, "description = %s; freq = 1000000000; offset = %u; };", &ignored, &offset);
}

static bool take_head(const char **text, struct metadata *metadata)
{
	struct token uuid;

	return g_str_has_prefix(*text, "/* CTF 1.8 */") && tokens_match(text, before_uuid, &uuid) &&
	       take_uuid(uuid, metadata->uuid) && tokens_match(text, after_uuid) &&
	       take_environment(text) && take_clock(text) && tokens_match(text, after_clock);
}

/* Returns the stream class with this id, which is made where there is none: an event may come
 * before the class of its stream. */
static struct stream_class *class_of(struct metadata *metadata, uint64_t id)
{
	struct stream_class *class = (struct stream_class *)metadata_class(metadata, id);

	if (class)
		return class;
	metadata->classes =
		g_renew(struct stream_class, metadata->classes, metadata->class_count + 1);
	class = &metadata->classes[metadata->class_count++];
	*class = (struct stream_class){.id = id};
	return class;
}

static bool take_stream(const char **text, uint64_t id, struct metadata *metadata)
{
	struct stream_class *class = class_of(metadata, id);

	if (class->defined)
		return false;
	class->defined = true;
	class->compact = tokens_match(text, "event.header := struct event_header_compact;");
	return (class->compact ||
		       tokens_match(text, "event.header := struct event_header_large;")) &&
	       tokens_match(text, "packet.context := struct packet_context; };");
}

/* Names of fields begin with an underscore in metadata, lest they are keywords. */
static char *name_of(struct token token)
{
	bool underscore = token.length > 1 && *token.text == '_';

	return g_strndup(token.text + underscore, token.length - underscore);
}

static bool is_integer(uint64_t bits, uint64_t is_signed, uint64_t base)
{
	return (bits == 8 || bits == 16 || bits == 32 || bits == 64) && is_signed <= 1 &&
	       (base == 10 || base == 16);
}

static bool take_field(const char **text, struct plan_field *field)
{
	static const char real[] = "floating_point { exp_dig = 11; mant_dig = 53; align = 8; } %w;";
	static const char integer[] =
		"integer { size = %u; align = 8; signed = %u; encoding = none; base = %u; } %w;";
	struct token name;
	uint64_t bits, is_signed, base;

	if (tokens_match(text, "string %w;", &name))
		*field = (struct plan_field){.kind = PLAN_TEXT};
	else if (tokens_match(text, real, &name))
		*field = (struct plan_field){.kind = PLAN_REAL, .bytes = 8};
	else if (tokens_match(text, integer, &bits, &is_signed, &base, &name) &&
		 is_integer(bits, is_signed, base))
		*field = (struct plan_field){
			.kind = is_signed ? PLAN_SIGNED : PLAN_UNSIGNED, .bytes = bits / 8};
	else
		return false;
	field->name = name_of(name);
	return true;
}

static bool is_twice(const struct plan_field *fields, size_t count)
{
	for (size_t i = 0; i + 1 < count; i++)
		if (strcmp(fields[i].name, fields[count - 1].name) == 0)
			return true;
	return false;
}

/* Takes the fields of an event into a new plan. */
static struct plan *take_fields(
	const char **text, struct token event, const struct reader_sink *sink)
{
	struct plan_field fields[PLAN_FIELDS_MAX];
	char *name = g_strndup(event.text, event.length);
	size_t count = 0;
	struct plan *plan = NULL;
	bool fine = true;

	while (fine && count < PLAN_FIELDS_MAX && take_field(text, &fields[count]))
		fine = !is_twice(fields, ++count);
	if (fine && count && tokens_match(text, "}; };"))
		plan = plan_make(name, fields, count, sink);
	for (size_t i = 0; i < count; i++)
		g_free((char *)fields[i].name);
	g_free(name);
	return plan;
}

static bool take_event(const char **text, struct token name, uint64_t id, struct metadata *metadata,
	const struct reader_sink *sink)
{
	struct stream_class *class;
	struct token uri;
	uint64_t stream_id, level;

	if (!tokens_match(text, "stream_id = %u;", &stream_id))
		return false;
	(void)tokens_match(text, "loglevel = %u;", &level);
	(void)tokens_match(text, "model.emf.uri = %s;", &uri);
	if (!tokens_match(text, "fields := struct {") || id >= EVENT_IDS_MAX ||
		memchr(name.text, '\\', name.length))
		return false;
	class = class_of(metadata, stream_id);
	if (id >= class->plan_count) {
		class->plans = g_renew(struct plan *, class->plans, id + 1);
		while (class->plan_count <= id)
			class->plans[class->plan_count++] = NULL;
	}
	if (class->plans[id])
		return false;
	class->plans[id] = take_fields(text, name, sink);
	return class->plans[id];
}

static bool take_blocks(
	const char **text, struct metadata *metadata, const struct reader_sink *sink)
{
	struct token name;
	uint64_t id;

	while (!tokens_end(*text) && metadata->class_count <= STREAM_CLASSES_MAX) {
		bool taken = false;

		if (tokens_match(text, "event { name = %s; id = %u;", &name, &id))
			taken = take_event(text, name, id, metadata, sink);
		else if (tokens_match(text, "stream { id = %u;", &id))
			taken = take_stream(text, id, metadata);
		if (!taken)
			return false;
	}
	for (size_t i = 0; i < metadata->class_count; i++)
		if (!metadata->classes[i].defined)
			return false;
	return tokens_end(*text);
}

static struct metadata *parse(const char *text, const struct reader_sink *sink)
{
	struct metadata *metadata = g_new0(struct metadata, 1);

	if (take_head(&text, metadata) && take_blocks(&text, metadata, sink))
		return metadata;
	metadata_free(metadata);
	return NULL;
}

struct metadata *metadata_read(const char *directory, const struct reader_sink *sink)
{
	GString *text = g_string_new(NULL);
	struct metadata *metadata = NULL;

	if (metadata_text_read(directory, text) == METADATA_WHOLE)
		metadata = parse(text->str, sink);
	g_string_free(text, TRUE);
	return metadata;
}

const struct stream_class *metadata_class(const struct metadata *metadata, uint64_t id)
{
	for (size_t i = 0; i < metadata->class_count; i++)
		if (metadata->classes[i].id == id)
			return &metadata->classes[i];
	return NULL;
}

void metadata_free(struct metadata *metadata)
{
	for (size_t i = 0; i < metadata->class_count; i++) {
		for (size_t id = 0; id < metadata->classes[i].plan_count; id++)
			g_free(metadata->classes[i].plans[id]);
		g_free(metadata->classes[i].plans);
	}
	g_free(metadata->classes);
	g_free(metadata);
}
