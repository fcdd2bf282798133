/* SPDX-License-Identifier: MIT */
#include "analyzer/print/text.h"

#include <glib.h>
#include <stdbool.h>

#include "analyzer/print/terminal.h"
#include "pwrtrace/events.h"

char *text_valid(const char *bytes)
{
	GString *valid = g_string_new(NULL);
	const char *bad;

	while (!g_utf8_validate(bytes, -1, &bad)) {
		g_string_append_len(valid, bytes, bad - bytes);
		g_string_append_printf(valid, "\\x%02x", (unsigned char)*bad);
		bytes = bad + 1;
	}
	g_string_append(valid, bytes);
	return g_string_free(valid, FALSE);
}

const char *text_id(char text[TEXT_ID], uint32_t id)
{
	snprintf(text, TEXT_ID, id == PWRTRACE_UNKNOWN_U32 ? "unknown" : "%u", id);
	return text;
}

static char *escaped(const char *text)
{
	GString *escaped = g_string_new(NULL);

	for (const char *next; *text; text = next) {
		gunichar character = g_utf8_get_char(text);

		next = g_utf8_next_char(text);
		if (character == '\n')
			g_string_append(escaped, "\\n");
		else if (character == '\t')
			g_string_append(escaped, "\\t");
		else if (g_unichar_iscntrl(character))
			g_string_append_printf(escaped, "\\x%02x", character);
		else
			g_string_append_len(escaped, text, next - text);
	}
	return g_string_free(escaped, FALSE);
}

static void put_escaped(FILE *out, const char *text)
{
	char *shown = escaped(text);

	fputs(shown, out);
	g_free(shown);
}

int text_width(const char *text)
{
	char *shown = escaped(text);
	int width = (int)g_utf8_strlen(shown, -1);

	g_free(shown);
	return width;
}

void text_put(FILE *out, const char *text)
{
	bool fitted = terminal_is_fitted(out);

	if (fitted)
		fputc(TERMINAL_NAME_BEGIN, out);
	put_escaped(out, text);
	if (fitted)
		fputc(TERMINAL_NAME_END, out);
}

void text_put_line_of(FILE *out, const char *format, va_list args)
{
	char *text = g_strdup_vprintf(format, args), *valid = text_valid(text);

	put_escaped(out, valid);
	fputc('\n', out);
	g_free(valid);
	g_free(text);
}

void text_put_line(FILE *out, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	text_put_line_of(out, format, args);
	va_end(args);
}
