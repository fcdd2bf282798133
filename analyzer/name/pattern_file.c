/* SPDX-License-Identifier: MIT */
#include "analyzer/name/pattern_file.h"

#include <glib.h>
#include <string.h>

#include "analyzer/print/message.h"

char *pattern_file_word(char **text)
{
	static const char *const blanks = " \t";
	char *word = *text + strspn(*text, blanks);
	bool quoted = *word == '"';
	size_t length;

	word += quoted;
	length = strcspn(word, quoted ? "\"" : blanks);
	if (!length || (quoted && !word[length]))
		return NULL;
	*text = word + length + (word[length] != 0);
	word[length] = 0;
	return word;
}

static const char *take(char *line, pattern_file_taker *taker, void *data)
{
	g_strstrip(line);
	if (!*line || *line == '#')
		return NULL;
	return g_utf8_validate(line, -1, NULL) ? taker(data, line) : "is not UTF-8";
}

bool pattern_file_read(
	const char *path, struct pattern_file_words called, pattern_file_taker *taker, void *data)
{
	GError *error = NULL;
	char **lines, *text;
	const char *wrong = NULL;

	if (!g_file_get_contents(path, &text, NULL, &error)) {
		message_error("%s cannot be read: %s", called.file, error->message);
		g_error_free(error);
		return false;
	}
	lines = g_strsplit(text, "\n", -1);
	for (guint i = 0; lines[i] && !wrong; i++) {
		wrong = take(lines[i], taker, data);
		if (wrong)
			message_error("%s:%u: %s %s; see pwrtrace-report(1)", path, i + 1,
				called.line, wrong);
	}
	g_strfreev(lines);
	g_free(text);
	return !wrong;
}
