/* SPDX-License-Identifier: MIT */
#include "analyzer/trace/decode.h"

#include <glib.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define MEMBERS_MAX 32

struct field {
	const char *name;
	enum pwrtrace_field_type type;
	size_t offset;
};

/* One list of fields per event, ended by a NULL name. */
#define U32(field) {#field, PWRTRACE_U32, 0},
#define U64(field) {#field, PWRTRACE_U64, 0},
#define I32(field) {#field, PWRTRACE_I32, 0},
#define I64(field) {#field, PWRTRACE_I64, 0},
#define F64(field) {#field, PWRTRACE_F64, 0},
#define STR(field) {#field, PWRTRACE_STR, 0},
#define EVENT(name, channel, list) static struct field fields_of_##name[] = {list{NULL, 0, 0}};
#define OLD_EVENT(name, schema, channel, list)                                                     \
	static struct field fields_of_##name##_##schema[] = {list{NULL, 0, 0}};
#include "pwrtrace/events.def"
#undef EVENT

static const struct {
	const char *name;
	struct field *fields;
} events[PWRTRACE_EV_COUNT] = {
#define EVENT(name, channel, fields) [PWRTRACE_EV_##name] = {"pwrtrace:" #name, fields_of_##name},
#define OLD_EVENT(name, schema, channel, fields)                                                   \
	[PWRTRACE_EV_##name##_##schema] = {"pwrtrace:" #name, fields_of_##name##_##schema},
#include "pwrtrace/events.def"
#undef EVENT
};

struct decoder {
	enum pwrtrace_event_id id;
	union decode_record unknown; /* a record of which every field is unknown */
	size_t count;
	struct {
		uint64_t member; /* index of the field in the event */
		enum pwrtrace_field_type type;
		bool is_signed;
		size_t offset; /* in the record */
	} steps[MEMBERS_MAX];  /* one for each field to copy */
};

/* Computes the offsets of fields.  events.h makes its structs from the same rows of events.def in
 * the same order, and each field is at the next multiple of its size. */
static void lay_out(struct field *fields)
{
	size_t offset = 0;

	for (; fields->name; fields++) {
		size_t size = fields->type == PWRTRACE_U32 || fields->type == PWRTRACE_I32 ? 4 : 8;

		offset = (offset + size - 1) / size * size;
		fields->offset = offset;
		offset += size;
	}
}

static void set_unknown(char *place, enum pwrtrace_field_type type)
{
	switch (type) {
	case PWRTRACE_U32:
		*(uint32_t *)place = PWRTRACE_UNKNOWN_U32;
		break;
	case PWRTRACE_U64:
		*(uint64_t *)place = PWRTRACE_UNKNOWN_U64;
		break;
	case PWRTRACE_I32:
		*(int32_t *)place = PWRTRACE_UNKNOWN_I32;
		break;
	case PWRTRACE_I64:
		*(int64_t *)place = 0;
		break;
	case PWRTRACE_F64:
		*(double *)place = NAN;
		break;
	case PWRTRACE_STR:
		*(const char **)place = "";
		break;
	}
}

static bool fits(enum pwrtrace_field_type type, bt_field_class_type class)
{
	switch (type) {
	case PWRTRACE_STR:
		return class == BT_FIELD_CLASS_TYPE_STRING;
	case PWRTRACE_F64:
		return class == BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL;
	default:
		return bt_field_class_type_is(class, BT_FIELD_CLASS_TYPE_INTEGER);
	}
}

/* The member of an event that is a field of ours, or NULL; *index: its index.  Schema 1 calls the
 * field process pid. */
static const bt_field_class *member_of(
	const bt_field_class *payload, const struct field *field, uint64_t *index)
{
	const char *names[] = {field->name, strcmp(field->name, "process") == 0 ? "pid" : NULL};

	for (size_t i = 0; i < G_N_ELEMENTS(names) && names[i]; i++) {
		for (*index = 0; *index < bt_field_class_structure_get_member_count(payload);
			++*index) {
			const bt_field_class_structure_member *member =
				bt_field_class_structure_borrow_member_by_index_const(
					payload, *index);
			const bt_field_class *class =
				bt_field_class_structure_member_borrow_field_class_const(member);

			if (strcmp(bt_field_class_structure_member_get_name(member), names[i]) ==
					0 &&
				fits(field->type, bt_field_class_get_type(class)))
				return class;
		}
	}
	return NULL;
}

static void add_step(struct decoder *decoder, const bt_field_class *payload,
	const struct field *field, bool wanted)
{
	const bt_field_class *class;
	uint64_t member;

	set_unknown((char *)&decoder->unknown + field->offset, field->type);
	if (!wanted || decoder->count == MEMBERS_MAX ||
		!(class = member_of(payload, field, &member)))
		return;
	decoder->steps[decoder->count].member = member;
	decoder->steps[decoder->count].type = field->type;
	decoder->steps[decoder->count].is_signed = bt_field_class_type_is(
		bt_field_class_get_type(class), BT_FIELD_CLASS_TYPE_SIGNED_INTEGER);
	decoder->steps[decoder->count++].offset = field->offset;
}

/* How many of a row's fields an event has. */
static guint fields_in(const bt_field_class *payload, int id)
{
	uint64_t member;
	guint count = 0;

	for (const struct field *field = events[id].fields; field->name; field++)
		count += member_of(payload, field, &member) != NULL;
	return count;
}

/* The row of an event: of those with its name, which are one for each schema that changed it, the
 * one with the most of its fields; PWRTRACE_EV_COUNT: none. */
static int row_of(const char *name, const bt_field_class *payload)
{
	int best = PWRTRACE_EV_COUNT;

	for (int id = 0; id < PWRTRACE_EV_COUNT; id++)
		if (strcmp(name, events[id].name) == 0 &&
			(best == PWRTRACE_EV_COUNT ||
				fields_in(payload, id) > fields_in(payload, best)))
			best = id;
	return best;
}

struct decoder *decode_prepare(const bt_event_class *class, const struct reader_sink *sink)
{
	const char *name = bt_event_class_get_name(class);
	const bt_field_class *payload = bt_event_class_borrow_payload_field_class_const(class);
	int id = name && payload ? row_of(name, payload) : PWRTRACE_EV_COUNT;
	struct decoder *decoder;

	if (id == PWRTRACE_EV_COUNT)
		return NULL;
	decoder = g_new0(struct decoder, 1);
	decoder->id = id;
	lay_out(events[id].fields);
	for (const struct field *field = events[id].fields; field->name; field++)
		add_step(decoder, payload, field, sink->wants(sink->data, id, field->name));
	return decoder;
}

enum pwrtrace_event_id decode_event(
	const struct decoder *decoder, const bt_event *event, union decode_record *record)
{
	const bt_field *payload = bt_event_borrow_payload_field_const(event);

	*record = decoder->unknown;
	for (size_t i = 0; i < decoder->count; i++) {
		const bt_field *field = bt_field_structure_borrow_member_field_by_index_const(
			payload, decoder->steps[i].member);
		char *place = (char *)record + decoder->steps[i].offset;
		uint64_t value;

		switch (decoder->steps[i].type) {
		case PWRTRACE_STR:
			/* babeltrace 2.0.4 returns, for an empty string, the previous value of the
			 * field. */
			*(const char **)place = bt_field_string_get_length(field)
							? bt_field_string_get_value(field)
							: "";
			continue;
		case PWRTRACE_F64:
			*(double *)place = bt_field_real_double_precision_get_value(field);
			continue;
		default:
			break;
		}
		value = decoder->steps[i].is_signed
				? (uint64_t)bt_field_integer_signed_get_value(field)
				: bt_field_integer_unsigned_get_value(field);
		if (decoder->steps[i].type == PWRTRACE_U32 ||
			decoder->steps[i].type == PWRTRACE_I32)
			*(uint32_t *)place = (uint32_t)value;
		else
			*(uint64_t *)place = value;
	}
	return decoder->id;
}
