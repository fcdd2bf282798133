/* SPDX-License-Identifier: MIT */
#include "analyzer/view/content/filter.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "analyzer/view/content/column.h"

#define NESTING_MAX 100

enum operation { EQUAL, UNEQUAL, LESS, AT_MOST, MORE, AT_LEAST, MATCH, NO_MATCH, AND, OR, NOT };

struct filter {
	enum operation operation;
	struct filter *left, *right; /* of AND, OR; NOT has a left one */
	const struct column *column; /* else */
	double number;
	char *text;
	GRegex *regex;
};

/* Longer ones first. */
static const struct {
	const char *sign;
	enum operation operation;
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

struct parsing {
	const char *text, *at;
	unsigned nesting;
	char *why;
};

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
	struct parsing *parsing, const char *where, const char *format, ...)
{
	va_list args;
	char *what;

	if (parsing->why)
		return;
	va_start(args, format);
	what = g_strdup_vprintf(format, args);
	va_end(args);
	parsing->why = g_strdup_printf("--filter, character %ld: %s",
		g_utf8_pointer_to_offset(parsing->text, where) + 1, what);
	g_free(what);
}

static void skip_spaces(struct parsing *parsing)
{
	parsing->at += strspn(parsing->at, " \t\n");
}

static bool take(struct parsing *parsing, const char *sign)
{
	skip_spaces(parsing);
	if (strncmp(parsing->at, sign, strlen(sign)) != 0)
		return false;
	parsing->at += strlen(sign);
	return true;
}

static size_t word_length(const char *text)
{
	return strcspn(text, " \t\n&|()<>=!~\"'");
}

/* The next word, or what stands in quotes; NULL where there is none. */
static char *take_value(struct parsing *parsing)
{
	const char *begin, *end;
	char quote;

	skip_spaces(parsing);
	quote = *parsing->at;
	begin = parsing->at;
	if (quote != '"' && quote != '\'') {
		parsing->at += word_length(begin);
		if (parsing->at > begin)
			return g_strndup(begin, (gsize)(parsing->at - begin));
		refuse(parsing, begin, "a value is missing");
		return NULL;
	}
	end = strchr(++begin, quote);
	if (!end) {
		refuse(parsing, parsing->at, "the closing %c is missing", quote);
		return NULL;
	}
	parsing->at = end + 1;
	return g_strndup(begin, (gsize)(end - begin));
}

/* What a number's ending makes of it, as "m" or "mJ" of joules; 0 where it is none. */
static double factor_of(const char *ending, const char *unit)
{
	static const struct {
		const char *prefix;
		double factor;
	} prefixes[] = {{"", 1}, {"n", 1e-9}, {"u", 1e-6}, {"µ", 1e-6}, {"m", 1e-3}, {"k", 1e3},
		{"M", 1e6}, {"G", 1e9}};

	if (strcmp(ending, "%") == 0 && !*unit)
		return 0.01;
	for (size_t i = 0; i < G_N_ELEMENTS(prefixes); i++) {
		const char *rest = ending + strlen(prefixes[i].prefix);

		if (g_str_has_prefix(ending, prefixes[i].prefix) &&
			(!*rest || strcmp(rest, unit) == 0))
			return prefixes[i].factor;
	}
	return 0;
}

static bool set_number(
	struct parsing *parsing, struct filter *filter, const char *value, const char *where)
{
	const char *unit = filter->column->unit;
	char *ending;
	double number = g_ascii_strtod(value, &ending), factor = factor_of(ending, unit);

	filter->number = number * factor;
	if (ending != value && factor > 0 && isfinite(number))
		return true;
	refuse(parsing, where, "%s is a number%s%s, not \"%s\"", filter->column->name,
		*unit ? " of " : "", unit, value);
	return false;
}

static bool set_text(
	struct parsing *parsing, struct filter *filter, const char *value, const char *where)
{
	GError *error = NULL;

	filter->text = g_strdup(value);
	if (filter->operation != MATCH && filter->operation != NO_MATCH)
		return true;
	filter->regex = g_regex_new(value, G_REGEX_OPTIMIZE, 0, &error);
	if (filter->regex)
		return true;
	refuse(parsing, where, "%s", error->message);
	g_error_free(error);
	return false;
}

static bool take_operation(struct parsing *parsing, struct filter *filter)
{
	bool number = filter->column->number;
	const char *where;

	skip_spaces(parsing);
	where = parsing->at;
	for (size_t i = 0; i < G_N_ELEMENTS(signs); i++) {
		if (!take(parsing, signs[i].sign))
			continue;
		filter->operation = signs[i].operation;
		if (number ? filter->operation < MATCH
			   : filter->operation >= MATCH || filter->operation <= UNEQUAL)
			return true;
		refuse(parsing, where, "%s is a %s: compare it with %s", filter->column->name,
			number ? "number" : "text", number ? "== != < <= > >=" : "== != ~ !~");
		return false;
	}
	refuse(parsing, where, "expected %s after %s",
		number ? "== != < <= > or >=" : "== != ~ or !~", filter->column->name);
	return false;
}

static const struct column *take_column(struct parsing *parsing)
{
	const char *where = parsing->at;
	size_t length = word_length(where);
	const struct column *column = column_find(where, length);
	GString *names;

	parsing->at += length;
	if (column)
		return column;
	if (!length) {
		refuse(parsing, where, "expected a column, \"(\" or \"!\"");
		return NULL;
	}
	names = g_string_new(NULL);
	for (const struct column *known = columns; known->name; known++)
		g_string_append_printf(names, "%s%s", known == columns ? "" : ", ", known->name);
	refuse(parsing, where, "no column is called \"%.*s\"; there are %s", (int)length, where,
		names->str);
	g_string_free(names, TRUE);
	return NULL;
}

static struct filter *parse_comparison(struct parsing *parsing)
{
	struct filter *filter = g_new0(struct filter, 1);
	const char *where;
	char *value;
	bool fine;

	filter->column = take_column(parsing);
	if (!filter->column || !take_operation(parsing, filter)) {
		filter_free(filter);
		return NULL;
	}
	skip_spaces(parsing);
	where = parsing->at;
	value = take_value(parsing);
	fine = value && (filter->column->number ? set_number(parsing, filter, value, where)
						: set_text(parsing, filter, value, where));
	g_free(value);
	if (fine)
		return filter;
	filter_free(filter);
	return NULL;
}

static struct filter *parse_or(struct parsing *parsing);

/* Takes over both; returns NULL where either is NULL, but NOT has no right one. */
static struct filter *join(enum operation operation, struct filter *left, struct filter *right)
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

static struct filter *parse_term(struct parsing *parsing)
{
	struct filter *filter = NULL;

	skip_spaces(parsing);
	if (parsing->nesting++ > NESTING_MAX) {
		refuse(parsing, parsing->at, "nested too deeply");
	} else if (take(parsing, "!")) {
		filter = join(NOT, parse_term(parsing), NULL);
	} else if (take(parsing, "(")) {
		filter = parse_or(parsing);
		if (filter && !take(parsing, ")")) {
			refuse(parsing, parsing->at, "expected \")\", \"&&\" or \"||\"");
			filter_free(filter);
			filter = NULL;
		}
	} else {
		filter = parse_comparison(parsing);
	}
	parsing->nesting--;
	return filter;
}

static struct filter *parse_and(struct parsing *parsing)
{
	struct filter *filter = parse_term(parsing);

	while (filter && take(parsing, "&&"))
		filter = join(AND, filter, parse_term(parsing));
	return filter;
}

static struct filter *parse_or(struct parsing *parsing)
{
	struct filter *filter = parse_and(parsing);

	while (filter && take(parsing, "||"))
		filter = join(OR, filter, parse_and(parsing));
	return filter;
}

struct filter *filter_parse(const char *expression, char **why)
{
	struct parsing parsing = {.text = expression, .at = expression};
	struct filter *filter;

	if (!g_utf8_validate(expression, -1, NULL)) {
		*why = g_strdup("--filter is not UTF-8");
		return NULL;
	}
	filter = parse_or(&parsing);
	skip_spaces(&parsing);
	if (filter && *parsing.at) {
		refuse(&parsing, parsing.at, "expected \"&&\", \"||\" or the end");
		filter_free(filter);
		filter = NULL;
	}
	*why = parsing.why;
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
		return filter->column->number ? compare_numbers(filter, filter->column->number(of))
					      : compare_texts(filter, filter->column->text(of));
	}
}

bool filter_passes(
	const struct filter *filter, const struct ledger *ledger, const struct ledger_row *row)
{
	struct column_row of = column_row(ledger, row);

	return passes(filter, &of);
}
