/* SPDX-License-Identifier: MIT */
/* Files of lines that begin with a kind of name and a pattern with * and ? for it, as
 * "kernel *softmax*"; what follows is up to the reader.  Empty lines, and those that begin with #,
 * say nothing. */
#ifndef PWRTRACE_PATTERN_FILE_H
#define PWRTRACE_PATTERN_FILE_H

#include <stdbool.h>

/* Takes a line without blanks around it.  Returns NULL, or what is wrong with it, to be read after
 * what a line is called. */
typedef const char *pattern_file_taker(void *data, char *line);

/* Hands each line of a file to a taker.  called: what the file and what a line is called, as "the
 * rules" and "the rule".  Returns false after an error message. */
struct pattern_file_words {
	const char *file, *line;
};
bool pattern_file_read(
	const char *path, struct pattern_file_words called, pattern_file_taker *taker, void *data);

/* Cuts a word, or text in double quotes, off the beginning of the text; NULL where there is none.
 */
char *pattern_file_word(char **text);

#endif
