/* SPDX-License-Identifier: MIT */
#include "analyzer/trace/tokens.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS "0123456789"
#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"

static const char *skip_space(const char *text)
{
	for (;;) {
		const char *end;

		text += strspn(text, " \t\r\n");
		if (strncmp(text, "/*", 2) != 0)
			return text;
		end = strstr(text + 2, "*/");
		if (!end)
			return text;
		text = end + 2;
	}
}

/* The characters of a string with its quotes; 0 where it does not end. */
static size_t string_length(const char *text)
{
	size_t length = 1;

	while (text[length] && text[length] != '"')
		length += text[length] == '\\' && text[length + 1] ? 2 : 1;
	return text[length] ? length + 1 : 0;
}

/* Takes the next token, which is empty at the end of the text. */
static struct token next_token(const char **text)
{
	struct token token = {.text = skip_space(*text)};

	if (*token.text == '"')
		token.length = string_length(token.text);
	else if (*token.text && strchr(LETTERS DIGITS, *token.text))
		token.length = strspn(token.text, LETTERS DIGITS);
	else if (strncmp(token.text, "...", 3) == 0)
		token.length = 3;
	else
		token.length = *token.text ? 1 : 0;
	*text = token.text + token.length;
	return token;
}

static bool is_same(struct token a, struct token b)
{
	return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

static bool take_number(struct token token, uint64_t *number)
{
	if (!token.length || strspn(token.text, DIGITS) != token.length ||
		(*token.text == '0' && token.length > 1)) /* it would be octal */
		return false;
	errno = 0;
	*number = strtoull(token.text, NULL, 10);
	return errno == 0;
}

static bool take_string(struct token token, struct token *string)
{
	if (!token.length || *token.text != '"')
		return false;
	*string = (struct token){token.text + 1, token.length - 2};
	return true;
}

static bool take_word(struct token token, struct token *word)
{
	*word = token;
	return token.length && strchr(LETTERS, *token.text);
}

static bool match(const char **text, const char *pattern, va_list results)
{
	for (;;) {
		struct token expected = next_token(&pattern), token = next_token(text);
		bool fits;

		if (!expected.length) {
			*text = token.text;
			return true;
		}
		if (*expected.text != '%') {
			fits = is_same(token, expected);
		} else {
			expected = next_token(&pattern);
			if (*expected.text == 'u')
				fits = take_number(token, va_arg(results, uint64_t *));
			else if (*expected.text == 's')
				fits = take_string(token, va_arg(results, struct token *));
			else
				fits = take_word(token, va_arg(results, struct token *));
		}
		if (!fits)
			return false;
	}
}

bool tokens_match(const char **text, const char *pattern, ...)
{
	const char *begin = *text;
	va_list results;
	bool matched;

	va_start(results, pattern);
	matched = match(text, pattern, results);
	va_end(results);
	if (!matched)
		*text = begin;
	return matched;
}

bool tokens_end(const char *text)
{
	return !*skip_space(text);
}
