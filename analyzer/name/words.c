/* SPDX-License-Identifier: MIT */
#include "analyzer/name/words.h"

#include <stdbool.h>
#include <string.h>

#define UNNAMED "(anonymous namespace)::"

char *words_without_unnamed(const char *name)
{
	char **parts = g_strsplit(name, UNNAMED, -1);
	char *joined = g_strjoinv("", parts);

	g_strfreev(parts);
	return joined;
}

const char *words_own_name(const char *short_name)
{
	const char *own = short_name;
	int depth = 0;

	for (const char *at = short_name; *at; at++) {
		depth += (strchr("({<", *at) != NULL) - (strchr(")}>", *at) != NULL);
		if (!depth && strncmp(at, "::", 2) == 0 && at[2])
			own = at + 2;
	}
	return own;
}

/* ---- words ---- */

static bool is_of_word(char c)
{
	return g_ascii_isalnum(c) || c == '_' || c == '$' || (c & 0x80);
}

/* Words that compilers put into the names of lambdas and operators, which tell a reader nothing. */
static bool says_nothing(const char *word)
{
	return strcmp(word, "lambda") == 0 || strcmp(word, "operator") == 0 ||
	       strcmp(word, "const") == 0;
}

static bool is_number(const char *word)
{
	return g_ascii_isdigit(*word);
}

/* Takes a word off *at, which begins there; "unsigned int" is one, and of "a::b" only "b" is.  The
 * caller frees the result. */
static char *take_word(const char **at)
{
	const char *begin = *at, *end = begin;

	for (;;) {
		while (is_of_word(*end))
			end++;
		if (strncmp(end, "::", 2) == 0 && is_of_word(end[2]))
			begin = end += 2;
		else if (*end == ' ' && is_of_word(end[1]) && strncmp(end + 1, "const", 5) != 0)
			end++;
		else
			break;
	}
	*at = end;
	return g_strndup(begin, (gsize)(end - begin));
}

/* ---- operations ---- */

/* Ends of the names of operations that say nothing of what they do. */
static char *trimmed(const char *name)
{
	static const char *const ends[] = {
		"_kernel_cuda", "_kernel_impl", "_kernel", "_cuda", "Functor"};
	static const char begin[] = "CUDAFunctor_";
	gsize length;

	name += g_str_has_prefix(name, begin) ? strlen(begin) : 0;
	length = strlen(name);
	for (size_t i = 0; i < G_N_ELEMENTS(ends); i++)
		if (g_str_has_suffix(name, ends[i]) && length > strlen(ends[i]))
			return g_strndup(name, length - strlen(ends[i]));
	return g_strdup(name);
}

/* An argument that is being read, with those in its angle brackets. */
struct argument {
	char *name;
	bool of_types;       /* has arguments, none of which is a number or has arguments */
	bool has_operations; /* among its arguments */
};

struct word_reader {
	struct words *words;
	GArray *open; /* struct argument, from the outermost */
	int parentheses;
	char *last; /* the word just read; NULL: a sign came after it */
};

static void add_operation(struct word_reader *reader, const char *name)
{
	GPtrArray *operations = reader->words->operations;
	char *text = trimmed(name);

	for (guint i = 0; i < reader->open->len; i++)
		g_array_index(reader->open, struct argument, i).has_operations = true;
	if (operations->len < WORDS_OPERATIONS &&
		!g_ptr_array_find_with_equal_func(operations, text, g_str_equal, NULL))
		g_ptr_array_add(operations, text);
	else
		g_free(text);
}

static void open_arguments(struct word_reader *reader)
{
	struct argument argument = {.name = g_strdup(reader->last), .of_types = true};

	if (reader->open->len)
		g_array_index(reader->open, struct argument, reader->open->len - 1).of_types =
			false;
	g_array_append_val(reader->open, argument);
}

/* next: what follows the bracket. */
static void close_arguments(struct word_reader *reader, char next)
{
	const struct argument *argument;

	if (!reader->open->len)
		return;
	argument = &g_array_index(reader->open, struct argument, reader->open->len - 1);
	if (argument->name && !argument->has_operations && (argument->of_types || next == '('))
		add_operation(reader, argument->name);
	g_array_set_size(reader->open, reader->open->len - 1);
}

/* Reads a sign; what is in parentheses are parameters, which are no operations. */
static void read_sign(struct word_reader *reader, const char *at)
{
	if (*at == '(' && !reader->parentheses && reader->last && reader->open->len &&
		!is_number(reader->last))
		add_operation(reader, reader->last);
	if (*at == '<' && !reader->parentheses)
		open_arguments(reader);
	if (*at == '>' && !reader->parentheses)
		close_arguments(reader, at[1]);
	reader->parentheses += (*at == '(') - (*at == ')');
	reader->last = NULL;
}

static void read_word(struct word_reader *reader, char *word)
{
	if (says_nothing(word)) {
		g_free(word);
		reader->last = NULL;
		return;
	}
	if (is_number(word) && !reader->parentheses && reader->open->len)
		g_array_index(reader->open, struct argument, reader->open->len - 1).of_types =
			false;
	g_ptr_array_add(reader->words->all, word);
	reader->last = word;
}

static void free_argument(void *data)
{
	g_free(((struct argument *)data)->name);
}

struct words *words_of(const char *full, const char *short_name)
{
	struct words *words = g_new(struct words, 1);
	struct word_reader reader = {
		.words = words, .open = g_array_new(FALSE, FALSE, sizeof(struct argument))};
	char *text = words_without_unnamed(full), *own = words_without_unnamed(short_name);
	const char *found = strstr(text, own);

	g_array_set_clear_func(reader.open, free_argument);
	*words = (struct words){
		g_ptr_array_new_with_free_func(g_free), g_ptr_array_new_with_free_func(g_free)};
	for (const char *at = found ? found + strlen(own) : text; *at;) {
		if (is_of_word(*at))
			read_word(&reader, take_word(&at));
		else
			read_sign(&reader, at++);
	}
	g_array_free(reader.open, TRUE);
	g_free(text);
	g_free(own);
	return words;
}

void words_free(void *data)
{
	struct words *words = data;

	g_ptr_array_free(words->all, TRUE);
	g_ptr_array_free(words->operations, TRUE);
	g_free(words);
}
