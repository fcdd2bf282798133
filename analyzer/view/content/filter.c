/* SPDX-License-Identifier: MIT */
#include "analyzer/view/content/filter.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "analyzer/print/quantity.h"
#include "analyzer/view/content/column.h"

#define NESTING_MAX 100 /* parentheses: the parser is recursive */

enum filter_operation {
	EQUAL,
	UNEQUAL,
	LESS,
	AT_MOST,
	MORE,
	AT_LEAST,
	MATCH,
	NO_MATCH,
	AND,
	OR,
	NOT
};

struct filter {
	enum filter_operation operation;
	struct filter *left, *right; /* of AND, OR; NOT has a left one */
	const struct column *column; /* else */
	double number;
	char *text;
	GRegex *regex;
};

/* Longer ones first. */
static const struct {
	const char *sign;
	enum filter_operation operation;
} signs[] = {
	{"==", EQUAL},
	{"!=", UNEQUAL},
	{"!~", NO_MATCH},
	{"<=", AT_MOST},
	{">=", AT_LEAST},
	{"=", EQUAL},
	{"~", MATCH},
	{"<", LESS},
	{">", MORE},
};

/* An expression, and how far it is read. */
struct parser {
	const char *text, *at;
	unsigned nesting;
	char *why; /* what is wrong with it */
};

static bool is_number(const struct column *column)
{
	return column->type != COLUMN_TEXT;
}

void filter_free(struct filter *filter)
{
	if (!filter)
		return;
	filter_free(filter->left);
	filter_free(filter->right);
	if (filter->regex)
		g_regex_unref(filter->regex);
	g_free(filter->text);
	g_free(filter);
}

/* ---- parsing ---- */

/* Says, once, what is wrong and where. */
__attribute__((format(printf, 3, 4))) static void refuse(
	struct parser *parser, const char *where, const char *format, ...)
{
	va_list args;
	char *what;

	if (parser->why)
		return;
	va_start(args, format);
	what = g_strdup_vprintf(format, args);
	va_end(args);
	parser->why = g_strdup_printf("--filter, character %ld: %s",
		g_utf8_pointer_to_offset(parser->text, where) + 1, what);
	g_free(what);
}

static void skip_spaces(struct parser *parser)
{
	parser->at += strspn(parser->at, " \t\n");
}

static bool take(struct parser *parser, const char *sign)
{
	skip_spaces(parser);
	if (strncmp(parser->at, sign, strlen(sign)) != 0)
		return false;
	parser->at += strlen(sign);
	return true;
}

static size_t word_length(const char *text)
{
	return strcspn(text, " \t\n&|()<>=!~\"'");
}

/* The next word, or what stands in quotes; NULL where there is none. */
static char *take_value(struct parser *parser)
{
	const char *begin, *end;
	char quote;

	skip_spaces(parser);
	quote = *parser->at;
	begin = parser->at;
	if (quote != '"' && quote != '\'') {
		parser->at += word_length(begin);
		if (parser->at > begin)
			return g_strndup(begin, (gsize)(parser->at - begin));
		refuse(parser, begin, "a value is missing");
		return NULL;
	}
	end = strchr(++begin, quote);
	if (!end) {
		refuse(parser, parser->at, "the closing %c is missing", quote);
		return NULL;
	}
	parser->at = end + 1;
	return g_strndup(begin, (gsize)(end - begin));
}

static bool set_number(
	struct parser *parser, struct filter *filter, const char *value, const char *where)
{
	const char *unit = filter->column->unit;

	filter->number = quantity_parse(value, unit);
	if (isfinite(filter->number))
		return true;
	refuse(parser, where, "%s is a number%s%s, not \"%s\"", filter->column->name,
		*unit ? " of " : "", unit, value);
	return false;
}

static bool set_text(
	struct parser *parser, struct filter *filter, const char *value, const char *where)
{
	GError *error = NULL;

	filter->text = g_strdup(value);
	if (filter->operation != MATCH && filter->operation != NO_MATCH)
		return true;
	filter->regex = g_regex_new(value, G_REGEX_OPTIMIZE, 0, &error);
	if (filter->regex)
		return true;
	refuse(parser, where, "%s", error->message);
	g_error_free(error);
	return false;
}

static bool take_operation(struct parser *parser, struct filter *filter)
{
	bool number = is_number(filter->column);
	const char *where;

	skip_spaces(parser);
	where = parser->at;
	for (size_t i = 0; i < G_N_ELEMENTS(signs); i++) {
		if (!take(parser, signs[i].sign))
			continue;
		filter->operation = signs[i].operation;
		if (number ? filter->operation < MATCH
			   : filter->operation >= MATCH || filter->operation <= UNEQUAL)
			return true;
		refuse(parser, where, "%s is a %s: compare it with %s", filter->column->name,
			number ? "number" : "text", number ? "== != < <= > >=" : "== != ~ !~");
		return false;
	}
	refuse(parser, where, "expected %s after %s",
		number ? "== != < <= > or >=" : "== != ~ or !~", filter->column->name);
	return false;
}

static const struct column *take_column(struct parser *parser)
{
	const char *where = parser->at;
	size_t length = word_length(where);
	const struct column *column = column_find(where, length);
	GString *names;

	parser->at += length;
	if (column)
		return column;
	if (!length) {
		refuse(parser, where, "expected a column, \"(\" or \"!\"");
		return NULL;
	}
	names = g_string_new(NULL);
	for (size_t i = 0; column_name(i); i++)
		g_string_append_printf(names, "%s%s", i ? ", " : "", column_name(i));
	refuse(parser, where, "no column is called \"%.*s\"; there are %s", (int)length, where,
		names->str);
	g_string_free(names, TRUE);
	return NULL;
}

static struct filter *parse_comparison(struct parser *parser)
{
	struct filter *filter = g_new0(struct filter, 1);
	const char *where;
	char *value;
	bool fine;

	filter->column = take_column(parser);
	if (!filter->column || !take_operation(parser, filter)) {
		filter_free(filter);
		return NULL;
	}
	skip_spaces(parser);
	where = parser->at;
	value = take_value(parser);
	fine = value && (is_number(filter->column) ? set_number(parser, filter, value, where)
						   : set_text(parser, filter, value, where));
	g_free(value);
	if (fine)
		return filter;
	filter_free(filter);
	return NULL;
}

static struct filter *parse_or(struct parser *parser);

/* Takes over both; returns NULL where either is NULL, but NOT has no right one. */
static struct filter *join(
	enum filter_operation operation, struct filter *left, struct filter *right)
{
	struct filter *filter;

	if (!left || (!right && operation != NOT)) {
		filter_free(left);
		return NULL;
	}
	filter = g_new0(struct filter, 1);
	filter->operation = operation;
	filter->left = left;
	filter->right = right;
	return filter;
}

static struct filter *parse_term(struct parser *parser)
{
	struct filter *filter = NULL;

	skip_spaces(parser);
	if (parser->nesting++ > NESTING_MAX) {
		refuse(parser, parser->at, "nested too deeply");
	} else if (take(parser, "!")) {
		filter = join(NOT, parse_term(parser), NULL);
	} else if (take(parser, "(")) {
		filter = parse_or(parser);
		if (filter && !take(parser, ")")) {
			refuse(parser, parser->at, "expected \")\", \"&&\" or \"||\"");
			filter_free(filter);
			filter = NULL;
		}
	} else {
		filter = parse_comparison(parser);
	}
	parser->nesting--;
	return filter;
}

static struct filter *parse_and(struct parser *parser)
{
	struct filter *filter = parse_term(parser);

	while (filter && take(parser, "&&"))
		filter = join(AND, filter, parse_term(parser));
	return filter;
}

static struct filter *parse_or(struct parser *parser)
{
	struct filter *filter = parse_and(parser);

	while (filter && take(parser, "||"))
		filter = join(OR, filter, parse_and(parser));
	return filter;
}

struct filter *filter_parse(const char *expression, char **why)
{
	struct parser parser = {.text = expression, .at = expression};
	struct filter *filter;

	if (!g_utf8_validate(expression, -1, NULL)) {
		*why = g_strdup("--filter is not UTF-8");
		return NULL;
	}
	filter = parse_or(&parser);
	skip_spaces(&parser);
	if (filter && *parser.at) {
		refuse(&parser, parser.at, "expected \"&&\", \"||\" or the end");
		filter_free(filter);
		filter = NULL;
	}
	*why = parser.why;
	return filter;
}

/* ---- passing ---- */

static bool compare_numbers(const struct filter *filter, double value)
{
	double difference = value - filter->number;

	switch (filter->operation) {
	case EQUAL:
		return difference <= 0 && difference >= 0;
	case UNEQUAL:
		return difference < 0 || difference > 0;
	case LESS:
		return difference < 0;
	case AT_MOST:
		return difference <= 0;
	case MORE:
		return difference > 0;
	default:
		return difference >= 0;
	}
}

static bool compare_texts(const struct filter *filter, const char *value)
{
	switch (filter->operation) {
	case EQUAL:
		return strcmp(value, filter->text) == 0;
	case UNEQUAL:
		return strcmp(value, filter->text) != 0;
	case MATCH:
		return g_regex_match(filter->regex, value, 0, NULL);
	default:
		return !g_regex_match(filter->regex, value, 0, NULL);
	}
}

static bool passes(const struct filter *filter, const struct column_row *of)
{
	switch (filter->operation) {
	case AND:
		return passes(filter->left, of) && passes(filter->right, of);
	case OR:
		return passes(filter->left, of) || passes(filter->right, of);
	case NOT:
		return !passes(filter->left, of);
	default:
		return is_number(filter->column)
			       ? compare_numbers(filter, column_number(filter->column, of))
			       : compare_texts(filter, column_text(filter->column, of));
	}
}

bool filter_passes(
	const struct filter *filter, const struct ledger *ledger, const struct ledger_row *row)
{
	struct column_row of = column_row(ledger, NULL, row);

	return passes(filter, &of);
}
