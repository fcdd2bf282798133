/* SPDX-License-Identifier: MIT */
#include "analyzer/trace/decode.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

struct step {
	uint64_t member; /* index of the field in the event */
	enum pwrtrace_field_type type;
	bool is_signed;
	size_t offset; /* in the record */
};

struct decoder {
	enum pwrtrace_event_id id;
	union record unknown; /* a record of which every field is unknown */
	size_t count;
	struct step steps[]; /* one for each field to copy */
};

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

/* Adds a step that copies a member of the payload into a field, if its class fits. */
static void add_step(struct decoder *decoder, const bt_field_class *payload, uint64_t member,
	const struct row_field *field)
{
	bt_field_class_type class =
		bt_field_class_get_type(bt_field_class_structure_member_borrow_field_class_const(
			bt_field_class_structure_borrow_member_by_index_const(payload, member)));

	if (fits(field->type, class))
		decoder->steps[decoder->count++] = (struct step){.member = member,
			.type = field->type,
			.is_signed =
				bt_field_class_type_is(class, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER),
			.offset = field->offset};
}

struct decoder *decode_prepare(const bt_event_class *class, const struct reader_sink *sink)
{
	const char *name = bt_event_class_get_name(class);
	const bt_field_class *payload = bt_event_class_borrow_payload_field_class_const(class);
	uint64_t members = payload ? bt_field_class_structure_get_member_count(payload) : 0;
	const char **names = g_new(const char *, members);
	const struct row *row;
	struct decoder *decoder = NULL;

	for (uint64_t i = 0; i < members; i++)
		names[i] = bt_field_class_structure_member_get_name(
			bt_field_class_structure_borrow_member_by_index_const(payload, i));
	row = name && payload ? row_choose(name, names, members) : NULL;
	if (row) {
		decoder = g_malloc0(sizeof(*decoder) + row->field_count * sizeof(*decoder->steps));
		decoder->id = row->id;
		row_set_unknown(row, &decoder->unknown);
	}
	for (size_t i = 0; row && i < row->field_count; i++) {
		const struct row_field *field = &row->fields[i];
		size_t member = row_source(field, names, members);

		if (member < members && sink->wants(sink->data, row->id, field->name))
			add_step(decoder, payload, member, field);
	}
	g_free(names);
	return decoder;
}

enum pwrtrace_event_id decode_event(
	const struct decoder *decoder, const bt_event *event, union record *record)
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
