/* SPDX-License-Identifier: MIT */
#include "analyzer/model/replays.h"

#include <string.h>

#include "analyzer/model/spans.h"

static const struct model_replay *replay_at(const struct model *model, guint i)
{
	return &g_array_index(model->replays, struct model_replay, i);
}

static bool is_on(const struct model *model, const struct model_replay *replay, const char *machine)
{
	return strcmp(g_array_index(model->processes, struct model_process, replay->process)
			       .machine,
		       machine) == 0;
}

GArray *replays_spans(const struct model *model, const char *machine)
{
	GArray *spans = g_array_new(FALSE, FALSE, sizeof(struct model_span));

	for (guint i = 0; i < model->replays->len; i++)
		if (!machine || is_on(model, replay_at(model, i), machine))
			g_array_append_val(spans, replay_at(model, i)->span);
	spans_unite(spans);
	return spans;
}

static void free_spans(gpointer spans)
{
	g_array_free(spans, TRUE);
}

GPtrArray *replays_by_process(const struct model *model)
{
	GPtrArray *by_process = g_ptr_array_new_with_free_func(free_spans);

	for (guint i = 0; i < model->processes->len; i++)
		g_ptr_array_add(by_process,
			replays_spans(model,
				g_array_index(model->processes, struct model_process, i).machine));
	return by_process;
}

uint64_t replays_left_ns(
	const GPtrArray *by_process, uint32_t process, uint64_t begin_ns, uint64_t end_ns)
{
	return end_ns - begin_ns -
	       spans_within(g_ptr_array_index(by_process, process), begin_ns, end_ns);
}

uint64_t replays_span_ns(const struct model *model)
{
	GArray *spans = replays_spans(model, NULL);
	uint64_t sum_ns = spans_length_ns(spans);

	g_array_free(spans, TRUE);
	return sum_ns;
}

static bool is_alike(const struct model_kernel *a, const struct model_kernel *b)
{
	uint32_t a_bytes = a->code.shared_bytes, b_bytes = b->code.shared_bytes;

	return strcmp(a->name, b->name) == 0 &&
	       memcmp(a->global, b->global, sizeof(a->global)) == 0 &&
	       memcmp(a->local, b->local, sizeof(a->local)) == 0 &&
	       (a_bytes == b_bytes || a_bytes == PWRTRACE_UNKNOWN_U32 ||
		       b_bytes == PWRTRACE_UNKNOWN_U32);
}

enum replays_outcome replays_outcome(const struct model *model, const struct model_kernel *kernel)
{
	enum replays_outcome outcome = REPLAYS_NONE;

	for (guint i = 0; i < model->replays->len; i++) {
		const struct model_replay *replay = replay_at(model, i);
		const struct model_origin origin = {
			.process = replay->process, .kernel = replay->kernel};
		const struct model_kernel *replayed = model_kernel_of(model, &origin);

		if (replayed && is_alike(replayed, kernel))
			outcome = MAX(outcome, replay->needed_ns ? REPLAYS_LEFT : REPLAYS_DONE);
	}
	return outcome;
}

uint64_t replays_needed_ns(const struct model *model, uint32_t process)
{
	uint64_t sum_ns = 0;

	for (guint i = 0; i < model->replays->len; i++) {
		const struct model_replay *replay = replay_at(model, i);

		if (replay->process == process)
			sum_ns += replay->needed_ns ?: replay->span.end_ns - replay->span.begin_ns;
	}
	return sum_ns;
}

/* Reasons are compared as pointers: equal strings of a model are the same. */
static bool has_reason(const struct model *model, guint i, const char *reason)
{
	return replay_at(model, i)->reason == reason;
}

/* Whether an earlier replay of the same kernel has the same reason. */
static bool is_again(const struct model *model, guint own)
{
	const struct model_replay *replay = replay_at(model, own);

	for (guint i = 0; i < own; i++)
		if (has_reason(model, i, replay->reason) &&
			replay_at(model, i)->process == replay->process &&
			replay_at(model, i)->kernel == replay->kernel)
			return true;
	return false;
}

guint replays_alike(const struct model *model, guint own)
{
	const char *reason = replay_at(model, own)->reason;
	guint count = 0;

	for (guint i = 0; i < own; i++)
		if (has_reason(model, i, reason))
			return 0;
	for (guint i = own; i < model->replays->len; i++)
		count += has_reason(model, i, reason) && !is_again(model, i);
	return count;
}
