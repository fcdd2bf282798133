/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "analyzer/view/compare/compare_view.h"
#include "analyzer/view/json/json_head.h"
#include "analyzer/view/json/json_put.h"

#define DIGITS 12

/* Writes a member after which another one comes, or the object's end. */
static void put_value(FILE *out, const char *key, double value, const char *end)
{
	put_key(out, key);
	put_digits(out, value, DIGITS);
	fputs(end, out);
}

static void put_side(FILE *out, const struct comparison_row *row, enum side side)
{
	const struct figures *figures = &row->figures[side];

	put_key(out, side_names[side]);
	if (!row->there[side]) {
		fputs("null,", out);
		return;
	}
	fputc('{', out);
	put_value(out, "count", row->count[side], ",");
	for (enum figure figure = 0; figure < FIGURES; figure++)
		put_value(out, figure_about[figure].key, figures->value[figure], ",");
	put_value(out, "throttled", figures->throttled, ",\"ci95\":{");
	for (enum figure figure = 0; figure < FIGURES; figure++)
		put_value(out, figure_about[figure].key,
			figures->value[figure] * figures->part95[figure],
			figure + 1 < FIGURES ? "," : "}},\n    ");
}

static void put_changes(FILE *out, const struct comparison_row *row, const char *key, size_t offset)
{
	put_key(out, key);
	fputc('{', out);
	for (enum figure figure = 0; figure < FIGURES; figure++)
		put_value(out, figure_about[figure].name,
			*(const double *)(const void *)((const char *)&row->change[figure] +
							offset),
			figure + 1 < FIGURES ? "," : "},\n    ");
}

static void put_significant(FILE *out, const struct comparison_row *row)
{
	put_key(out, "significant");
	for (enum figure figure = 0; figure < FIGURES; figure++) {
		const struct change *change = &row->change[figure];

		fprintf(out, "%c\"%s\":%s", figure ? ',' : '{', figure_about[figure].name,
			isnan(change->p)      ? "null"
			: change->significant ? "true"
					      : "false");
	}
	fputc('}', out);
}

static void put_row(FILE *out, const struct comparison_row *row, const char *unit)
{
	fputc('{', out);
	put_text(out, "name", row->name);
	put_text(out, "by", row->by);
	if (unit)
		put_text(out, "unit", unit);
	put_truth(out, "modelled", row->modelled);
	fputs("\n    ", out);
	put_side(out, row, SIDE_BASE);
	put_side(out, row, SIDE_OTHER);
	put_changes(out, row, "delta", offsetof(struct change, delta));
	put_changes(out, row, "ci95", offsetof(struct change, ci95));
	put_significant(out, row);
	fputc('}', out);
}

static void put_condition(FILE *out, const struct condition *condition)
{
	fputc('{', out);
	put_text(out, "name", condition->name);
	for (enum side side = 0; side < SIDES; side++) {
		if (!condition->text[side])
			put_value(out, side_names[side], condition->value[side], ",");
		else
			put_text(out, side_names[side], condition->text[side]);
	}
	fprintf(out, "\"agree\":%s}", condition->agree ? "true" : "false");
}

static void put_runs(FILE *out, const struct comparison *comparison)
{
	const char *before = "\"runs\":[\n  {";

	for (enum side side = 0; side < SIDES; side++) {
		for (guint i = 0; i < comparison->runs[side]->len; i++) {
			const struct compare_run *run =
				g_ptr_array_index(comparison->runs[side], i);

			fputs(before, out);
			before = "},\n  {";
			json_put_traces(out, "trace", run->kernels->model);
			json_put_tags(out, run->kernels->model);
			json_put_coverage(out, run->kernels);
			put_truth(out, "partly_measured", run->partly_measured);
			fprintf(out, "\"estimated\":%s,\"side\":\"%s\"",
				run->kernels->estimated ? "true" : "false", side_names[side]);
		}
	}
	fputs("}],\n ", out);
}

void compare_put_json(FILE *out, const void *data)
{
	const struct compare_result *result = data;
	const struct comparison *comparison = result->comparison;
	const struct compare_run *first = g_ptr_array_index(comparison->runs[SIDE_BASE], 0);
	const char *verdict = verdict_names[judge_change(&result->subject->change[result->figure])];

	json_put_head(out, "pwrtrace-compare/1", first->kernels);
	put_runs(out, comparison);
	fputs("\"conditions\":[", out);
	for (guint i = 0; i < comparison->conditions->len; i++) {
		fputs(i ? ",\n  " : "\n  ", out);
		put_condition(out, &g_array_index(comparison->conditions, struct condition, i));
	}
	fputs("],\n \"rows\":[", out);
	for (guint i = 0; i < comparison->rows->len; i++) {
		fputs(i ? ",\n  " : "\n  ", out);
		put_row(out, &g_array_index(comparison->rows, struct comparison_row, i), NULL);
	}
	fputs("],\n \"total\":", out);
	put_row(out, &comparison->total, comparison->unit ? comparison->unit : "run");
	fputs(",\n ", out);
	if (result->differs)
		put_text(out, "forced", result->differs);
	put_key(out, "verdict");
	put_string(out, verdict);
	fputs("}\n", out);
}
