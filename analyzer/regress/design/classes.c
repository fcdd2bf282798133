/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/design/classes.h"

#include <math.h>
#include <string.h>

#include "analyzer/model/id_map.h"
#include "analyzer/response/ablation.h"

/* Finds the class of an origin while classes are made. */
struct class_lookup {
	const struct model *model;
	struct classes *classes;
	GHashTable *by_key;   /* of the work: its class + 1 */
	struct id_map *by_id; /* of a process's kernel: the same */
};

/* A text that is equal for origins of the same work, whichever process they belong to.  g_free it.
 */
static char *key_of_work(const struct model *model, const struct model_origin *origin)
{
	const struct model_graph *graph = model_graph_of(model, origin);
	const struct model_kernel *kernel = model_kernel_of(model, origin);

	if (origin->kernel & MODEL_IS_MEMORY)
		return g_strdup_printf("m%u", origin->kernel);
	if (origin->kernel & MODEL_IS_GRAPH)
		return g_strdup_printf("g%s", graph ? graph->signature : "");
	if (!kernel)
		return g_strdup("k");
	return g_strdup_printf("k%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
			       " %u %u %u %u %s",
		kernel->global[0], kernel->global[1], kernel->global[2], kernel->local[0],
		kernel->local[1], kernel->local[2], model_shared_bytes(kernel), kernel->name);
}

/* A replay that the program's executions are like is one class with them. */
static enum model_replayed what_it_tells_of(const struct model_origin *origin)
{
	return origin_is_unlike(origin) || ablated(ABLATION_REPLAYS_TELL) ? origin->replayed
									  : MODEL_OF_PROGRAM;
}

static char *key_of(const struct model *model, const struct model_origin *origin)
{
	char *work = key_of_work(model, origin), *key;

	key = g_strdup_printf("%u %u %u %u %s", what_it_tells_of(origin), origin->size,
		origin->part, origin->collective, work);
	g_free(work);
	return key;
}

static uint32_t find_or_add(struct class_lookup *lookup, const struct model_origin *origin)
{
	char *key = key_of(lookup->model, origin);
	guint number = GPOINTER_TO_UINT(g_hash_table_lookup(lookup->by_key, key));

	if (number) {
		g_free(key);
	} else {
		struct kernel_class class = {.origin = origin};

		g_array_append_val(lookup->classes->list, class);
		number = lookup->classes->list->len;
		g_hash_table_insert(lookup->by_key, key, GUINT_TO_POINTER(number));
	}
	return number;
}

static uint32_t class_of(struct class_lookup *lookup, const struct model_origin *origin)
{
	const struct id_key key = {.id = origin->kernel | (uint64_t)what_it_tells_of(origin) << 32 |
					 (uint64_t)origin->size << 35 |
					 (uint64_t)origin->part << 38,
		.process = origin->process};
	uint32_t *number;

	if (origin->collective)
		return find_or_add(lookup, origin) - 1;
	number = id_map_at(lookup->by_id, &key);
	if (!*number)
		*number = find_or_add(lookup, origin);
	return *number - 1;
}

static int by_time(gconstpointer a, gconstpointer b)
{
	const struct kernel_class *x = *(const struct kernel_class *const *)a;
	const struct kernel_class *y = *(const struct kernel_class *const *)b;

	return x->time_ns > y->time_ns ? -1 : x->time_ns < y->time_ns;
}

/* Sets which classes are slight and which are rare, from the shortest to the longest. */
static void find_rare(struct classes *classes)
{
	GPtrArray *sorted = g_ptr_array_new();
	double busy_ns = 0, rare_ns = 0;

	for (guint i = 0; i < classes->list->len; i++) {
		struct kernel_class *class = &g_array_index(classes->list, struct kernel_class, i);

		g_ptr_array_add(sorted, class);
		busy_ns += class->time_ns;
	}
	g_ptr_array_sort(sorted, by_time);
	for (guint i = sorted->len; i > 0; i--) {
		struct kernel_class *class = g_ptr_array_index(sorted, i - 1);
		bool negligible;

		negligible = class->time_ns < CLASSES_NEGLIGIBLE_PART * busy_ns;
		class->slight =
			negligible || (class->executions < CLASSES_SLIGHT_EXECUTIONS &&
					      class->time_ns < CLASSES_SLIGHT_PART * busy_ns);
		class->rare =
			i >= CLASSES_COLUMNS_MAX ||
			(i > CLASSES_COLUMNS_FEW && class->slight && !ablated(ABLATION_RARE) &&
				(negligible ||
					rare_ns + class->time_ns < CLASSES_RARE_PART * busy_ns));
		if (!class->rare)
			continue;
		rare_ns += class->time_ns;
		classes->rare_squares += pow(class->time_ns / 1e9, 2);
		classes->rare++;
	}
	g_ptr_array_free(sorted, TRUE);
}

static void set_columns(struct classes *classes)
{
	find_rare(classes);
	classes->rare_columns = classes->rare > 0;
	/* In the order of the trace, so that nothing depends on how the sort breaks ties. */
	for (guint i = 0; i < classes->list->len; i++) {
		struct kernel_class *class = &g_array_index(classes->list, struct kernel_class, i);

		if (!class->rare)
			class->column = classes->columns.count++;
	}
	for (guint i = 0; i < classes->list->len; i++) {
		struct kernel_class *class = &g_array_index(classes->list, struct kernel_class, i);

		if (class->rare)
			class->column = classes->columns.count;
	}
	classes->columns.count += classes->rare_columns;
}

/* Sets the columns' origins and times, which is all that the room response knows of classes. */
static void fill_columns(struct classes *classes)
{
	struct columns *columns = &classes->columns;
	guint origins = columns->model->origins->list->len;

	columns->of_origin = g_new(uint32_t, origins + 1);
	columns->time_ns = g_new0(double, columns->count + 1);
	for (guint i = 0; i < origins; i++)
		columns->of_origin[i] = classes->of_origin[i] == CLASSES_NONE
						? COLUMNS_NONE
						: g_array_index(classes->list, struct kernel_class,
							  classes->of_origin[i])
							  .column;
	for (guint i = 0; i < classes->list->len; i++) {
		const struct kernel_class *class =
			&g_array_index(classes->list, struct kernel_class, i);

		columns->time_ns[class->column] += class->time_ns;
	}
}

/* Numbers the columns that were replayed. */
static void number_replayed(struct classes *classes)
{
	gsize size = (classes->columns.count + 1) * sizeof(*classes->replayed_of);

	classes->replayed_of = memset(g_malloc(size), 0xff, size); /* all are CLASSES_NONE */
	for (guint i = 0; i < classes->list->len; i++) {
		const struct kernel_class *class =
			&g_array_index(classes->list, struct kernel_class, i);
		uint32_t *replayed = &classes->replayed_of[class->column];

		if (class_is_replayed(class) && *replayed == CLASSES_NONE)
			*replayed = classes->replayed++;
	}
}

struct classes *classes_of(const struct model *model, const struct source *source)
{
	struct classes *classes = g_new0(struct classes, 1);
	struct class_lookup lookup = {.model = model, .classes = classes, .by_id = id_map_new()};

	classes->columns = (struct columns){.model = model, .span = source->span};
	classes->list = g_array_new(FALSE, FALSE, sizeof(struct kernel_class));
	classes->of_origin = g_new(uint32_t, model->origins->list->len + 1);
	for (guint i = 0; i < model->origins->list->len; i++)
		classes->of_origin[i] = CLASSES_NONE;
	lookup.by_key = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (guint i = 0; i < model->executions->len; i++) {
		const struct model_execution *execution = model_execution_at(model, i);
		const struct model_origin *origin = model_origin_of(model, execution);
		uint32_t *of_origin = &classes->of_origin[execution->origin];
		struct kernel_class *class;
		double length_ns;

		if (!columns_reach(&classes->columns, execution) ||
			!source_covers(source, origin->gpu))
			continue;
		if (*of_origin == CLASSES_NONE)
			*of_origin = class_of(&lookup, origin);
		class = &g_array_index(classes->list, struct kernel_class, *of_origin);
		class->executions++;
		class->replayed += origin->replayed != MODEL_OF_PROGRAM;
		length_ns = (double)(execution->end_ns - execution->begin_ns);
		class->time_ns += length_ns;
		classes->columns.longest_ns = MAX(classes->columns.longest_ns, length_ns);
	}
	set_columns(classes);
	fill_columns(classes);
	number_replayed(classes);
	g_hash_table_destroy(lookup.by_key);
	id_map_free(lookup.by_id);
	return classes;
}

void classes_free(struct classes *classes)
{
	g_array_free(classes->list, TRUE);
	g_free(classes->of_origin);
	g_free(classes->paces);
	g_free(classes->replayed_of);
	g_free(classes->columns.of_origin);
	g_free(classes->columns.part_of_origin);
	g_free(classes->columns.time_ns);
	g_free(classes);
}
