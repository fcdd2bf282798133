/* SPDX-License-Identifier: MIT */
#include "analyzer/ledger/kernel_names.h"

#include <string.h>

#include "analyzer/ledger/row_name.h"
#include "analyzer/name/kernel_label.h"
#include "analyzer/print/message.h"

#define LISTED_MAX 4 /* of kernels in a message, so that it stays a line */

/* ---- names ---- */

static void clear_row(struct ledger_row *row)
{
	g_free(row->name);
	g_free(row->short_name);
	g_free(row->shape);
}

/* The names that several shapes have (const char *): they are behind the label then. */
static GHashTable *find_ambiguous(const struct ledger_row *rows, guint count)
{
	GHashTable *shape_of = g_hash_table_new(g_str_hash, g_str_equal);
	GHashTable *ambiguous = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < count; i++) {
		const char *shape = rows[i].shape ? rows[i].shape : "";
		const char *known = g_hash_table_lookup(shape_of, rows[i].name);

		if (!known)
			g_hash_table_insert(shape_of, rows[i].name, (gpointer)shape);
		else if (strcmp(known, shape) != 0)
			g_hash_table_add(ambiguous, rows[i].name);
	}
	g_hash_table_destroy(shape_of);
	return ambiguous;
}

static void set_labels(struct kernel_names *names, const struct ledger_row *rows)
{
	GHashTable *ambiguous = find_ambiguous(rows, names->origins), *labels;
	GPtrArray *pairs = g_ptr_array_new();

	for (guint i = 0; i < names->origins; i++) {
		g_ptr_array_add(pairs, rows[i].name);
		g_ptr_array_add(pairs, rows[i].short_name);
	}
	labels = kernel_labels(pairs);
	for (guint i = 0; i < names->origins; i++) {
		const char *label = g_hash_table_lookup(labels, rows[i].name);
		char *whole = g_hash_table_contains(ambiguous, rows[i].name)
				      ? g_strdup_printf("%s [%s]", label, rows[i].shape)
				      : g_strdup(label);

		names->label[i] = g_string_chunk_insert_const(names->strings, whole);
		names->name[i] = g_string_chunk_insert_const(names->strings, rows[i].name);
		g_free(whole);
	}
	g_ptr_array_free(pairs, TRUE);
	g_hash_table_destroy(labels);
	g_hash_table_destroy(ambiguous);
}

struct kernel_names *kernel_names_of(const struct model *model)
{
	struct kernel_names *names = g_new(struct kernel_names, 1);
	guint count = model->origins->list->len;
	struct ledger_row *rows = g_new0(struct ledger_row, count + 1);

	*names = (struct kernel_names){.label = g_new(const char *, count + 1),
		.name = g_new(const char *, count + 1),
		.origins = count,
		.strings = g_string_chunk_new(4096)};
	for (guint i = 0; i < count; i++)
		row_name_kernel(model, &g_array_index(model->origins->list, struct model_origin, i),
			&rows[i]);
	set_labels(names, rows);
	for (guint i = 0; i < count; i++)
		clear_row(&rows[i]);
	g_free(rows);
	return names;
}

void kernel_names_free(struct kernel_names *names)
{
	if (!names)
		return;
	g_free(names->label);
	g_free(names->name);
	g_string_chunk_free(names->strings);
	g_free(names);
}

/* ---- what the user names ---- */

/* How a label may match what is wanted; a better match comes first. */
typedef bool match(const char *label, const char *name, const char *wanted);

static bool is_whole(const char *label, const char *name, const char *wanted)
{
	return strcmp(label, wanted) == 0 || strcmp(name, wanted) == 0;
}

/* A name of which there are several, told apart by shapes or by template arguments. */
static bool is_name(const char *label, const char *name, const char *wanted)
{
	size_t length = strlen(wanted);

	(void)name;
	return strncmp(label, wanted, length) == 0 && strchr(" <(", label[length]);
}

static bool is_part(const char *label, const char *name, const char *wanted)
{
	return strstr(label, wanted) || strstr(name, wanted);
}

/* The labels that match, each once. */
static GPtrArray *find(const struct kernel_names *names, match *matches, const char *wanted)
{
	GPtrArray *found = g_ptr_array_new();

	for (guint i = 0; i < names->origins; i++)
		if (matches(names->label[i], names->name[i], wanted) &&
			!g_ptr_array_find(found, names->label[i], NULL))
			g_ptr_array_add(found, (gpointer)names->label[i]);
	return found;
}

/* The least number of bytes to insert, delete or replace that make some part of a text of what is
 * wanted (Sellers, "The theory and computation of evolutionary distances", 1980). */
static size_t distance(const char *text, const char *wanted)
{
	size_t length = strlen(text), *row = g_new0(size_t, length + 1), least;

	for (size_t i = 1; wanted[i - 1]; i++) {
		size_t before = row[0];

		row[0] = i;
		for (size_t k = 1; k <= length; k++) {
			size_t replaced = before + (wanted[i - 1] != text[k - 1]);

			before = row[k];
			row[k] = MIN(MIN(row[k], row[k - 1]) + 1, replaced);
		}
	}
	least = row[0];
	for (size_t k = 1; k <= length; k++)
		least = MIN(least, row[k]);
	g_free(row);
	return least;
}

static void say_nearest(const struct kernel_names *names, const char *wanted)
{
	const char *nearest = NULL;
	size_t least = SIZE_MAX;

	for (guint i = 0; i < names->origins; i++) {
		size_t own = distance(names->label[i], wanted);

		if (own < least) {
			least = own;
			nearest = names->label[i];
		}
	}
	if (nearest)
		message_error("no kernel is called \"%s\"; the nearest is \"%s\"", wanted, nearest);
	else
		message_error("no kernel is called \"%s\"; nothing ran on a device", wanted);
}

static void say_several(const GPtrArray *found, const char *wanted)
{
	GString *list = g_string_new("");

	for (guint i = 0; i < found->len && i < LISTED_MAX; i++)
		g_string_append_printf(
			list, "%s\"%s\"", i ? ", " : "", (const char *)g_ptr_array_index(found, i));
	message_error("%u kernels are called \"%s\": %s%s; name one of them", found->len, wanted,
		list->str, found->len > LISTED_MAX ? " ..." : "");
	g_string_free(list, TRUE);
}

const char *kernel_names_pick(const struct kernel_names *names, const char *wanted)
{
	static match *const matches[] = {is_whole, is_name, is_part};
	const char *picked = NULL;
	guint count = 0;

	for (size_t i = 0; i < G_N_ELEMENTS(matches) && !count; i++) {
		GPtrArray *found = find(names, matches[i], wanted);

		count = found->len;
		picked = count == 1 ? g_ptr_array_index(found, 0) : NULL;
		if (count > 1)
			say_several(found, wanted);
		g_ptr_array_free(found, TRUE);
	}
	if (!count)
		say_nearest(names, wanted);
	return picked;
}
