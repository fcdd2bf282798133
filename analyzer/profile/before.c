/* SPDX-License-Identifier: MIT */
#include "analyzer/profile/before.h"

static const char idle[] = "idle";

/* The time that one name filled. */
struct filled {
	const char *label;
	double time_ns;
};

static void add(GArray *filled, const char *label, double time_ns)
{
	const struct filled fresh = {label, time_ns};

	for (guint i = 0; i < filled->len; i++) {
		struct filled *known = &g_array_index(filled, struct filled, i);

		if (known->label == label) {
			known->time_ns += time_ns;
			return;
		}
	}
	g_array_append_val(filled, fresh);
}

/* Adds what ran on a device in a span.  Executions before `end` may reach into it; longest_ns is
 * the longest of all, so that the search can end. */
static void fill(GArray *filled, const struct model *model, uint32_t gpu, struct model_span span,
	guint end, uint64_t longest_ns, const char *const *labels)
{
	double free_ns = (double)(span.end_ns - span.begin_ns);

	for (guint i = end; i > 0; i--) {
		const struct model_execution *execution = model_execution_at(model, i - 1);
		uint64_t begin_ns = MAX(execution->begin_ns, span.begin_ns);
		uint64_t end_ns = MIN(execution->end_ns, span.end_ns);

		if (execution->begin_ns + longest_ns < span.begin_ns)
			break;
		if (model_gpu_of(model, execution) != gpu || end_ns <= begin_ns)
			continue;
		add(filled, labels[execution->origin], (double)(end_ns - begin_ns));
		free_ns -= (double)(end_ns - begin_ns);
	}
	add(filled, idle, free_ns);
}

static const char *most_of(const GArray *filled)
{
	const struct filled *most = &g_array_index(filled, struct filled, 0);

	for (guint i = 1; i < filled->len; i++) {
		const struct filled *other = &g_array_index(filled, struct filled, i);

		if (other->time_ns > most->time_ns)
			most = other;
	}
	return most->label;
}

static guint number_of(GPtrArray *names, const char *name)
{
	guint i;

	if (g_ptr_array_find(names, name, &i))
		return i + 1;
	g_ptr_array_add(names, (gpointer)name);
	return names->len;
}

static uint64_t longest_of(const struct model *model)
{
	uint64_t longest_ns = 0;

	for (guint i = 0; i < model->executions->len; i++) {
		const struct model_execution *execution = model_execution_at(model, i);

		longest_ns = MAX(longest_ns, execution->end_ns - execution->begin_ns);
	}
	return longest_ns;
}

struct befores befores_find(
	const struct model *model, const struct runs *runs, const char *const *labels)
{
	struct befores befores = {
		.part_of = g_new0(guint, runs->executions->len + 1), .names = g_ptr_array_new()};
	GArray *filled = g_array_new(FALSE, FALSE, sizeof(struct filled));
	uint64_t longest_ns = longest_of(model);

	for (guint i = 0; i < runs->executions->len; i++) {
		const struct run_execution *execution = runs_execution(runs, i);
		uint64_t end_ns = model_execution_at(model, execution->execution)->begin_ns;
		const struct model_span span = {end_ns - MIN(end_ns, (uint64_t)BEFORE_NS), end_ns};

		g_array_set_size(filled, 0);
		fill(filled, model, runs_at(runs, execution->run)->gpu, span, execution->execution,
			longest_ns, labels);
		befores.part_of[i] = number_of(befores.names, most_of(filled));
	}
	g_array_free(filled, TRUE);
	return befores;
}

void befores_clear(struct befores *befores)
{
	g_free(befores->part_of);
	g_ptr_array_free(befores->names, TRUE);
}
