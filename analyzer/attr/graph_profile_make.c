/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "analyzer/attr/graph_profile.h"
#include "analyzer/attr/kernel_name.h"

/* What the executions of a class in a process took in all. */
struct total {
	uint64_t executions;
	uint64_t time_ns;
	uint64_t energy_nj;
	bool energy_known;
};

static gpointer class_key(uint32_t process, uint32_t kernel)
{
	return GSIZE_TO_POINTER((gsize)process << 32 | kernel);
}

static GHashTable *totals_of(const struct model *model)
{
	GHashTable *totals = g_hash_table_new_full(NULL, NULL, NULL, g_free);

	for (guint i = 0; i < model->executions->len; i++) {
		const struct model_execution *execution =
			&g_array_index(model->executions, struct model_execution, i);
		const struct model_gpu *gpu = model_gpu_at(model, execution);
		gpointer key = class_key(execution->process, execution->kernel);
		struct total *total = g_hash_table_lookup(totals, key);

		if (!model_is_timed(execution))
			continue;
		if (!total) {
			total = g_new0(struct total, 1);
			total->energy_known = true;
			g_hash_table_insert(totals, key, total);
		}
		total->executions++;
		total->time_ns += execution->end_ns - execution->begin_ns;
		total->energy_nj += execution->energy_nj;
		total->energy_known &= gpu && gpu->measured;
	}
	return totals;
}

/* Until finish(), a part's mean and share hold the sums that they will be made of. */
static void add_total(struct graph_profile_part *part, const struct total *total)
{
	if (!total)
		return;
	part->executions += total->executions;
	part->mean_time_ns += (double)total->time_ns;
	part->energy_share += total->energy_known ? (double)total->energy_nj : NAN;
}

struct making {
	const struct model *model;
	struct graph_profiles *profiles;
	GHashTable *totals; /* struct total by class_key() */
	uint32_t process;
	GHashTable *counted; /* signatures whose classes are summed up for this process */
};

/* Graphs say of copies and fills what kind they are and how large, not which call they were. */
static void add_memory_totals(const struct making *making, const struct model_graph_part *part,
	struct graph_profile_part *sum)
{
	for (guint i = 0; i < making->model->memories->len; i++) {
		const struct model_memory *memory =
			&g_array_index(making->model->memories, struct model_memory, i);

		if (memory->bytes == part->bytes && strcmp(memory->kind, part->kind) == 0)
			add_total(sum, g_hash_table_lookup(making->totals,
					       class_key(making->process, MODEL_IS_MEMORY | i)));
	}
}

/* Takes over the shape. */
static struct graph_profile_part *find_or_add(const struct making *making,
	struct graph_profile *profile, const char *kind, const char *api, const char *name,
	char *shape)
{
	GStringChunk *strings = making->profiles->strings;
	struct graph_profile_part wanted = {.kind = kind,
		.api = g_string_chunk_insert_const(strings, api),
		.name = g_string_chunk_insert_const(strings, name),
		.shape = g_string_chunk_insert_const(strings, shape)};

	g_free(shape);
	for (guint i = 0; i < profile->parts->len; i++) {
		struct graph_profile_part *part =
			&g_array_index(profile->parts, struct graph_profile_part, i);

		if (part->kind == kind && part->name == wanted.name && part->shape == wanted.shape)
			return part;
	}
	g_array_append_val(profile->parts, wanted);
	return &g_array_index(profile->parts, struct graph_profile_part, profile->parts->len - 1);
}

/* count: how many nodes to add, 0 where another graph with this signature has told already. */
static void add_part(const struct making *making, struct graph_profile *profile,
	const struct model_graph_part *part, uint32_t count)
{
	static const struct model_kernel unknown = {.api = "", .name = ""};
	const struct model_process *process =
		&g_array_index(making->model->processes, struct model_process, making->process);
	const struct model_kernel *kernel = table_find(process->kernels, part->kernel);
	struct graph_profile_part *sum;

	if (!model_part_is_kernel(part)) {
		sum = find_or_add(making, profile, "memory", "", part->kind,
			kernel_name_memory_shape(part->kind, part->bytes));
		add_memory_totals(making, part, sum);
	} else {
		if (!kernel || !kernel->defined)
			kernel = &unknown;
		sum = find_or_add(making, profile, "kernel", kernel->api, kernel->name,
			kernel_name_shape(kernel));
		add_total(sum, g_hash_table_lookup(
				       making->totals, class_key(making->process, part->kernel)));
	}
	sum->count += count;
}

static void add_graph(const struct making *making, const struct model_graph *graph)
{
	struct graph_profile *profile;
	bool first;

	if (!graph->defined || !*graph->signature || !graph->launches)
		return;
	profile = graph_profile_add(making->profiles, graph->signature);
	first = !profile->launches;
	profile->nodes = graph->nodes;
	profile->launches += graph->launches;
	if (!g_hash_table_add(making->counted, (gpointer)graph->signature))
		return;
	for (guint i = 0; graph->parts && i < graph->parts->len; i++) {
		const struct model_graph_part *part =
			&g_array_index(graph->parts, struct model_graph_part, i);

		add_part(making, profile, part, first ? part->count : 0);
	}
}

/* From sums to means and shares.  Returns false where some class was never timed. */
static bool finish(struct graph_profile *profile)
{
	struct graph_profile_part *parts = (void *)profile->parts->data;
	guint count = profile->parts->len;
	double whole = 0;

	for (guint i = 0; i < count; i++) {
		if (!parts[i].executions)
			return false;
		parts[i].mean_time_ns /= (double)parts[i].executions;
		parts[i].energy_share *= (double)parts[i].count / (double)parts[i].executions;
		whole += parts[i].energy_share;
	}
	for (guint i = 0; i < count; i++)
		parts[i].energy_share = whole > 0 ? parts[i].energy_share / whole : NAN;
	return count;
}

struct graph_profiles *graph_profiles_of(const struct ledger *ledger)
{
	struct making making = {.model = ledger->model,
		.profiles = graph_profiles_new(),
		.totals = totals_of(ledger->model),
		.counted = g_hash_table_new(NULL, NULL)};
	struct graph_profiles *profiles = making.profiles;

	for (; making.process < making.model->processes->len; making.process++) {
		const struct table *graphs =
			g_array_index(making.model->processes, struct model_process, making.process)
				.graphs;

		g_hash_table_remove_all(making.counted);
		for (uint32_t id = 1; id < table_end(graphs); id++)
			if (table_find(graphs, id))
				add_graph(&making, table_find(graphs, id));
	}
	for (guint i = profiles->graphs->len; i > 0; i--)
		if (!finish(g_ptr_array_index(profiles->graphs, i - 1)))
			graph_profile_leave_out(profiles, i - 1);
	g_hash_table_destroy(making.totals);
	g_hash_table_destroy(making.counted);
	return profiles;
}
