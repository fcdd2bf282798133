/* SPDX-License-Identifier: MIT */
#include "analyzer/name/kernel_name.h"

#include <glib.h>
#include <libiberty/demangle.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/name/words.h"

static char *demangled(const char *name, int options)
{
	char *plain = cplus_demangle(name, options);
	char *copy = g_strdup(plain ? plain : name);

	free(plain);
	return copy;
}

char *kernel_name_full(const char *name)
{
	return demangled(name, DMGL_PARAMS | DMGL_ANSI);
}

/* The end of the template arguments that begin at text.  Angle brackets within parentheses are not
 * counted: they are operators, or in pairs. */
static const char *after_arguments(const char *text)
{
	int angles = 0, parentheses = 0;

	for (; *text; text++) {
		parentheses += (*text == '(') - (*text == ')');
		if (!parentheses)
			angles += (*text == '<') - (*text == '>');
		if (!angles)
			return text + 1;
	}
	return text;
}

static bool begins_arguments(const char *text, const GString *before)
{
	return *text == '<' && !g_str_has_suffix(before->str, "operator") &&
	       !g_str_has_suffix(before->str, "operator<");
}

char *kernel_name_short(const char *name)
{
	/* Without options there are no parameters and no return type. */
	char *plain = cplus_demangle(name, DMGL_NO_OPTS);
	GString *kept;

	if (!plain)
		return g_strdup(name);
	kept = g_string_new(NULL);
	for (const char *text = plain; *text;) {
		if (begins_arguments(text, kept))
			text = after_arguments(text);
		else
			g_string_append_c(kept, *text++);
	}
	free(plain);
	return g_strchomp(g_string_free(kept, FALSE));
}

char *kernel_name_bare(const char *name)
{
	char *text = kernel_name_short(name);
	char *bare = g_strdup(words_own_name(text));

	g_free(text);
	return bare;
}
