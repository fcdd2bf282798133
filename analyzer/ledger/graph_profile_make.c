/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "analyzer/ledger/graph_profile.h"
#include "analyzer/ledger/measured.h"
#include "analyzer/model/origin_name.h"

/* Sums over the executions of a class. */
struct class_total {
	uint64_t executions;
	uint64_t time_ns;
	uint64_t measured_ns; /* the part of time_ns with known power */
	uint64_t energy_nj;
	double off; /* relative error: half the 95 % interval / energy; NaN: not known */
};

struct profile_job {
	const struct ledger *ledger;
	const struct model *model;
	struct graph_profiles *profiles;
	GHashTable *totals; /* struct class_total by the key of a part */
};

/* ---- parts ---- */

/* A part with its names only: a kernel by name and shape, or copies and fills by kind and size,
 * since the nodes of a graph do not say by which API call they were made. */
static struct graph_profile_part part_of(const struct profile_job *job,
	const struct model_process *process, uint32_t kernel_id, const char *kind, uint64_t bytes)
{
	static const struct model_kernel unknown = {.api = "", .name = ""};
	GStringChunk *strings = job->profiles->strings;
	const struct model_kernel *kernel = table_find(process->kernels, kernel_id);
	struct graph_profile_part part;
	char *shape;

	if (strcmp(kind, "kernel") != 0) {
		shape = origin_name_memory_shape(kind, bytes);
		part = (struct graph_profile_part){.kind = "memory", .api = "", .name = kind};
	} else {
		if (!kernel || !kernel->defined)
			kernel = &unknown;
		shape = origin_name_kernel_shape(kernel, NULL);
		part = (struct graph_profile_part){
			.kind = "kernel", .api = kernel->api, .name = kernel->name};
	}
	part.api = g_string_chunk_insert_const(strings, part.api);
	part.name = g_string_chunk_insert_const(strings, part.name);
	part.shape = g_string_chunk_insert_const(strings, shape);
	g_free(shape);
	return part;
}

static char *key_of(const struct graph_profile_part *part)
{
	return g_strdup_printf(
		"%s %zu %s%s", part->kind, strlen(part->name), part->name, part->shape);
}

/* ---- sums by class ---- */

/* The larger relative error; NaN (not known) is larger than any. */
static double worse(double a, double b)
{
	return isnan(a) || isnan(b) ? NAN : MAX(a, b);
}

static struct class_total *total_at(GHashTable *totals, gpointer key)
{
	struct class_total *total = g_hash_table_lookup(totals, key);

	if (!total) {
		total = g_new0(struct class_total, 1);
		g_hash_table_insert(totals, key, total);
	}
	return total;
}

/* The relative error of an origin's energy: the largest one of the fits that have a class for it;
 * NaN: not known. */
static double off_of(const struct ledger *ledger, guint origin)
{
	double off = ledger->fits->len ? 0 : NAN;

	for (guint i = 0; i < ledger->fits->len; i++) {
		const struct fit *fit = g_ptr_array_index(ledger->fits, i);
		uint32_t class_index = fit->classes->of_origin[origin];

		if (class_index != CLASSES_NONE)
			off = worse(off, fit_class_off(fit, class_index));
	}
	return off;
}

static double *offs_of(const struct ledger *ledger)
{
	guint count = ledger->model->origins->list->len;
	double *off = g_new(double, count + 1);

	for (guint i = 0; i < count; i++)
		off[i] = off_of(ledger, i);
	return off;
}

/* Sums by process and kernel id, so that names are made once for each kernel, and not for each
 * execution. */
struct totals_by_id {
	const struct ledger *ledger;
	double *off; /* by origin */
	GHashTable *totals;
};

/* An attribution_visitor. */
static void add_execution(void *data, const struct execution_energy *attributed)
{
	struct totals_by_id *by_id = data;
	const struct model *model = by_id->ledger->model;
	const struct model_execution *execution = attributed->execution;
	const struct model_origin *origin = model_origin_of(model, execution);
	struct class_total *total;

	if (!model_is_timed(execution) || origin->replayed || model_graph_of(model, origin))
		return;
	total = total_at(
		by_id->totals, GSIZE_TO_POINTER((gsize)origin->process << 32 | origin->kernel));
	total->executions++;
	total->time_ns += execution->end_ns - execution->begin_ns;
	total->measured_ns += measured_ns(by_id->ledger->measured, model, execution);
	total->energy_nj += attributed->energy_nj;
	total->off = worse(total->off, by_id->off[execution->origin]);
	if (isnan(attributed->static_part) && attributed->energy_nj)
		total->off = NAN;
}

static void sum_up(struct profile_job *job)
{
	struct totals_by_id by_id = {.ledger = job->ledger,
		.off = offs_of(job->ledger),
		.totals = g_hash_table_new_full(NULL, NULL, NULL, g_free)};
	GHashTableIter iter;
	gpointer id, value;

	job->totals = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
	attribution_visit(job->ledger->attribution, add_execution, &by_id);
	g_hash_table_iter_init(&iter, by_id.totals);
	while (g_hash_table_iter_next(&iter, &id, &value)) {
		const struct model_process *process = &g_array_index(
			job->model->processes, struct model_process, GPOINTER_TO_SIZE(id) >> 32);
		uint32_t kernel = (uint32_t)GPOINTER_TO_SIZE(id);
		const struct model_memory *memory =
			kernel & MODEL_IS_MEMORY
				? &g_array_index(job->model->memories, struct model_memory,
					  kernel & ~MODEL_IS_MEMORY)
				: NULL;
		struct graph_profile_part part = part_of(job, process, kernel,
			memory ? memory->kind : "kernel", memory ? memory->bytes : 0);
		char *key = key_of(&part);
		const struct class_total *add = value;
		struct class_total *total = total_at(
			job->totals, g_string_chunk_insert_const(job->profiles->strings, key));

		total->executions += add->executions;
		total->time_ns += add->time_ns;
		total->energy_nj += add->energy_nj;
		total->measured_ns += add->measured_ns;
		total->off = worse(total->off, add->off);
		g_free(key);
	}
	g_hash_table_destroy(by_id.totals);
	g_free(by_id.off);
}

/* ---- graphs ---- */

static void add_part(struct graph_profile *profile, const struct graph_profile_part *part)
{
	for (guint i = 0; i < profile->parts->len; i++) {
		struct graph_profile_part *known =
			&g_array_index(profile->parts, struct graph_profile_part, i);

		if (known->kind == part->kind && known->name == part->name &&
			known->shape == part->shape) {
			known->count += part->count;
			return;
		}
	}
	g_array_append_vals(profile->parts, part, 1);
}

static void add_graph(const struct profile_job *job, const struct model_process *process,
	const struct model_graph *graph)
{
	struct graph_profile *profile;
	bool known;

	if (!graph->defined || !*graph->signature || !graph->launches)
		return;
	profile = graph_profile_add(job->profiles, graph->signature);
	known = profile->launches != 0;
	profile->launches += graph->launches;
	profile->nodes = graph->nodes;
	for (guint i = 0; !known && graph->parts && i < graph->parts->len; i++) {
		const struct model_graph_part *of =
			&g_array_index(graph->parts, struct model_graph_part, i);
		struct graph_profile_part part =
			part_of(job, process, of->kernel, of->kind, of->bytes);

		part.count = of->count;
		add_part(profile, &part);
	}
}

/* The mean energy of an execution in nJ, extrapolated to the time without known power; NaN: not
 * known. */
static double energy_of(const struct class_total *total)
{
	double part = total->time_ns ? (double)total->measured_ns / (double)total->time_ns : 1;

	return part > 0 ? (double)total->energy_nj / part / (double)total->executions : NAN;
}

/* Replaces share_ci95, which holds the relative errors of the parts' energies, by the errors of the
 * shares.  Errors are added, not their squares, since their correlations are not known. */
static void set_intervals(struct graph_profile_part *parts, guint count)
{
	double sum = 0;

	for (guint i = 0; i < count; i++)
		sum += parts[i].energy_share * parts[i].share_ci95;
	for (guint i = 0; i < count; i++) {
		double share = parts[i].energy_share, off = parts[i].share_ci95;

		parts[i].share_ci95 = share * ((1 - share) * off + (sum - share * off));
	}
}

/* Sets the numbers of a profile.  Returns false where some class was never timed. */
static bool finish(const struct profile_job *job, struct graph_profile *profile)
{
	struct graph_profile_part *parts = (void *)profile->parts->data;
	guint count = profile->parts->len;
	double whole = 0;

	for (guint i = 0; i < count; i++) {
		char *key = key_of(&parts[i]);
		const struct class_total *total = g_hash_table_lookup(job->totals, key);

		g_free(key);
		if (!total || !*parts[i].name)
			return false;
		parts[i].executions = total->executions;
		parts[i].mean_time_ns = (double)total->time_ns / (double)total->executions;
		parts[i].energy_share = (double)parts[i].count * energy_of(total);
		parts[i].share_ci95 = total->off;
		whole += parts[i].energy_share;
	}
	for (guint i = 0; i < count; i++)
		parts[i].energy_share = whole > 0 ? parts[i].energy_share / whole : NAN;
	set_intervals(parts, count);
	return count;
}

struct graph_profiles *graph_profiles_of(const struct ledger *ledger)
{
	struct graph_profiles *profiles = graph_profiles_new();
	struct profile_job job = {.ledger = ledger, .model = ledger->model, .profiles = profiles};
	const GArray *processes = job.model->processes;

	sum_up(&job);
	for (guint i = 0; i < processes->len; i++) {
		const struct model_process *process =
			&g_array_index(processes, struct model_process, i);

		for (uint32_t id = 1; id < table_end(process->graphs); id++)
			if (table_find(process->graphs, id))
				add_graph(&job, process, table_find(process->graphs, id));
	}
	for (guint i = profiles->graphs->len; i > 0; i--)
		if (!finish(&job, g_ptr_array_index(profiles->graphs, i - 1)))
			graph_profile_leave_out(profiles, i - 1);
	g_hash_table_destroy(job.totals);
	return profiles;
}
