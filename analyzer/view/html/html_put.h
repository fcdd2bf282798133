/* SPDX-License-Identifier: MIT */
/* Text for HTML.  Whatever a trace calls things, it stays text: markup and quotes are written as
 * references, control characters as escapes of C. */
#ifndef PWRTRACE_HTML_PUT_H
#define PWRTRACE_HTML_PUT_H

#include <stdio.h>

/* Writes valid UTF-8, as content or within a quoted attribute. */
void html_put_text(FILE *out, const char *text);

/* Writes a name: a long one cut in the middle, all of it (up to a limit) where a pointer rests. */
void html_put_name(FILE *out, const char *text, const char *whole);

/* Writes a bar as long as a value, and over its end the interval of half to both sides (negative:
 * none), where most, above 0, is as long as there is room. */
void html_put_bar(FILE *out, double value, double half, double most);

/* Text that a function writes to a file.  html_end_text returns it; g_free it. */
struct html_text {
	FILE *file;
	char *text;
	size_t length;
};
FILE *html_begin_text(struct html_text *text);
char *html_end_text(struct html_text *text);

/* Writes sections of the text report: lines that are not indented as headings, others as a list. */
void html_put_sections(FILE *out, const char *text);

#endif
