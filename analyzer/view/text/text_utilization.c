/* SPDX-License-Identifier: MIT */
#include "analyzer/view/text/text_utilization.h"

#include "analyzer/view/content/shown_rows.h"

#define KNOWN 0.5 /* with a wider interval, of all that a part can do, nothing is known */

static const char *const headings[] = {
#define PART(word, domain, heading, ...) [PWRTRACE_PART_##word] = heading,
#include "pwrtrace/parts.def"
#undef PART
};

static void put_part(FILE *out, const struct ledger_utilization *of_part)
{
	if (!(of_part->ci95 < KNOWN))
		fputs("   unknown", out);
	else
		fprintf(out, "%5.0f ±%-3.*f", of_part->share * 100, of_part->ci95 < 0.0095 ? 1 : 0,
			of_part->ci95 * 100);
}

void text_put_utilization(FILE *out, const struct ledger *ledger, const struct text_names *names,
	const struct view_options *options)
{
	GPtrArray *rows = shown_rows(ledger, options);

	for (guint i = rows->len; i > 0; i--)
		if (!((const struct ledger_row *)g_ptr_array_index(rows, i - 1))->utilization)
			g_ptr_array_remove_index(rows, i - 1);
	if (rows->len) {
		fputs("\nUtilization, in % of all that a part can do\n", out);
		for (int part = 0; part < PWRTRACE_PARTS; part++)
			fprintf(out, "%10s", headings[part]);
		fprintf(out, "  %s\n", ledger->by);
	}
	for (guint i = 0; i < rows->len; i++) {
		const struct ledger_row *row = g_ptr_array_index(rows, i);

		for (int part = 0; part < PWRTRACE_PARTS; part++)
			put_part(out, &row->utilization[part]);
		fputs("  ", out);
		text_put_name(out, names, row);
		fputc('\n', out);
	}
	g_ptr_array_free(rows, TRUE);
}
