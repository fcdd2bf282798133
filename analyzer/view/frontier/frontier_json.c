/* SPDX-License-Identifier: MIT */
#include "analyzer/view/frontier/frontier_view.h"
#include "analyzer/view/json/json_head.h"
#include "analyzer/view/json/json_put.h"

#define DIGITS 12

static void put_value(FILE *out, const char *key, double value)
{
	put_key(out, key);
	put_digits(out, value, DIGITS);
	fputc(',', out);
}

static void put_tags(FILE *out, const GArray *tags)
{
	put_key(out, "tags");
	fputc('{', out);
	for (guint i = 0; i < tags->len; i++) {
		const struct frontier_tag *tag = &g_array_index(tags, struct frontier_tag, i);

		fputs(i ? "," : "", out);
		put_string(out, tag->key);
		fputc(':', out);
		put_string(out, tag->value);
	}
	fputs("},", out);
}

static void put_point(FILE *out, const struct frontier_point *point)
{
	fputc('{', out);
	put_text(out, "trace", point->name);
	if (*point->group)
		put_text(out, "of", point->group);
	put_tags(out, point->tags);
	put_value(out, "time_s", point->time_s);
	put_value(out, "ci95_s", point->ci95_s);
	put_value(out, "energy_j", point->energy_j);
	put_value(out, "ci95_j", point->ci95_j);
	put_truth(out, "modelled", point->modelled);
	put_truth(out, "frontier", point->frontier);
	put_truth(out, "maybe", point->maybe);
	fprintf(out, "\"chosen\":%s}", point->chosen ? "true" : "false");
}

/* The members of each command that are of a trace, of all traces. */
static void put_head(FILE *out, const struct frontier_view *view)
{
	if (view->ledgers->len)
		json_put_head(out, "pwrtrace-frontier/1", g_ptr_array_index(view->ledgers, 0));
	else
		fputs("{\"schema\":\"pwrtrace-frontier/1\",\"trace\":[],\"method\":null,"
		      "\"estimated\":false,\"tags\":{},\"coverage\":null,\n ",
			out);
	fputs("\"runs\":[", out);
	for (guint i = 0; i < view->ledgers->len; i++) {
		const struct ledger *ledger = g_ptr_array_index(view->ledgers, i);

		fputs(i ? ",\n  {" : "\n  {", out);
		json_put_traces(out, "trace", ledger->model);
		json_put_tags(out, ledger->model);
		json_put_coverage(out, ledger);
		fprintf(out, "\"estimated\":%s}", ledger->estimated ? "true" : "false");
	}
	fputs("],\n ", out);
	put_text(out, "per", view->per);
}

void frontier_put_json(FILE *out, const void *result)
{
	const struct frontier_view *view = result;
	const char *chosen = NULL;
	guint count = 0;

	put_head(out, view);
	fputs("\"points\":[", out);
	for (guint i = 0; i < view->points->len; i++) {
		const struct frontier_point *point = frontier_at(view->points, i);

		fputs(i ? ",\n  " : "\n  ", out);
		put_point(out, point);
		count += point->chosen;
		chosen = point->chosen ? point->name : chosen;
	}
	fputs("],\n \"chosen\":", out);
	/* Of several groups, each has its own. */
	put_string(out, count == 1 ? chosen : NULL);
	fputs("}\n", out);
}
