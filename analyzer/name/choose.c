/* SPDX-License-Identifier: MIT */
#include "analyzer/name/choose.h"

#include <stdbool.h>
#include <string.h>

#define LISTED_MAX 4 /* of kernels in a message, so that it stays a line */

char *choose_shaped(const char *name, const char *shape)
{
	return *shape ? g_strdup_printf("%s [%s]", name, shape) : g_strdup(name);
}

/* How a kernel may match a text; a better way comes first. */
typedef bool is_meant(const struct choose_name *kernel, const char *text);

static bool is_whole(const struct choose_name *kernel, const char *text)
{
	return strcmp(kernel->label, text) == 0 || strcmp(kernel->name, text) == 0;
}

static bool is_short(const struct choose_name *kernel, const char *text)
{
	return strcmp(kernel->short_name, text) == 0;
}

static bool has_part(const struct choose_name *kernel, const char *text)
{
	return strstr(kernel->label, text) || strstr(kernel->name, text);
}

/* By P. Sellers, "The theory and computation of evolutionary distances", Journal of Algorithms 1,
 * 1980. */
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
	const char *nearest = NULL;
	guint least = G_MAXUINT;

	for (guint i = 0; i < count; i++) {
		guint distance = choose_distance(text, kernels[i].label);

		if (distance < least)
			nearest = kernels[i].label;
		least = MIN(least, distance);
	}
	return nearest ? g_strdup_printf(
				 "no kernel is called \"%s\"; the nearest is \"%s\"", text, nearest)
		       : g_strdup_printf(
				 "no kernel is called \"%s\"; nothing ran on a device", text);
}

static char *say_several(const GPtrArray *found, const char *text)
{
	GString *why = g_string_new(NULL);

	g_string_printf(why, "%u kernels are called \"%s\": ", found->len, text);
	for (guint i = 0; i < found->len && i < LISTED_MAX; i++)
		g_string_append_printf(why, "%s\"%s\"", i ? ", " : "",
			((const struct choose_name *)g_ptr_array_index(found, i))->label);
	g_string_append_printf(why, "%s; name one of them", found->len > LISTED_MAX ? " ..." : "");
	return g_string_free(why, FALSE);
}

guint choose_kernel(const struct choose_name *kernels, guint count, const char *text, char **why)
{
	static is_meant *const ways[] = {is_whole, is_short, has_part};
	GPtrArray *found = g_ptr_array_new();
	guint chosen = count;

	for (size_t way = 0; way < G_N_ELEMENTS(ways) && !found->len; way++)
		for (guint i = 0; i < count; i++)
			if (ways[way](&kernels[i], text))
				g_ptr_array_add(found, (gpointer)&kernels[i]);
	if (!found->len)
		*why = say_none(kernels, count, text);
	else if (found->len > 1)
		*why = say_several(found, text);
	else
		chosen = (guint)((const struct choose_name *)g_ptr_array_index(found, 0) - kernels);
	g_ptr_array_free(found, TRUE);
	return chosen;
}
