/* SPDX-License-Identifier: MIT */
#include "analyzer/name/rules.h"

#include <glib.h>
#include <string.h>

#include "analyzer/print/message.h"

static const char *const kind_names[RULE_KINDS] = {[RULE_FUNCTION] = "function",
	[RULE_MODULE] = "module",
	[RULE_FILE] = "file",
	[RULE_KERNEL] = "kernel"};

struct rule {
	enum rule_kind kind;
	GPatternSpec *pattern;
	char **layers; /* names, outermost first; "&" in one stands for the text that matched */
};

struct rules {
	char *path;
	GArray *list; /* struct rule */
};

/* ---- reading ---- */

static void clear_rule(gpointer data)
{
	struct rule *rule = data;

	g_pattern_spec_free(rule->pattern);
	g_strfreev(rule->layers);
}

void rules_free(struct rules *rules)
{
	if (!rules)
		return;
	g_array_free(rules->list, TRUE);
	g_free(rules->path);
	g_free(rules);
}

const char *rules_path(const struct rules *rules)
{
	return rules->path;
}

static const char *const blanks = " \t";

/* Cuts a word, or text in double quotes, off the beginning of the text; NULL where there is none.
 */
static char *cut_word(char **text)
{
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

static bool find_kind(const char *word, enum rule_kind *kind)
{
	for (int i = 0; word && i < RULE_KINDS; i++) {
		if (strcmp(word, kind_names[i]) != 0)
			continue;
		*kind = i;
		return true;
	}
	return false;
}

/* Returns NULL, or what is wrong with the line. */
static const char *read_rule(struct rules *rules, char *line)
{
	struct rule rule;
	char *pattern, *layer;

	g_strstrip(line);
	if (!*line || *line == '#')
		return NULL;
	if (!g_utf8_validate(line, -1, NULL))
		return "is not UTF-8";
	if (!find_kind(cut_word(&line), &rule.kind))
		return "begins with none of function, module, file, kernel";
	pattern = cut_word(&line);
	if (!pattern)
		return "has no pattern, or one without its closing quote";
	layer = g_strstrip(line);
	if (!*layer || *layer == '/' || g_str_has_suffix(layer, "/") || strstr(layer, "//"))
		return "has no layer after the pattern, or one with an empty name";
	rule.pattern = g_pattern_spec_new(pattern);
	rule.layers = g_strsplit(layer, "/", -1);
	g_array_append_val(rules->list, rule);
	return NULL;
}

struct rules *rules_read(const char *path)
{
	struct rules *rules;
	GError *error = NULL;
	char **lines, *text;
	bool fine = true;

	if (!g_file_get_contents(path, &text, NULL, &error)) {
		message_error("the rules cannot be read: %s", error->message);
		g_error_free(error);
		return NULL;
	}
	rules = g_new0(struct rules, 1);
	rules->path = g_strdup(path);
	rules->list = g_array_new(FALSE, FALSE, sizeof(struct rule));
	g_array_set_clear_func(rules->list, clear_rule);
	lines = g_strsplit(text, "\n", -1);
	for (guint i = 0; lines[i] && fine; i++) {
		const char *wrong = read_rule(rules, lines[i]);

		fine = !wrong;
		if (wrong)
			message_error(
				"%s:%u: the rule %s; see pwrtrace-report(1)", path, i + 1, wrong);
	}
	g_strfreev(lines);
	g_free(text);
	if (!fine) {
		rules_free(rules);
		return NULL;
	}
	return rules;
}

/* ---- matching ---- */

const struct rule *rules_find(
	const struct rules *rules, const char *const texts[RULE_KINDS], const char **text)
{
	for (guint i = 0; i < rules->list->len; i++) {
		const struct rule *rule = &g_array_index(rules->list, struct rule, i);

		*text = texts[rule->kind];
		if (*text && **text && g_pattern_spec_match_string(rule->pattern, *text))
			return rule;
	}
	return NULL;
}

char **rule_layers(const struct rule *rule, const char *text)
{
	char **names = g_strdupv(rule->layers);

	for (char **name = names; *name; name++) {
		char **parts = g_strsplit(*name, "&", -1);

		g_free(*name);
		*name = g_strjoinv(text, parts);
		g_strfreev(parts);
	}
	return names;
}
