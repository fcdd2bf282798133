/* SPDX-License-Identifier: MIT */
#include "analyzer/view/text/text_name.h"

#include "analyzer/print/text.h"
#include "analyzer/view/text/call_path.h"

struct text_names {
	const struct ledger *ledger;
	guint shared; /* functions that all call paths begin with */
};

struct text_names *text_names_new(const struct ledger *ledger)
{
	struct text_names *names = g_new(struct text_names, 1);

	*names = (struct text_names){ledger, call_path_shared(ledger)};
	return names;
}

void text_names_free(struct text_names *names)
{
	g_free(names);
}

void text_put_names_end(FILE *out, const struct text_names *names)
{
	if (names->shared)
		call_path_put_shared(out, names->ledger, names->shared);
}

void text_put_name(FILE *out, const struct text_names *names, const struct ledger_row *row)
{
	char *path = row->call ? call_path_text(names->ledger, row, names->shared) : NULL;

	text_put(out, path ? path : row->label);
	g_free(path);
}
