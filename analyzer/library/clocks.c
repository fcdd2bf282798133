/* SPDX-License-Identifier: MIT */
#include "analyzer/library/clocks.h"

#include "analyzer/model/state.h"

struct library_clock *library_clocks(const struct model *model, const struct classes *classes)
{
	struct states *states = states_of(model);
	struct state_sums *sums = g_new0(struct state_sums, classes->list->len + 1);
	struct library_clock *clocks = g_new0(struct library_clock, classes->list->len + 1);

	for (guint i = 0; i < model->executions->len; i++) {
		const struct model_execution *execution = model_execution_at(model, i);
		uint32_t class_index = classes_find(classes, execution);

		if (class_index == CLASSES_NONE)
			continue;
		states_add(states, &sums[class_index], model_gpu_of(model, execution),
			execution->begin_ns, execution->end_ns);
		clocks[class_index].mean_ns += classes_length_ns(classes, execution);
	}
	for (guint i = 0; i < classes->list->len; i++)
		clocks[i] = (struct library_clock){state_clock_mhz(&sums[i]),
			clocks[i].mean_ns /
				(double)g_array_index(classes->list, struct kernel_class, i)
					.executions};
	states_free(states);
	g_free(sums);
	return clocks;
}
