/* SPDX-License-Identifier: MIT */
#include "analyzer/name/kernel_label.h"

#include <stdbool.h>
#include <string.h>

#include "analyzer/name/words.h"

#define FULL_MAX 48 /* bytes: a full name that is longer is no label */

/* A kernel that gets a label. */
struct labelled {
	const char *full;
	char *begin; /* of its label: the name that it shares with others of its family */
	struct words *words;
};

static struct labelled *kernel_at(const GPtrArray *kernels, guint i)
{
	return g_ptr_array_index(kernels, i);
}

static void free_kernel(void *data)
{
	struct labelled *kernel = data;

	g_free(kernel->begin);
	words_free(kernel->words);
	g_free(kernel);
}

/* ---- groups ---- */

typedef char *key_of(const struct labelled *kernel, const void *data);

/* Kernels by key: char * to GPtrArray * of struct labelled *.  The caller destroys the table. */
static GHashTable *group_by(const GPtrArray *kernels, key_of *key, const void *data)
{
	GHashTable *groups = g_hash_table_new_full(
		g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_ptr_array_unref);

	for (guint i = 0; i < kernels->len; i++) {
		char *text = key(kernel_at(kernels, i), data);
		GPtrArray *group = g_hash_table_lookup(groups, text);

		if (group) {
			g_free(text);
		} else {
			group = g_ptr_array_new();
			g_hash_table_insert(groups, text, group);
		}
		g_ptr_array_add(group, kernel_at(kernels, i));
	}
	return groups;
}

/* ---- words that tell kernels apart ---- */

#define PLACES_MAX 256 /* words that are looked at, of a name */

static const char *word_at(const struct labelled *kernel, guint place)
{
	const GPtrArray *words = kernel->words->all;

	return place < words->len ? g_ptr_array_index(words, place) : "";
}

/* The words at some places (guint, ascending) of a name. */
static char *words_at(const struct labelled *kernel, const void *data)
{
	const GArray *places = data;
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < places->len; i++) {
		const char *word = word_at(kernel, g_array_index(places, guint, i));

		if (*word)
			g_string_append_printf(text, "%s%s", text->len ? ", " : "", word);
	}
	return g_string_free(text, FALSE);
}

/* How well words at some places tell kernels apart: into more groups, else by names rather than by
 * numbers, else by shorter ones. */
struct distinction {
	guint groups;
	bool named;
	gsize length;
};

static bool is_better(const struct distinction *a, const struct distinction *b)
{
	if (a->groups != b->groups)
		return a->groups > b->groups;
	return a->named != b->named ? a->named : a->length < b->length;
}

static struct distinction distinguish(const GPtrArray *kernels, const GArray *places, guint added)
{
	GHashTable *groups = group_by(kernels, words_at, places);
	struct distinction distinction = {.groups = g_hash_table_size(groups), .named = true};

	for (guint i = 0; i < kernels->len; i++) {
		const char *word = word_at(kernel_at(kernels, i), added);

		distinction.named &= !g_ascii_isdigit(*word);
		distinction.length += strlen(word);
	}
	g_hash_table_destroy(groups);
	return distinction;
}

static GArray *with_place(const GArray *places, guint place)
{
	GArray *more = g_array_new(FALSE, FALSE, sizeof(guint));
	guint before = 0;

	while (before < places->len && g_array_index(places, guint, before) < place)
		before++;
	g_array_append_vals(more, places->data, before);
	g_array_append_val(more, place);
	g_array_append_vals(more, &g_array_index(places, guint, before), places->len - before);
	return more;
}

/* Adds the place that tells most kernels apart.  Returns whether there is one. */
static bool add_place(const GPtrArray *kernels, GArray **places, struct distinction *reached)
{
	GArray *best = NULL;
	struct distinction found = *reached;
	guint most = 0;

	for (guint i = 0; i < kernels->len; i++)
		most = MAX(most, kernel_at(kernels, i)->words->all->len);
	for (guint place = 0; place < MIN(most, PLACES_MAX); place++) {
		GArray *tried = with_place(*places, place);
		struct distinction distinction = distinguish(kernels, tried, place);

		if (distinction.groups > reached->groups && is_better(&distinction, &found)) {
			g_clear_pointer(&best, g_array_unref);
			best = g_array_ref(tried);
			found = distinction;
		}
		g_array_unref(tried);
	}
	if (!best)
		return false;
	g_array_unref(*places);
	*places = best;
	*reached = found;
	return true;
}

/* ---- labels ---- */

static char *label_with(const struct labelled *kernel, const char *more)
{
	GString *label = g_string_new(kernel->begin);
	const GPtrArray *operations = kernel->words->operations;

	for (guint i = 0; i < operations->len; i++)
		g_string_append_printf(label, "%s%s", i ? ", " : "<",
			(const char *)g_ptr_array_index(operations, i));
	if (*more)
		g_string_append_printf(label, "%s%s", operations->len ? ", " : "<", more);
	if (operations->len || *more)
		g_string_append_c(label, '>');
	return g_string_free(label, FALSE);
}

static char *label_plainly(const struct labelled *kernel, const void *data)
{
	(void)data;
	return label_with(kernel, "");
}

static int by_full_name(gconstpointer a, gconstpointer b)
{
	return strcmp((*(struct labelled *const *)a)->full, (*(struct labelled *const *)b)->full);
}

/* Labels kernels that no words tell apart. */
static void label_alike(GHashTable *labels, GPtrArray *kernels, const char *label)
{
	bool brief = true;

	for (guint i = 0; i < kernels->len; i++)
		brief &= strlen(kernel_at(kernels, i)->full) <= FULL_MAX;
	g_ptr_array_sort(kernels, by_full_name);
	for (guint i = 0; i < kernels->len; i++) {
		const char *full = kernel_at(kernels, i)->full;

		g_hash_table_insert(labels, g_strdup(full),
			kernels->len == 1 ? g_strdup(label)
			: brief           ? words_without_unnamed(full)
					  : g_strdup_printf("%s #%u", label, i + 1));
	}
}

/* Labels kernels that would be called alike without further words. */
static void label_group(GHashTable *labels, const GPtrArray *kernels)
{
	GArray *places = g_array_new(FALSE, FALSE, sizeof(guint));
	struct distinction reached = {.groups = 1};
	GHashTable *groups;
	GHashTableIter at;
	void *words, *group;

	while (reached.groups < kernels->len && add_place(kernels, &places, &reached))
		;
	groups = group_by(kernels, words_at, places);
	g_hash_table_iter_init(&at, groups);
	while (g_hash_table_iter_next(&at, &words, &group)) {
		char *label = label_with(g_ptr_array_index((GPtrArray *)group, 0), words);

		label_alike(labels, group, label);
		g_free(label);
	}
	g_hash_table_destroy(groups);
	g_array_unref(places);
}

static GPtrArray *read_names(const GPtrArray *names)
{
	GPtrArray *kernels = g_ptr_array_new_with_free_func(free_kernel);
	GHashTable *seen = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i + 1 < names->len; i += 2) {
		const char *full = g_ptr_array_index(names, i);
		const char *short_name = g_ptr_array_index(names, i + 1);
		struct labelled *kernel;

		if (!g_hash_table_add(seen, (gpointer)full))
			continue;
		kernel = g_new(struct labelled, 1);
		*kernel = (struct labelled){full, words_without_unnamed(words_own_name(short_name)),
			words_of(full, short_name)};
		g_ptr_array_add(kernels, kernel);
	}
	g_hash_table_destroy(seen);
	return kernels;
}

GHashTable *kernel_labels(const GPtrArray *names)
{
	GHashTable *labels = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	GPtrArray *kernels = read_names(names);
	GHashTable *groups = group_by(kernels, label_plainly, NULL);
	GHashTableIter at;
	void *group;

	g_hash_table_iter_init(&at, groups);
	while (g_hash_table_iter_next(&at, NULL, &group))
		label_group(labels, group);
	g_hash_table_destroy(groups);
	g_ptr_array_free(kernels, TRUE);
	return labels;
}
