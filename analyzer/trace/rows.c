/* SPDX-License-Identifier: MIT */
#include "analyzer/trace/rows.h"

#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* A function per event, in which `record` is the event's struct. */
#define U32(field) {#field, PWRTRACE_U32, offsetof(record, field)},
#define U64(field) {#field, PWRTRACE_U64, offsetof(record, field)},
#define I32(field) {#field, PWRTRACE_I32, offsetof(record, field)},
#define I64(field) {#field, PWRTRACE_I64, offsetof(record, field)},
#define F64(field) {#field, PWRTRACE_F64, offsetof(record, field)},
#define STR(field) {#field, PWRTRACE_STR, offsetof(record, field)},
#define ROW(id_, name, ...)                                                                        \
	static const struct row *row_for_##id_(void)                                               \
	{                                                                                          \
		typedef struct pwrtrace_##id_ record;                                              \
		static const struct row_field fields[] = {__VA_ARGS__};                            \
		static const struct row row = {                                                    \
			"pwrtrace:" #name, PWRTRACE_EV_##id_, COUNT(fields), fields};              \
                                                                                                   \
		return &row;                                                                       \
	}
#define EVENT(name, channel, list) ROW(name, name, list)
#define OLD_EVENT(name, schema, channel, list) ROW(name##_##schema, name, list)
#include "pwrtrace/events.def"
#undef EVENT

static const struct row *(*const rows[])(void) = {
#define EVENT(name, channel, list) [PWRTRACE_EV_##name] = row_for_##name,
#define OLD_EVENT(name, schema, channel, list)                                                     \
	[PWRTRACE_EV_##name##_##schema] = row_for_##name##_##schema,
#include "pwrtrace/events.def"
#undef EVENT
};

const struct row *row_choose(const char *event, const char *const *fields, size_t count)
{
	const struct row *best = NULL;
	size_t most = 0;

	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct row *row = rows[i]();
		size_t known = 0;

		if (strcmp(row->event, event) != 0)
			continue;
		for (size_t field = 0; field < row->field_count; field++)
			known += row_source(&row->fields[field], fields, count) < count;
		if (best && known <= most)
			continue;
		best = row;
		most = known;
	}
	return best;
}

const struct row *row_of(enum pwrtrace_event_id id)
{
	return rows[id]();
}

static size_t find(const char *name, const char *const *names, size_t count)
{
	size_t i = 0;

	while (i < count && strcmp(names[i], name) != 0)
		i++;
	return i;
}

size_t row_source(const struct row_field *field, const char *const *fields, size_t count)
{
	size_t source = find(field->name, fields, count);

	/* Schema 1 calls the field process pid. */
	return source == count && strcmp(field->name, "process") == 0 ? find("pid", fields, count)
								      : source;
}

void row_set_unknown(const struct row *row, union record *record)
{
	for (size_t i = 0; i < row->field_count; i++) {
		char *place = (char *)record + row->fields[i].offset;

		switch (row->fields[i].type) {
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
}
