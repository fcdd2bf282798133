/* SPDX-License-Identifier: MIT */
#include "analyzer/name/operations.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#include "analyzer/name/choose.h"
#include "analyzer/name/pattern_file.h"

struct operation_line {
	GPatternSpec *pattern;
	struct operation_counts counts;
};

struct operations {
	GArray *lines; /* struct operation_line */
};

static void clear_line(gpointer data)
{
	g_pattern_spec_free(((struct operation_line *)data)->pattern);
}

void operations_free(struct operations *operations)
{
	if (!operations)
		return;
	g_array_free(operations->lines, TRUE);
	g_free(operations);
}

/* The product of numbers with * between them; NaN where it is none, or negative. */
static double product_of(const char *text)
{
	double product = 1;
	char *end;

	for (; text; text = *end == '*' ? end + 1 : NULL) {
		product *= g_ascii_strtod(text, &end);
		if (end == text || (*end && *end != '*'))
			return NAN;
	}
	return isfinite(product) && product >= 0 ? product : NAN;
}

/* A pattern_file_taker. */
static const char *take_line(void *data, char *text)
{
	struct operations *operations = data;
	struct operation_line line = {0};
	const char *kind = pattern_file_word(&text), *pattern = pattern_file_word(&text);
	const char *count = pattern_file_word(&text), *bytes = pattern_file_word(&text);

	if (!kind || strcmp(kind, "kernel") != 0)
		return "does not begin with kernel";
	if (!pattern || !count || !bytes || *g_strstrip(text))
		return "is not a pattern, a number of operations and one of bytes";
	line.counts = (struct operation_counts){product_of(count), product_of(bytes)};
	if (isnan(line.counts.operations) || isnan(line.counts.bytes))
		return "has something that is no number, nor a product of some";
	line.pattern = g_pattern_spec_new(pattern);
	g_array_append_val(operations->lines, line);
	return NULL;
}

struct operations *operations_read(const char *path)
{
	struct operations *operations = g_new(struct operations, 1);

	operations->lines = g_array_new(FALSE, FALSE, sizeof(struct operation_line));
	g_array_set_clear_func(operations->lines, clear_line);
	if (pattern_file_read(path, (struct pattern_file_words){"the operations", "the line"},
		    take_line, operations))
		return operations;
	operations_free(operations);
	return NULL;
}

const struct operation_counts *operations_find(const struct operations *operations,
	const char *name, const char *short_name, const char *shape)
{
	const struct operation_counts *found = NULL;
	char *shaped = choose_shaped(name, shape);

	for (guint i = 0; i < operations->lines->len && !found; i++) {
		const struct operation_line *line =
			&g_array_index(operations->lines, struct operation_line, i);

		if (g_pattern_spec_match_string(line->pattern, name) ||
			g_pattern_spec_match_string(line->pattern, short_name) ||
			g_pattern_spec_match_string(line->pattern, shaped))
			found = &line->counts;
	}
	g_free(shaped);
	return found;
}
