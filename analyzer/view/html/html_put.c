/* SPDX-License-Identifier: MIT */
#include "analyzer/view/html/html_put.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In characters: what is seen of a name, of that what is before the cut, and what a title has. */
#define NAME_SEEN 120
#define NAME_BEGIN 80
#define TITLE_MAX 2000

static void put_character(FILE *out, const char *text, size_t bytes)
{
	switch (*text) {
	case '&':
		fputs("&amp;", out);
		break;
	case '<':
		fputs("&lt;", out);
		break;
	case '>':
		fputs("&gt;", out);
		break;
	case '"':
		fputs("&quot;", out);
		break;
	case '\'':
		fputs("&#39;", out);
		break;
	case '\n':
		fputs("\\n", out);
		break;
	case '\t':
		fputs("\\t", out);
		break;
	default:
		fwrite(text, 1, bytes, out);
	}
}

static void put_until(FILE *out, const char *text, const char *end)
{
	for (const char *next; text < end; text = next) {
		gunichar character = g_utf8_get_char(text);

		next = g_utf8_next_char(text);
		if (character != '\n' && character != '\t' && g_unichar_iscntrl(character))
			fprintf(out, "\\x%02x", character);
		else
			put_character(out, text, (size_t)(next - text));
	}
}

void html_put_text(FILE *out, const char *text)
{
	put_until(out, text, text + strlen(text));
}

/* Writes at most so many characters, of a longer text its beginning and its end. */
static void put_cut(FILE *out, const char *text, glong most, glong begin)
{
	glong length = g_utf8_strlen(text, -1);

	if (length <= most) {
		html_put_text(out, text);
		return;
	}
	put_until(out, text, g_utf8_offset_to_pointer(text, begin));
	fputs("…", out);
	html_put_text(out, g_utf8_offset_to_pointer(text, length - (most - begin - 1)));
}

void html_put_name(FILE *out, const char *text, const char *whole)
{
	fputs("<bdi title=\"", out);
	put_cut(out, whole, TITLE_MAX, TITLE_MAX / 2);
	fputs("\">", out);
	put_cut(out, *text ? text : "\"\"", NAME_SEEN, NAME_BEGIN);
	fputs("</bdi>", out);
}

FILE *html_begin_text(struct html_text *text)
{
	text->file = open_memstream(&text->text, &text->length);
	if (!text->file)
		g_error("no memory for a text");
	return text->file;
}

char *html_end_text(struct html_text *text)
{
	char *copy;

	fclose(text->file);
	copy = g_strdup(text->text);
	free(text->text);
	return copy;
}

/* ---- sections ---- */

enum { OUTSIDE, IN_LIST };

static int put_line(FILE *out, const char *line, int state)
{
	size_t indent = strspn(line, " ");

	if (*line != ' ') {
		fputs(state == IN_LIST ? "</ul>\n<h3>" : "<h3>", out);
		html_put_text(out, line);
		fputs("</h3>\n", out);
		return OUTSIDE;
	}
	fputs(state == IN_LIST ? "" : "<ul>\n", out);
	fputs(indent > 2 ? "<li class=\"detail\">" : "<li>", out);
	put_cut(out, line + indent, TITLE_MAX, TITLE_MAX / 2);
	fputs("</li>\n", out);
	return IN_LIST;
}

void html_put_sections(FILE *out, const char *text)
{
	char **lines = g_strsplit(text, "\n", -1);
	int state = OUTSIDE;

	for (guint i = 0; lines[i]; i++)
		if (*lines[i])
			state = put_line(out, lines[i], state);
	if (state == IN_LIST)
		fputs("</ul>\n", out);
	g_strfreev(lines);
}

void html_put_bar(FILE *out, double value, double half, double most)
{
	double low = fmax(value - half, 0), scale = 100 / most;

	fprintf(out, "<span class=\"fill\" style=\"width:%.2f%%\"></span>", value * scale);
	if (half >= 0)
		fprintf(out, "<span class=\"interval\" style=\"left:%.2f%%;width:%.2f%%\"></span>",
			low * scale, (value + half - low) * scale);
}
