/* SPDX-License-Identifier: MIT */
#include "analyzer/library/clocks.h"

#include "analyzer/model/state.h"

double *library_clocks(const struct model *model, const struct classes *classes)
{
	struct states *states = states_of(model);
	struct state_sums *sums = g_new0(struct state_sums, classes->list->len + 1);
	double *clock_mhz = g_new(double, classes->list->len + 1);

	for (guint i = 0; model->state_sensors->len && i < model->executions->len; i++) {
		const struct model_execution *execution = model_execution_at(model, i);
		uint32_t class_index = classes_find(classes, execution);

		if (class_index != CLASSES_NONE)
			states_add(states, &sums[class_index], model_gpu_of(model, execution),
				execution->begin_ns, execution->end_ns);
	}
	for (guint i = 0; i < classes->list->len; i++)
		clock_mhz[i] = state_clock_mhz(&sums[i]);
	states_free(states);
	g_free(sums);
	return clock_mhz;
}
