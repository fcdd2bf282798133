/* SPDX-License-Identifier: MIT */
#include "analyzer/name/choose.h"

#include <stdbool.h>
#include <string.h>

char *choose_label(const struct choose_name *kernel)
{
	return *kernel->shape ? g_strdup_printf("%s [%s]", kernel->name, kernel->shape)
			      : g_strdup(kernel->name);
}

typedef bool is_meant(const struct choose_name *kernel, const char *text);

static bool is_label(const struct choose_name *kernel, const char *text)
{
	char *label = choose_label(kernel);
	bool same = strcmp(label, text) == 0;

	g_free(label);
	return same;
}

static bool is_name(const struct choose_name *kernel, const char *text)
{
	return strcmp(kernel->name, text) == 0 || strcmp(kernel->short_name, text) == 0;
}

static bool has_part(const struct choose_name *kernel, const char *text)
{
	char *label = choose_label(kernel);
	bool has = strstr(label, text) != NULL;

	g_free(label);
	return has;
}

guint choose_distance(const char *text, const char *name)
{
	size_t length = strlen(name);
	guint *row = g_new0(guint, length + 1); /* a part may begin anywhere */
	guint least;

	for (guint i = 1; *text; i++, text++) {
		guint before = row[0];

		row[0] = i;
		for (size_t k = 1; k <= length; k++) {
			guint changed = before + (*text != name[k - 1]);

			before = row[k];
			row[k] = MIN(changed, MIN(row[k], row[k - 1]) + 1);
		}
	}
	least = row[0];
	for (size_t k = 1; k <= length; k++)
		least = MIN(least, row[k]);
	g_free(row);
	return least;
}

static char *say_none(const struct choose_name *kernels, guint count, const char *text)
{
	guint nearest = 0, least = G_MAXUINT;
	char *label, *why;

	if (!count)
		return g_strdup_printf("no kernel \"%s\": none ran", text);
	for (guint i = 0; i < count; i++) {
		guint distance = choose_distance(text, kernels[i].name);

		if (distance < least)
			nearest = i;
		least = MIN(least, distance);
	}
	label = choose_label(&kernels[nearest]);
	why = g_strdup_printf("no kernel \"%s\"; the nearest is \"%s\"", text, label);
	g_free(label);
	return why;
}

static char *say_several(
	const struct choose_name *kernels, guint first, guint second, const char *text)
{
	char *a = choose_label(&kernels[first]), *b = choose_label(&kernels[second]);
	char *why =
		g_strdup_printf("\"%s\" means several kernels, as \"%s\" and \"%s\"", text, a, b);

	g_free(a);
	g_free(b);
	return why;
}

guint choose_kernel(const struct choose_name *kernels, guint count, const char *text, char **why)
{
	is_meant *const ways[] = {is_label, is_name, has_part};

	for (size_t way = 0; way < G_N_ELEMENTS(ways); way++) {
		guint found = count;

		for (guint i = 0; i < count; i++) {
			if (!ways[way](&kernels[i], text))
				continue;
			if (found < count) {
				*why = say_several(kernels, found, i, text);
				return count;
			}
			found = i;
		}
		if (found < count)
			return found;
	}
	*why = say_none(kernels, count, text);
	return count;
}
