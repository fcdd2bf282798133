/* SPDX-License-Identifier: MIT */
#include "analyzer/name/rules.h"

#include <string.h>

#include "analyzer/ledger/row_name.h"
#include "analyzer/ledger/rows.h"
#include "analyzer/load/take.h"
#include "analyzer/model/calls.h"
#include "analyzer/print/message.h"

/* What a rule looks at. */
enum kind { KIND_FUNCTION, KIND_MODULE, KIND_FILE, KIND_KERNEL, KINDS };

static const char *const kind_names[KINDS] = {"function", "module", "file", "kernel"};

struct rule {
	enum kind kind;
	GPatternSpec *pattern;
	char **layers; /* the names, outermost first; "&" within stands for what fits */
};

struct rules {
	const char *path;
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
	g_array_free(rules->list, TRUE);
	g_free(rules);
}

static const char *const blanks = " \t";

/* Takes a word, or what stands in double quotes, off the text; NULL where there is none. */
static char *take_word(char **text)
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

static bool take_kind(const char *word, enum kind *kind)
{
	for (int i = 0; word && i < KINDS; i++) {
		if (strcmp(word, kind_names[i]) != 0)
			continue;
		*kind = i;
		return true;
	}
	return false;
}

/* Returns NULL, or what is wrong with the line. */
static const char *take_line(struct rules *rules, char *line)
{
	struct rule rule;
	char *pattern, *layer;

	g_strstrip(line);
	if (!*line || *line == '#')
		return NULL;
	if (!g_utf8_validate(line, -1, NULL))
		return "is not UTF-8";
	if (!take_kind(take_word(&line), &rule.kind))
		return "begins with none of function, module, file, kernel";
	pattern = take_word(&line);
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
	rules->path = path;
	rules->list = g_array_new(FALSE, FALSE, sizeof(struct rule));
	g_array_set_clear_func(rules->list, clear_rule);
	lines = g_strsplit(text, "\n", -1);
	for (guint i = 0; lines[i] && fine; i++) {
		const char *wrong = take_line(rules, lines[i]);

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

/* ---- applying ---- */

struct applying {
	const struct rules *rules;
	struct model *model;
	GHashTable *layers; /* layer by process, parent and name */
	uint32_t *next;     /* layer of each process, above all of the program's own */
	guint matched;
};

/* A layer of the process under another, made where it is new; 0 where there is no room. */
static uint32_t layer_under(
	struct applying *applying, uint32_t process, uint32_t parent, const char *name)
{
	struct table *layers =
		g_array_index(applying->model->processes, struct model_process, process).layers;
	char *key = g_strdup_printf("%u %u %s", process, parent, name);
	uint32_t layer = GPOINTER_TO_UINT(g_hash_table_lookup(applying->layers, key));
	struct model_layer *slot;

	if (layer) {
		g_free(key);
		return layer;
	}
	if (!applying->next[process])
		applying->next[process] = MAX(table_end(layers), 1);
	layer = applying->next[process]++;
	slot = table_slot(layers, layer);
	if (!slot) {
		g_free(key);
		return 0;
	}
	*slot = (struct model_layer){true, parent, take_text(applying->model, name)};
	g_hash_table_insert(applying->layers, key, GUINT_TO_POINTER(layer));
	return layer;
}

/* Returns the first rule of a kind that fits. */
static const struct rule *find_rule(
	const struct rules *rules, const char *const texts[KINDS], const char **text)
{
	for (guint i = 0; i < rules->list->len; i++) {
		const struct rule *rule = &g_array_index(rules->list, struct rule, i);

		*text = texts[rule->kind];
		if (*text && **text && g_pattern_spec_match_string(rule->pattern, *text))
			return rule;
	}
	return NULL;
}

/* Returns the layer within layer that the rule makes which fits. */
static uint32_t enter(struct applying *applying, uint32_t process, uint32_t layer,
	const char *const texts[KINDS], const struct rule **last)
{
	const char *text;
	const struct rule *rule = find_rule(applying->rules, texts, &text);

	/* A function that calls itself is no layer within itself. */
	if (!rule || rule == *last)
		return layer;
	*last = rule;
	applying->matched++;
	for (char *const *name = rule->layers; *name; name++) {
		char **parts = g_strsplit(*name, "&", -1);
		char *full = g_strjoinv(text, parts);

		layer = layer_under(applying, process, layer, full);
		g_free(full);
		g_strfreev(parts);
	}
	return layer;
}

static uint32_t find_layer(struct applying *applying, const struct model_origin *origin)
{
	struct calls *calls = applying->model->calls;
	GArray *path = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	const struct rule *last = NULL;
	uint32_t layer = 0;

	for (uint32_t node = calls_of(calls, applying->model, origin);
		calls_parent(calls, node) != CALLS_ROOT; node = calls_parent(calls, node))
		g_array_append_val(path, node);
	for (guint i = path->len; i > 0; i--) {
		const struct symbol *symbol =
			calls_function(calls, g_array_index(path, uint32_t, i - 1));

		layer = enter(applying, origin->process, layer,
			(const char *const[KINDS]){[KIND_FUNCTION] = symbol->function,
				[KIND_MODULE] = symbol->module,
				[KIND_FILE] = symbol->file},
			&last);
	}
	g_array_free(path, TRUE);
	return layer;
}

/* The kernel is the innermost. */
static uint32_t find_kernel_layer(
	struct applying *applying, const struct model_origin *origin, uint32_t layer)
{
	struct ledger_row row = {0};
	const struct rule *none = NULL;

	row_name_kernel(applying->model, origin, &row);
	layer = enter(applying, origin->process, layer,
		(const char *const[KINDS]){[KIND_KERNEL] = row.short_name}, &none);
	rows_clear(&row);
	return layer;
}

void rules_apply(struct rules *rules, struct model *model)
{
	struct applying applying = {.rules = rules,
		.model = model,
		.layers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
		.next = g_new0(uint32_t, model->processes->len + 1)};
	/* What origins in no layer become, + 1; those that are added are in one. */
	uint32_t *becomes = g_new0(uint32_t, model->origins->list->len + 1);

	for (guint i = 0; i < model->executions->len; i++) {
		struct model_execution *execution =
			&g_array_index(model->executions, struct model_execution, i);
		struct model_origin origin = *model_origin_of(model, execution);
		uint32_t *number;

		if (origin.layer)
			continue;
		number = &becomes[execution->origin];
		if (!*number) {
			origin.layer = find_layer(&applying, &origin);
			origin.layer = find_kernel_layer(&applying, &origin, origin.layer);
			*number = origins_number(model->origins, &origin) + 1;
		}
		execution->origin = *number - 1;
	}
	if (!applying.matched)
		message_warn("%s changes nothing: no rule fits anything that is in no layer",
			rules->path);
	g_hash_table_destroy(applying.layers);
	g_free(applying.next);
	g_free(becomes);
}
