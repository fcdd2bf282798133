/* SPDX-License-Identifier: MIT */
#include "analyzer/view/content/layer_steps.h"

#include "analyzer/model/layer_tree.h"

/* Layers of a thread, outermost first. */
struct chain {
	uint32_t layers[LAYER_TREE_DEPTH];
	guint depth;
};

struct layer_steps {
	const struct model *model;
	const struct timeline *timeline;
	guint next;          /* switch */
	struct chain *open;  /* by thread */
	struct chain wanted; /* after the switch before */
	guint same;          /* so many layers of the thread are as wanted */
};

struct layer_steps *layer_steps_new(const struct model *model, const struct timeline *timeline)
{
	struct layer_steps *steps = g_new0(struct layer_steps, 1);

	*steps = (struct layer_steps){.model = model,
		.timeline = timeline,
		.open = g_new0(struct chain, timeline ? timeline->threads + 1 : 1)};
	return steps;
}

void layer_steps_free(struct layer_steps *steps)
{
	g_free(steps->open);
	g_free(steps);
}

static const struct timeline_switch *switch_at(const struct layer_steps *steps, guint i)
{
	return mapped_array_at(steps->timeline->switches, i);
}

static const struct model_layer *layer_of(
	const struct layer_steps *steps, const struct timeline_switch *change, uint32_t id)
{
	const struct model_process *process =
		&g_array_index(steps->model->processes, struct model_process, change->process);

	return table_find(process->layers, id);
}

/* The layer around a layer; 0: none. */
static uint32_t parent_of(
	const struct layer_steps *steps, const struct timeline_switch *change, uint32_t id)
{
	const struct model_layer *layer = layer_of(steps, change, id);

	return layer ? layer->parent : 0;
}

/* Wants the layers that are open after a switch; of those that are too deep, the outermost. */
static void want(struct layer_steps *steps, const struct timeline_switch *change)
{
	struct chain *wanted = &steps->wanted;
	const struct chain *open = &steps->open[change->thread];
	guint depth = 0;

	for (uint32_t id = change->layer; id; id = parent_of(steps, change, id))
		depth++;
	wanted->depth = MIN(depth, LAYER_TREE_DEPTH);
	for (uint32_t id = change->layer; id; id = parent_of(steps, change, id))
		if (--depth < LAYER_TREE_DEPTH)
			wanted->layers[depth] = id;
	steps->same = 0;
	while (steps->same < MIN(wanted->depth, open->depth) &&
		wanted->layers[steps->same] == open->layers[steps->same])
		steps->same++;
}

static void fill(const struct layer_steps *steps, struct layer_step *step, uint32_t id, bool begins)
{
	const struct timeline_switch *change = switch_at(steps, steps->next - 1);
	const struct model_layer *layer = layer_of(steps, change, id);

	*step = (struct layer_step){.time_ns = change->time_ns,
		.process = change->process,
		.thread = change->thread,
		.name = layer && layer->defined ? layer->name : "(unknown layer)",
		.begins = begins};
}

bool layer_steps_next(struct layer_steps *steps, struct layer_step *step)
{
	if (!steps->timeline)
		return false;
	for (;;) {
		if (steps->next) {
			struct chain *open =
				&steps->open[switch_at(steps, steps->next - 1)->thread];

			if (open->depth > steps->same) {
				fill(steps, step, open->layers[open->depth - 1], false);
				step->depth = open->depth--;
				return true;
			}
			if (open->depth < steps->wanted.depth) {
				fill(steps, step, steps->wanted.layers[open->depth], true);
				open->layers[open->depth] = steps->wanted.layers[open->depth];
				step->depth = ++open->depth;
				steps->same = open->depth;
				return true;
			}
		}
		if (steps->next == steps->timeline->switches->len)
			return false;
		want(steps, switch_at(steps, steps->next++));
	}
}
