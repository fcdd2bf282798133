/* SPDX-License-Identifier: MIT */
/* Compares texts in CTF's metadata language (TSDL), token by token: layout and comments do not
 * matter. */
#ifndef PWRTRACE_TRACE_TOKENS_H
#define PWRTRACE_TRACE_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

/* A part of the text: the number of its characters, and the first of them. */
struct token {
	const char *text;
	size_t length;
};

/*
 * If what follows in *text (NUL-terminated) is as pattern says, moves *text behind it and returns
 * true; else leaves *text.  A pattern is TSDL in which stand
 *
 *   %u   for an unsigned decimal number: uint64_t *
 *   %s   for a string: struct token *, what is between its quotes
 *   %w   for a word: struct token *
 */
bool tokens_match(const char **text, const char *pattern, ...);

/* Whether nothing but space and comments follows in a text. */
bool tokens_end(const char *text);

#endif
