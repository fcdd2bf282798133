/* SPDX-License-Identifier: MIT */
#include "analyzer/name/rules.h"

#include <glib.h>
#include <string.h>

#include "analyzer/name/pattern_file.h"

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

/* A pattern_file_taker. */
static const char *take_rule(void *data, char *line)
{
	struct rules *rules = data;
	struct rule rule;
	char *pattern, *layer;

	if (!find_kind(pattern_file_word(&line), &rule.kind))
		return "begins with none of function, module, file, kernel";
	pattern = pattern_file_word(&line);
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
	struct rules *rules = g_new0(struct rules, 1);

	rules->path = g_strdup(path);
	rules->list = g_array_new(FALSE, FALSE, sizeof(struct rule));
	g_array_set_clear_func(rules->list, clear_rule);
	if (pattern_file_read(
		    path, (struct pattern_file_words){"the rules", "the rule"}, take_rule, rules))
		return rules;
	rules_free(rules);
	return NULL;
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
