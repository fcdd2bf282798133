/* SPDX-License-Identifier: MIT */
#include "analyzer/view/text/call_path.h"

#include "analyzer/print/text.h"
#include "analyzer/view/content/row_path.h"

#define OUTER_NAMES 2 /* of a path that is cut: enough to see where it begins */
#define INNER_NAMES 5 /* and who launches the kernel */

static guint equal_names(const GPtrArray *a, const GPtrArray *b, guint limit)
{
	guint i = 0;

	/* Equal names are one string. */
	while (i < limit && i < a->len && i < b->len &&
		g_ptr_array_index(a, i) == g_ptr_array_index(b, i))
		i++;
	return i;
}

static const struct ledger_row *row_at(const struct ledger *ledger, guint i)
{
	return MODEL_AT(ledger->rows, struct ledger_row, i);
}

/* The kernel is always shown, and who launches it. */
static guint callers(const GPtrArray *names)
{
	return names->len > 2 ? names->len - 2 : 0;
}

guint call_path_shared(const struct ledger *ledger)
{
	const struct ledger_row *first = row_at(ledger, 0);
	GPtrArray *names;
	guint shared;

	if (!first || !first->call)
		return 0;
	names = row_path(ledger, first);
	shared = callers(names);
	for (guint i = 1; i < ledger->rows->len; i++) {
		GPtrArray *others = row_path(ledger, row_at(ledger, i));

		shared = equal_names(names, others, MIN(shared, callers(others)));
		g_ptr_array_free(others, TRUE);
	}
	g_ptr_array_free(names, TRUE);
	return shared;
}

static void append(GString *text, const char *name)
{
	g_string_append_printf(text, "%s%s", text->len ? " > " : "", name);
}

char *call_path_text(const struct ledger *ledger, const struct ledger_row *row, guint shared)
{
	GPtrArray *names = row_path(ledger, row);
	GString *text = g_string_new(NULL);
	guint cut;

	cut = names->len - shared > OUTER_NAMES + INNER_NAMES + 1
		      ? names->len - shared - OUTER_NAMES - INNER_NAMES
		      : 0;
	for (guint i = shared; i < names->len; i++) {
		if (cut && i == shared + OUTER_NAMES) {
			g_string_append_printf(text, " > (%u more)", cut);
			i += cut;
		}
		append(text, g_ptr_array_index(names, i));
	}
	g_ptr_array_free(names, TRUE);
	return g_string_free(text, FALSE);
}

void call_path_put_shared(FILE *out, const struct ledger *ledger, guint shared)
{
	GPtrArray *names = row_path(ledger, row_at(ledger, 0));
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < shared; i++)
		append(text, g_ptr_array_index(names, i));
	text_put_line(out, "          (all of them below %s)", text->str);
	g_string_free(text, TRUE);
	g_ptr_array_free(names, TRUE);
}
