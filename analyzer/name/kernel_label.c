/* SPDX-License-Identifier: MIT */
#include "analyzer/name/kernel_label.h"

#include <string.h>

#define WORDS_MAX 3
#define UNNAMED "(anonymous namespace)::"

/* The kernels that have the same short name. */
struct family {
	const char *short_name;
	GPtrArray *names; /* const char *: the full names */
	GPtrArray *words; /* of each name, an array of strings that ends with NULL */
};

static bool is_of_word(char c)
{
	return g_ascii_isalnum(c) || c == '_' || c == '$' || (c & 0x80);
}

static char *without_unnamed(const char *name)
{
	char **parts = g_strsplit(name, UNNAMED, -1);
	char *joined = g_strjoinv("", parts);

	g_strfreev(parts);
	return joined;
}

/* Words that compilers put into the names of lambdas and operators, which tell a reader nothing. */
static bool says_nothing(const char *word)
{
	return strcmp(word, "lambda") == 0 || strcmp(word, "operator") == 0 ||
	       strcmp(word, "const") == 0;
}

static char **words_of(const char *name)
{
	GPtrArray *words = g_ptr_array_new();
	char *text = without_unnamed(name);

	for (const char *at = text; *at;) {
		const char *begin = at;
		char *word;

		while (is_of_word(*at))
			at++;
		if (at == begin) {
			at++;
			continue;
		}
		word = g_strndup(begin, (gsize)(at - begin));
		if (says_nothing(word))
			g_free(word);
		else
			g_ptr_array_add(words, word);
	}
	g_free(text);
	g_ptr_array_add(words, NULL);
	return (char **)g_ptr_array_free(words, FALSE);
}

static char **words_at(const struct family *family, guint name)
{
	return g_ptr_array_index(family->words, name);
}

static bool equally_long(const struct family *family)
{
	for (guint i = 1; i < family->names->len; i++)
		if (g_strv_length(words_at(family, i)) != g_strv_length(words_at(family, 0)))
			return false;
	return true;
}

/* Whether the word at a place of a name tells it from others of the family.  by_place: names have
 * equally many words, and some other name has another word at this place; else no other name has
 * the word anywhere. */
static bool differs(const struct family *family, guint name, guint place, bool by_place)
{
	const char *word = words_at(family, name)[place];

	for (guint i = 0; i < family->names->len; i++) {
		char **others = words_at(family, i);

		if (i == name)
			continue;
		if (by_place && strcmp(others[place], word) != 0)
			return true;
		if (!by_place && g_strv_contains((const char *const *)others, word))
			return false;
	}
	return !by_place;
}

/* The short name with up to WORDS_MAX words that tell a name from the others of its family; NULL
 * where there are none. */
static char *label_in_family(const struct family *family, guint name)
{
	bool by_place = equally_long(family);
	char **words = words_at(family, name);
	const char *chosen[WORDS_MAX + 1] = {NULL};
	guint count = 0, most = by_place ? WORDS_MAX : 1;
	char *joined, *label;

	for (guint place = 0; words[place] && count < most; place++)
		if (!g_strv_contains(chosen, words[place]) &&
			differs(family, name, place, by_place))
			chosen[count++] = words[place];
	if (!count)
		return NULL;
	joined = g_strjoinv(", ", (char **)chosen);
	label = g_strdup_printf("%s<%s>", family->short_name, joined);
	g_free(joined);
	return label;
}

static void free_family(void *data)
{
	struct family *family = data;

	g_ptr_array_free(family->names, TRUE);
	g_ptr_array_free(family->words, TRUE);
	g_free(family);
}

static void free_words(void *words)
{
	g_strfreev(words);
}

static GHashTable *families_of(const GPtrArray *names)
{
	GHashTable *families = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, free_family);
	GHashTable *seen = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i + 1 < names->len; i += 2) {
		char *full = g_ptr_array_index(names, i),
		     *short_name = g_ptr_array_index(names, i + 1);
		struct family *family = g_hash_table_lookup(families, short_name);

		if (!g_hash_table_add(seen, full))
			continue;
		if (!family) {
			family = g_new0(struct family, 1);
			family->short_name = short_name;
			family->names = g_ptr_array_new();
			family->words = g_ptr_array_new_with_free_func(free_words);
			g_hash_table_insert(families, short_name, family);
		}
		g_ptr_array_add(family->names, full);
		g_ptr_array_add(family->words, words_of(full));
	}
	g_hash_table_destroy(seen);
	return families;
}

static char *label_of(const struct family *family, guint name)
{
	return family->names->len == 1 ? g_strdup(family->short_name)
				       : label_in_family(family, name);
}

/* Where two names would get the same label, all of the family keep their full names. */
static void label_family(GHashTable *labels, const struct family *family)
{
	GHashTable *used = g_hash_table_new(g_str_hash, g_str_equal);
	GPtrArray *own = g_ptr_array_new_with_free_func(g_free);
	bool apart = true;

	for (guint i = 0; i < family->names->len && apart; i++) {
		char *label = label_of(family, i);

		g_ptr_array_add(own, label);
		apart = label && g_hash_table_add(used, label);
	}
	for (guint i = 0; i < family->names->len; i++) {
		char *full = g_ptr_array_index(family->names, i);

		g_hash_table_insert(labels, g_strdup(full),
			without_unnamed(apart ? g_ptr_array_index(own, i) : full));
	}
	g_hash_table_destroy(used);
	g_ptr_array_free(own, TRUE);
}

GHashTable *kernel_labels(const GPtrArray *names)
{
	GHashTable *labels = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	GHashTable *families = families_of(names);
	GHashTableIter at;
	void *family;

	g_hash_table_iter_init(&at, families);
	while (g_hash_table_iter_next(&at, NULL, &family))
		label_family(labels, family);
	g_hash_table_destroy(families);
	return labels;
}
