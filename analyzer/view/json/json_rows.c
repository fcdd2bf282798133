/* SPDX-License-Identifier: MIT */
#include "analyzer/view/json/json_rows.h"

#include "analyzer/view/content/column.h"
#include "analyzer/view/content/row_path.h"
#include "analyzer/view/content/shown_rows.h"
#include "analyzer/view/json/json_put.h"
#include "analyzer/view/json/json_replays.h"
#include "analyzer/view/json/json_work.h"

/* ---- members that are objects or arrays: each with a comma before it, or nothing ---- */

/* Only what is known of it. */
static void put_code_members(FILE *out, const struct model_code *code)
{
	const struct {
		const char *key;
		uint32_t value;
	} numbers[] = {
		{"registers", code->registers},
		{"scalar_registers", code->scalar_registers},
		{"accumulation_registers", code->accumulation_registers},
		{"shared_bytes", code->shared_bytes},
		{"scratch_bytes", code->scratch_bytes},
		{"kernarg_bytes", code->kernarg_bytes},
		{"wavefront_size", code->wavefront_size},
	};
	static const char begin[] = ",\"code\":{";
	const char *before = begin;

	for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++) {
		if (numbers[i].value == PWRTRACE_UNKNOWN_U32)
			continue;
		fprintf(out, "%s\"%s\":%u", before, numbers[i].key, numbers[i].value);
		before = ",";
	}
	if (*code->arguments) {
		fprintf(out, "%s\"arguments\":", before);
		put_string(out, code->arguments);
		before = ",";
	}
	if (before != begin)
		fputc('}', out);
}

static void put_code(FILE *out, const struct ledger *ledger, const struct ledger_row *row)
{
	(void)ledger;
	if (row->code)
		put_code_members(out, row->code);
}

static void put_iteration(FILE *out, const struct ledger *ledger, const struct ledger_row *row)
{
	if (!row->node || !ledger->iterations)
		return;
	fputs(",\"iteration\":{", out);
	json_put_steps(out, &row->node->steps);
	fputc('}', out);
}

static void put_path(FILE *out, const struct ledger *ledger, const struct ledger_row *row)
{
	GPtrArray *names;

	if (!row->layer && !row->call)
		return;
	names = row_path(ledger, row);
	fputs(",\"path\":[", out);
	for (guint i = 0; i < names->len; i++) {
		if (i)
			fputc(',', out);
		put_string(out, g_ptr_array_index(names, i));
	}
	fputc(']', out);
	g_ptr_array_free(names, TRUE);
}

static void put_replays(FILE *out, const struct ledger *ledger, const struct ledger_row *row)
{
	(void)ledger;
	if (row->replays.executions)
		json_put_row_replays(out, row);
}

/* Each with its position among the columns, which theirs leave free. */
static const struct {
	unsigned at;
	void (*put)(FILE *out, const struct ledger *ledger, const struct ledger_row *row);
} objects[] = {{22, put_code}, {35, put_iteration}, {36, put_path}, {37, put_replays}};

/* ---- rows ---- */

/* Writes before, and a column's key and value.  Returns whether the row has that column. */
static bool put_column(
	FILE *out, const char *before, const struct column *column, const struct column_row *of)
{
	const struct column_place *place = &column->places[COLUMN_IN_JSON];
	struct column_value value = column_value(column, of);

	if (value.state == VALUE_NONE && place->optional)
		return false;
	fputs(before, out);
	put_key(out, place->heading);
	if (value.state != VALUE_KNOWN)
		fputs("null", out);
	else if (column->type == COLUMN_TEXT)
		put_string(out, value.text);
	else
		column_put(out, column, COLUMN_IN_JSON, &value);
	return true;
}

static void put_row(FILE *out, const GPtrArray *columns, const struct column_row *of)
{
	const char *before = "{";
	size_t object = 0;

	for (guint i = 0; i < columns->len; i++) {
		const struct column *column = g_ptr_array_index(columns, i);
		unsigned at = column->places[COLUMN_IN_JSON].at;

		for (; object < G_N_ELEMENTS(objects) && (!at || objects[object].at < at); object++)
			objects[object].put(out, of->ledger, of->row);
		if (put_column(out, before, column, of))
			before = ",";
	}
	fputc('}', out);
}

void json_put_flat_row(FILE *out, const GPtrArray *columns, const struct column_row *of)
{
	for (guint i = 0; i < columns->len; i++)
		put_column(out, ",", g_ptr_array_index(columns, i), of);
}

void json_put_rows(FILE *out, const struct ledger *ledger, const struct view_options *options)
{
	GPtrArray *rows = shown_rows(ledger, options);
	GPtrArray *columns = columns_printed(COLUMN_IN_JSON, ledger, options);

	fputs("\"rows\":[", out);
	for (guint i = 0; i < rows->len; i++) {
		struct column_row of = column_row(ledger, options, g_ptr_array_index(rows, i));

		fputs(i ? ",\n  " : "\n  ", out);
		put_row(out, columns, &of);
	}
	fputc(']', out);
	g_ptr_array_free(columns, TRUE);
	g_ptr_array_free(rows, TRUE);
}
