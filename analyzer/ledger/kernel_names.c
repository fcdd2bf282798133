/* SPDX-License-Identifier: MIT */
#include "analyzer/ledger/kernel_names.h"

#include "analyzer/ledger/row_label.h"
#include "analyzer/ledger/row_name.h"
#include "analyzer/ledger/rows.h"
#include "analyzer/name/choose.h"
#include "analyzer/print/message.h"

/* ---- names ---- */

static void set_names(struct kernel_names *names, struct ledger_row *rows)
{
	row_label_all(rows, names->origins, false);
	for (guint i = 0; i < names->origins; i++) {
		names->label[i] = g_string_chunk_insert_const(names->strings, rows[i].label);
		names->name[i] = g_string_chunk_insert_const(names->strings, rows[i].name);
		names->short_name[i] =
			g_string_chunk_insert_const(names->strings, rows[i].short_name);
	}
}

struct kernel_names *kernel_names_of(const struct model *model)
{
	struct kernel_names *names = g_new(struct kernel_names, 1);
	guint count = model->origins->list->len;
	struct ledger_row *rows = g_new0(struct ledger_row, count + 1);

	*names = (struct kernel_names){.label = g_new(const char *, count + 1),
		.name = g_new(const char *, count + 1),
		.short_name = g_new(const char *, count + 1),
		.origins = count,
		.strings = g_string_chunk_new(4096)};
	for (guint i = 0; i < count; i++)
		row_name_kernel(model, &g_array_index(model->origins->list, struct model_origin, i),
			&rows[i]);
	set_names(names, rows);
	for (guint i = 0; i < count; i++)
		rows_clear(&rows[i]);
	g_free(rows);
	return names;
}

void kernel_names_free(struct kernel_names *names)
{
	if (!names)
		return;
	g_free(names->label);
	g_free(names->name);
	g_free(names->short_name);
	g_string_chunk_free(names->strings);
	g_free(names);
}

/* ---- what the user names ---- */

const char *kernel_names_pick(const struct kernel_names *names, const char *wanted)
{
	GHashTable *seen = g_hash_table_new(NULL, NULL); /* labels are unique pointers */
	GArray *kernels = g_array_new(FALSE, FALSE, sizeof(struct choose_name));
	const char *picked = NULL;
	char *why = NULL;
	guint chosen;

	for (guint i = 0; i < names->origins; i++) {
		struct choose_name kernel = {names->label[i], names->name[i], names->short_name[i]};

		if (g_hash_table_add(seen, (gpointer)kernel.label))
			g_array_append_val(kernels, kernel);
	}
	chosen = choose_kernel((const struct choose_name *)(const void *)kernels->data,
		kernels->len, wanted, &why);
	if (chosen < kernels->len)
		picked = g_array_index(kernels, struct choose_name, chosen).label;
	else
		message_error("%s", why);
	g_free(why);
	g_array_free(kernels, TRUE);
	g_hash_table_destroy(seen);
	return picked;
}
