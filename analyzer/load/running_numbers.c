/* SPDX-License-Identifier: MIT */
#include "analyzer/load/running_numbers.h"

#include "analyzer/model/layer_tree.h"

#define NUMBERS_MAX 8 /* of a name; further ones are text */
#define RUN_MIN 3     /* so many numbers in a row are counted up */

struct number {
	gsize begin, end; /* in the name */
	uint64_t value;
};

/* Where a layer is, and when something was launched in or below it. */
struct layer_use {
	guint depth;
	bool launched;
	uint64_t first_ns, last_ns;
};

/* A layer with a number in its name, or several of a process with the same name. */
struct numbered {
	uint32_t process, layer;
	const char *name; /* of the model's strings */
	const char *mask; /* the name without its numbers: equal ones are the same pointer */
	uint32_t parent;  /* the node of its parent */
	struct layer_use use;
	struct number numbers[NUMBERS_MAX];
};

struct search {
	struct loader *loader;
	GPtrArray *uses; /* struct table * of struct layer_use, by process */
	GArray *found;   /* struct numbered */
	GStringChunk *masks;
	struct layer_tree *tree;
};

/* ---- names ---- */

/* Whether a digit at a place of a name begins a number that is a word of its own. */
static bool begins_number(const char *name, gsize at)
{
	return at == 0 || !(g_ascii_isalnum(name[at - 1]) || name[at - 1] == '.');
}

/* Finds the numbers of a name; returns how many there are.  A name that is nothing else has none.
 */
static guint find_numbers(const char *name, struct number *numbers)
{
	guint count = 0;

	for (gsize at = 0; name[at] && count < NUMBERS_MAX; at++) {
		struct number *number = &numbers[count];
		char *end;

		if (!g_ascii_isdigit(name[at]) || !begins_number(name, at))
			continue;
		*number = (struct number){at, at, g_ascii_strtoull(name + at, &end, 10)};
		number->end = (gsize)(end - name);
		at = number->end - 1;
		count += !g_ascii_isalnum(*end);
	}
	return count == 1 && numbers[0].end - numbers[0].begin == strlen(name) ? 0 : count;
}

static const char *mask_of(
	struct search *search, const char *name, const struct number *numbers, guint count)
{
	GString *mask = g_string_new(NULL);
	const char *kept;
	gsize at = 0;

	for (guint i = 0; i < count; i++) {
		g_string_append_len(mask, name + at, (gssize)(numbers[i].begin - at));
		g_string_append_c(mask, '#');
		at = numbers[i].end;
	}
	g_string_append(mask, name + at);
	kept = g_string_chunk_insert_const(search->masks, mask->str);
	g_string_free(mask, TRUE);
	return kept;
}

/* ---- layers ---- */

static struct table *layers_of(const struct search *search, uint32_t process)
{
	return g_array_index(search->loader->model->processes, struct model_process, process)
		.layers;
}

/* Adds the layers of a process that have a number, and notes how deep each is. */
static void find_in(struct search *search, uint32_t process)
{
	const struct table *layers = layers_of(search, process);
	struct table *uses = table_new(sizeof(struct layer_use));

	g_ptr_array_add(search->uses, uses);
	for (uint32_t id = 1; id < table_end(layers); id++) {
		const struct model_layer *layer = table_find(layers, id);
		const struct layer_use *around;
		struct numbered found = {.process = process, .layer = id};
		guint count;

		if (!layer || !layer->defined)
			continue;
		around = table_find(uses, layer->parent);
		found.use.depth = (around ? around->depth : 0) + 1;
		*(struct layer_use *)table_slot(uses, id) = found.use;
		count = find_numbers(layer->name, found.numbers);
		if (!count)
			continue;
		found.name = layer->name;
		found.mask = mask_of(search, layer->name, found.numbers, count);
		g_array_append_val(search->found, found);
	}
}

static void unite(struct layer_use *use, const struct layer_use *other)
{
	if (!other->launched)
		return;
	use->first_ns = use->launched ? MIN(use->first_ns, other->first_ns) : other->first_ns;
	use->last_ns = use->launched ? MAX(use->last_ns, other->last_ns) : other->last_ns;
	use->launched = true;
}

/* Notes when something was launched in each layer, then in or below it. */
static void find_uses(struct search *search)
{
	const struct model *model = search->loader->model;

	for (guint i = 0; i < model->executions->len; i++) {
		const struct model_execution *execution = model_execution_at(model, i);
		const struct model_origin *origin = model_origin_of(model, execution);
		uint64_t time_ns = model_launched_ns(execution);
		struct table *uses = g_ptr_array_index(search->uses, origin->process);
		struct layer_use *use = origin->layer ? table_slot(uses, origin->layer) : NULL;

		if (use && time_ns)
			unite(use, &(struct layer_use){0, true, time_ns, time_ns});
	}
	for (guint i = 0; i < search->uses->len; i++) {
		const struct table *layers = layers_of(search, i);
		struct table *uses = g_ptr_array_index(search->uses, i);

		for (uint32_t id = table_end(layers); id-- > 1;) {
			const struct model_layer *layer = table_find(layers, id);
			const struct layer_use *use = table_find(uses, id);

			if (layer && layer->defined && layer->parent && use)
				unite(table_slot(uses, layer->parent), use);
		}
	}
}

/* ---- series ---- */

static int by_depth(gconstpointer a, gconstpointer b)
{
	const struct numbered *x = a, *y = b;

	return x->use.depth < y->use.depth ? -1 : x->use.depth > y->use.depth;
}

static int order(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* Members of a series together, and in it those of the same name in the same process. */
static int by_series(gconstpointer a, gconstpointer b)
{
	const struct numbered *x = a, *y = b;
	int first = order(x->parent, y->parent),
	    second = order((uintptr_t)x->mask, (uintptr_t)y->mask),
	    third = order(x->process, y->process);

	return first    ? first
	       : second ? second
	       : third  ? third
			: order((uintptr_t)x->name, (uintptr_t)y->name);
}

static int by_number(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct numbered *x = a, *y = b;
	guint place = *(const guint *)data;
	int first = order(x->process, y->process);

	return first ? first : order(x->numbers[place].value, y->numbers[place].value);
}

static const struct numbered *numbered_at(const GArray *all, guint i)
{
	return &g_array_index(all, struct numbered, i);
}

static bool same_series(const struct numbered *a, const struct numbered *b)
{
	return a->parent == b->parent && a->mask == b->mask;
}

/* Whether the number at a place of the names of a series is counted up. */
static bool is_counted_up(GArray *series, guint place)
{
	guint longest = 0, length = 0;
	const struct layer_use *last = NULL;

	g_array_sort_with_data(series, by_number, &place);
	for (guint i = 0; i < series->len; i++) {
		const struct numbered *one = numbered_at(series, i);

		if (!i || numbered_at(series, i - 1)->process != one->process) {
			length = 0;
			last = NULL;
		} else if (one->numbers[place].value - 1 !=
			   numbered_at(series, i - 1)->numbers[place].value) {
			return false;
		}
		length++;
		longest = MAX(longest, length);
		if (!one->use.launched)
			continue;
		if (last && last->last_ns > one->use.first_ns)
			return false;
		last = &one->use;
	}
	return longest >= RUN_MIN;
}

/* The series of layers from index begin to end of those that were found, those of the same name in
 * the same process as one.  The caller frees it. */
static GArray *series_of(const struct search *search, guint begin, guint end)
{
	GArray *series = g_array_new(FALSE, FALSE, sizeof(struct numbered));

	for (guint i = begin; i < end; i++) {
		const struct numbered *one = numbered_at(search->found, i);
		struct numbered *last =
			series->len ? &g_array_index(series, struct numbered, series->len - 1)
				    : NULL;

		if (last && last->process == one->process && last->name == one->name)
			unite(&last->use, &one->use);
		else
			g_array_append_val(series, *one);
	}
	return series;
}

static void rename_layer(struct search *search, const struct numbered *layer, guint place)
{
	const struct number *number = &layer->numbers[place];
	char *name = g_strdup_printf(
		"%.*s#%s", (int)number->begin, layer->name, layer->name + number->end);
	struct model_layer *slot = table_slot(layers_of(search, layer->process), layer->layer);

	slot->name = loader_text(search->loader, name);
	g_free(name);
}

static void replace_in_series(struct search *search, guint begin, guint end)
{
	GArray *series = series_of(search, begin, end);
	guint place = 0;

	while (place < NUMBERS_MAX && numbered_at(series, 0)->numbers[place].end &&
		!is_counted_up(series, place))
		place++;
	if (place < NUMBERS_MAX && numbered_at(series, 0)->numbers[place].end)
		for (guint i = begin; i < end; i++)
			rename_layer(search, numbered_at(search->found, i), place);
	g_array_free(series, TRUE);
}

/* Replaces the numbers of layers of one depth, those around which have their names already. */
static void replace_at_depth(struct search *search, guint begin, guint end)
{
	const GArray *processes = search->loader->model->processes;

	for (guint i = begin; i < end; i++) {
		struct numbered *one = &g_array_index(search->found, struct numbered, i);
		const struct model_layer *layer =
			table_find(layers_of(search, one->process), one->layer);

		one->use = *(const struct layer_use *)table_find(
			g_ptr_array_index(search->uses, one->process), one->layer);
		one->parent = layer->parent ? layer_tree_node(search->tree,
						      &g_array_index(processes,
							      struct model_process, one->process),
						      layer->parent)
					    : LAYER_TREE_ROOT;
	}
	qsort(search->found->data + begin * sizeof(struct numbered), end - begin,
		sizeof(struct numbered), by_series);
	for (guint i = begin, next; i < end; i = next) {
		for (next = i + 1; next < end && same_series(numbered_at(search->found, i),
							 numbered_at(search->found, next));
			next++)
			;
		if (next - i >= RUN_MIN)
			replace_in_series(search, i, next);
	}
}

void running_numbers_replace(struct loader *loader)
{
	struct search search = {loader, g_ptr_array_new(),
		g_array_new(FALSE, FALSE, sizeof(struct numbered)), g_string_chunk_new(4096),
		layer_tree_new(0)};

	for (guint i = 0; i < loader->model->processes->len; i++)
		find_in(&search, i);
	if (search.found->len >= RUN_MIN)
		find_uses(&search);
	g_array_sort(search.found, by_depth);
	for (guint i = 0, next; i < search.found->len; i = next) {
		for (next = i + 1;
			next < search.found->len && by_depth(numbered_at(search.found, i),
							    numbered_at(search.found, next)) == 0;
			next++)
			;
		replace_at_depth(&search, i, next);
	}
	for (guint i = 0; i < search.uses->len; i++)
		table_free(g_ptr_array_index(search.uses, i));
	g_ptr_array_free(search.uses, TRUE);
	g_array_free(search.found, TRUE);
	g_string_chunk_free(search.masks);
	layer_tree_free(search.tree);
}
