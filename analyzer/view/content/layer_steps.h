/* SPDX-License-Identifier: MIT */
/* How threads open and close layers, step by step in the order of time: in each thread a layer
 * closes after all that were opened within it. */
#ifndef PWRTRACE_LAYER_STEPS_H
#define PWRTRACE_LAYER_STEPS_H

#include "analyzer/model/timeline.h"

struct layer_step {
	uint64_t time_ns;
	uint32_t process; /* index in model->processes */
	uint32_t thread;  /* of the timeline */
	guint depth;      /* of the layer: 1 is the outermost */
	const char *name; /* the model's */
	bool begins;      /* else it ends */
};

struct layer_steps;

/* Begins at the first step; the model and the timeline must outlive it.  timeline NULL: there are
 * no steps. */
struct layer_steps *layer_steps_new(const struct model *model, const struct timeline *timeline);
void layer_steps_free(struct layer_steps *steps);

/* Fills the next step; returns false where there is none. */
bool layer_steps_next(struct layer_steps *steps, struct layer_step *step);

#endif
