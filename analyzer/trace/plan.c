/* SPDX-License-Identifier: MIT */
#include "analyzer/trace/plan.h"

#include <glib.h>
#include <string.h>

/* Two fields of a record may be one of the trace (row_source). */
#define STEPS_MAX (2 * PLAN_FIELDS_MAX)

/* What is done with a run of bytes that lie side by side in the packet and in the record, or with a
 * text. */
struct step {
	enum { COPY, PEEK, SKIP, POINT_TO_TEXT, SKIP_TEXT } action; /* PEEK: copy, and stay */
	uint32_t bytes;                                             /* of the run */
	uint32_t offset;                                            /* in the record */
};

struct plan {
	const struct row *row; /* NULL: not an event of pwrtrace's */
	size_t count;
	struct step steps[STEPS_MAX];
	union record record; /* fields that the trace lacks are unknown, and stay so */
};

static const struct plan_field of_type[] = {
	[PWRTRACE_U32] = {.kind = PLAN_UNSIGNED, .bytes = 4},
	[PWRTRACE_U64] = {.kind = PLAN_UNSIGNED, .bytes = 8},
	[PWRTRACE_I32] = {.kind = PLAN_SIGNED, .bytes = 4},
	[PWRTRACE_I64] = {.kind = PLAN_SIGNED, .bytes = 8},
	[PWRTRACE_F64] = {.kind = PLAN_REAL, .bytes = 8},
	[PWRTRACE_STR] = {.kind = PLAN_TEXT},
};

/* Adds a step, or lets the last one go on where it runs on. */
static void add_step(struct plan *plan, struct step step)
{
	struct step *last = plan->count ? &plan->steps[plan->count - 1] : NULL;
	bool runs_on = last && last->action == step.action &&
		       (step.action == SKIP ||
			       (step.action == COPY && last->offset + last->bytes == step.offset));

	if (runs_on)
		last->bytes += step.bytes;
	else
		plan->steps[plan->count++] = step;
}

/* Adds what is to be done with the field of this index.  Returns false where it has another type
 * than the record's. */
static bool add_field(struct plan *plan, const struct plan_field *field, const char *const *names,
	size_t count, size_t index, const struct reader_sink *sink)
{
	bool text = field->kind == PLAN_TEXT;
	struct step step = {.action = text ? SKIP_TEXT : SKIP, .bytes = (uint32_t)field->bytes};

	for (size_t i = 0; plan->row && i < plan->row->field_count; i++) {
		const struct row_field *to = &plan->row->fields[i];

		if (row_source(to, names, count) != index)
			continue;
		if (of_type[to->type].kind != field->kind ||
			of_type[to->type].bytes != field->bytes || step.action == POINT_TO_TEXT)
			return false;
		if (!sink->wants(sink->data, plan->row->id, to->name))
			continue;
		if (step.action == COPY) {
			step.action = PEEK;
			add_step(plan, step);
		}
		step.action = text ? POINT_TO_TEXT : COPY;
		step.offset = (uint32_t)to->offset;
	}
	add_step(plan, step);
	return true;
}

struct plan *plan_make(const char *event, const struct plan_field *fields, size_t count,
	const struct reader_sink *sink)
{
	struct plan *plan = g_new0(struct plan, 1);
	const char *names[PLAN_FIELDS_MAX];
	bool fits = true;

	for (size_t i = 0; i < count; i++)
		names[i] = fields[i].name;
	plan->row = row_choose(event, names, count);
	if (plan->row)
		row_set_unknown(plan->row, &plan->record);
	for (size_t i = 0; fits && i < count; i++)
		fits = add_field(plan, &fields[i], names, count, i, sink);
	if (fits)
		return plan;
	g_free(plan);
	return NULL;
}

const char *plan_take(struct plan *plan, const char *at, const char *limit)
{
	for (const struct step *step = plan->steps; step < plan->steps + plan->count; step++) {
		size_t left = (size_t)(limit - at);
		const char *end;

		switch (step->action) {
		case COPY:
		case PEEK:
			if (left < step->bytes)
				return NULL;
			memcpy((char *)&plan->record + step->offset, at, step->bytes);
			if (step->action == COPY)
				at += step->bytes;
			break;
		case SKIP:
			if (left < step->bytes)
				return NULL;
			at += step->bytes;
			break;
		case POINT_TO_TEXT:
		case SKIP_TEXT:
			end = memchr(at, 0, left);
			if (!end)
				return NULL;
			if (step->action == POINT_TO_TEXT)
				*(const char **)((char *)&plan->record + step->offset) = at;
			at = end + 1;
			break;
		}
	}
	return at;
}

void plan_hand_over(const struct plan *plan, unsigned trace, const struct reader_sink *sink)
{
	if (plan->row)
		sink->event(sink->data, trace, plan->row->id, &plan->record);
}
