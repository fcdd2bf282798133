/* SPDX-License-Identifier: MIT */
/*
 * A line for each row, each an object without objects and arrays in it, which any number of reports
 * can be joined of: every line says of which run, host and method it is.
 */
#include "analyzer/print/text.h"
#include "analyzer/view/content/format.h"
#include "analyzer/view/content/shown_rows.h"
#include "analyzer/view/json/json_put.h"
#include "analyzer/view/json/json_rows.h"

/* What several of which only one is as a rule are called: "a, b". */
static void add_name(GString *names, GHashTable *known, const char *name)
{
	if (!*name || !g_hash_table_add(known, (gpointer)name))
		return;
	g_string_append_printf(names, "%s%s", names->len ? ", " : "", name);
}

static char *runs_of(const struct model *model)
{
	GString *names = g_string_new(NULL);

	for (guint i = 0; i < model->directories->len; i++) {
		char *directory = text_valid(g_ptr_array_index(model->directories, i));

		g_string_append_printf(names, "%s%s", i ? ", " : "", directory);
		g_free(directory);
	}
	return g_string_free(names, FALSE);
}

static char *hosts_of(const struct model *model)
{
	GHashTable *known = g_hash_table_new(g_str_hash, g_str_equal);
	GString *names = g_string_new(NULL);

	for (guint i = 0; i < model->processes->len; i++)
		add_name(names, known,
			g_array_index(model->processes, struct model_process, i).host);
	for (guint i = 0; i < model->recordings->len; i++)
		add_name(names, known,
			g_array_index(model->recordings, struct model_recording, i).host);
	g_hash_table_destroy(known);
	return g_string_free(names, FALSE);
}

static void put_known(FILE *out, const char *key, const char *text)
{
	if (*text)
		put_text(out, key, text);
	else
		fprintf(out, "\"%s\":null,", key);
}

static void write_ndjson(FILE *out, const struct ledger *ledger, const struct view_options *options)
{
	GPtrArray *rows = shown_rows(ledger, options);
	GPtrArray *columns = columns_printed(COLUMN_IN_JSON, ledger, options);
	char *runs = runs_of(ledger->model), *hosts = hosts_of(ledger->model);

	for (guint i = 0; i < rows->len; i++) {
		struct column_row of = column_row(ledger, options, g_ptr_array_index(rows, i));

		fputc('{', out);
		put_known(out, "run", runs);
		put_known(out, "host", hosts);
		put_text(out, "method", ledger->method);
		fprintf(out, "\"estimated\":%s", ledger->estimated ? "true" : "false");
		json_put_flat_row(out, columns, &of);
		fputs("}\n", out);
	}
	g_free(hosts);
	g_free(runs);
	g_ptr_array_free(columns, TRUE);
	g_ptr_array_free(rows, TRUE);
}

const struct format format_ndjson = {
	.name = "ndjson",
	.help = "a flat JSON object on a line for each row, for DuckDB, pandas and Spark",
	.write = write_ndjson,
};
