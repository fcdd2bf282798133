/* SPDX-License-Identifier: MIT */
#include "analyzer/load/take.h"

#include <string.h>

#include "analyzer/clock/clock.h"
#include "analyzer/load/waits.h"
#include "analyzer/print/text.h"

const char *take_text(struct model *model, const char *text)
{
	const char *kept;
	char *valid;

	if (g_utf8_validate(text, -1, NULL))
		return g_string_chunk_insert_const(model->strings, text);
	valid = text_valid(text);
	kept = g_string_chunk_insert_const(model->strings, valid);
	g_free(valid);
	return kept;
}

const char *take_machine(struct model *model, const char *host, const char *boot_id)
{
	return take_text(model, *boot_id ? boot_id : host);
}

void take_schema(struct model *model, uint32_t schema)
{
	if (schema != PWRTRACE_UNKNOWN_U32)
		model->newest_schema = MAX(model->newest_schema, schema);
}

static void take_tag(struct model *model, unsigned trace, const void *record)
{
	const struct pwrtrace_tag *e = record;
	struct model_tag tag = {take_text(model, e->key), take_text(model, e->value)};

	(void)trace;
	for (guint i = 0; i < model->tags->len; i++) {
		const struct model_tag *known = &g_array_index(model->tags, struct model_tag, i);

		if (known->key == tag.key && known->value == tag.value)
			return;
	}
	g_array_append_val(model->tags, tag);
}

static void take_lost(struct model *model, unsigned trace, const void *record)
{
	const struct pwrtrace_lost *e = record;
	struct model_lost fresh = {take_text(model, e->what), take_text(model, e->why), e->count};

	(void)trace;
	for (guint i = 0; i < model->lost->len; i++) {
		struct model_lost *lost = &g_array_index(model->lost, struct model_lost, i);

		if (lost->what == fresh.what && lost->why == fresh.why) {
			lost->count += e->count;
			return;
		}
	}
	g_array_append_val(model->lost, fresh);
}

/* Where the clock of an anchor is kept; NULL: there is none. */
static struct clock **clock_place(
	const struct model_process *process, const struct pwrtrace_clock_sync *e)
{
	struct model_device *device = table_slot(process->devices, e->device);
	struct model_clock *other;

	if (!e->clock || e->clock == PWRTRACE_UNKNOWN_U32)
		return device ? &device->clock : NULL;
	other = table_slot(process->clocks, e->clock);
	if (!other)
		return NULL;
	other->device = e->device;
	return &other->clock;
}

static void take_clock_sync(struct model *model, unsigned trace, const void *record)
{
	const struct pwrtrace_clock_sync *e = record;
	struct clock **clock;

	/* 0 is CLOCK_REALTIME. */
	if (!e->device)
		return;
	clock = clock_place(take_process_of(model, trace, e->pid), e);
	if (!clock)
		return;
	if (!*clock)
		*clock = clock_new();
	clock_add(*clock, e->host_ns, e->raw_ns, e->error_ns);
}

/* What the model needs of an event: NULL for all fields, else those named, and more where it is to
 * know of layers.  Of the many events, what is not needed costs nothing; the few are read whole. */
static const struct {
	take *take;
	const char *fields;
	const char *for_layers;
} events[PWRTRACE_EV_COUNT] = {
	[PWRTRACE_EV_recording] = {take_recording, NULL, NULL},
	[PWRTRACE_EV_recording_end] = {take_recording_end, NULL, NULL},
	[PWRTRACE_EV_tag] = {take_tag, NULL, NULL},
	[PWRTRACE_EV_process] = {take_process, NULL, NULL},
	[PWRTRACE_EV_process_end] = {take_process_end, NULL, NULL},
	[PWRTRACE_EV_device] = {take_device, NULL, NULL},
	[PWRTRACE_EV_stream_def] = {take_stream_def, NULL, NULL},
	[PWRTRACE_EV_kernel_def] = {take_kernel_def, NULL, NULL},
	[PWRTRACE_EV_kernel_launch] = {take_kernel_launch,
		" pid correlation layer stack enqueue_ns return_ns ", NULL},
	[PWRTRACE_EV_kernel_exec] = {take_kernel_exec,
		" pid correlation kernel stream begin_ns end_ns raw_begin_ns raw_end_ns ", NULL},
	[PWRTRACE_EV_memory_exec] = {take_memory_exec,
		" pid correlation stream layer bytes enqueue_ns return_ns begin_ns end_ns "
		"raw_begin_ns raw_end_ns kind name stack ",
		NULL},
	[PWRTRACE_EV_graph_def] = {take_graph_def, NULL, NULL},
	[PWRTRACE_EV_graph_part] = {take_graph_part, NULL, NULL},
	[PWRTRACE_EV_graph_launch] = {take_graph_launch,
		" pid correlation graph stream layer enqueue_ns return_ns begin_ns end_ns "
		"raw_begin_ns raw_end_ns stack ",
		NULL},
	[PWRTRACE_EV_replay_begin] = {take_replay_begin, NULL, NULL},
	[PWRTRACE_EV_replay] = {take_replay, NULL, NULL},
	[PWRTRACE_EV_sync] = {take_sync, " pid correlation stream begin_ns end_ns awaits ", NULL},
	[PWRTRACE_EV_dependency] = {take_dependency, NULL, NULL},
	[PWRTRACE_EV_layer_def] = {take_layer_def, NULL, NULL},
	[PWRTRACE_EV_module_def] = {take_module_def, NULL, NULL},
	[PWRTRACE_EV_function_def] = {take_function_def, NULL, NULL},
	[PWRTRACE_EV_stack_def] = {take_stack_def, NULL, NULL},
	[PWRTRACE_EV_layer_push] = {take_layer_push, "", " pid tid layer begin_ns "},
	[PWRTRACE_EV_layer_pop] = {take_layer_pop, "", " pid tid layer end_ns "},
	[PWRTRACE_EV_mark] = {take_mark, NULL, NULL},
	[PWRTRACE_EV_sensor_def] = {take_sensor_def, NULL, NULL},
	[PWRTRACE_EV_sensor_calibration] = {take_sensor_calibration, NULL, NULL},
	[PWRTRACE_EV_sensor_response] = {take_sensor_response, NULL, NULL},
	[PWRTRACE_EV_power_sample] = {take_power_sample, NULL, NULL},
	[PWRTRACE_EV_energy_counter] = {take_energy_counter, NULL, NULL},
	[PWRTRACE_EV_device_state] = {take_device_state,
		" pid sensor time_ns sm_clock_mhz throttle_reasons ", NULL},
	[PWRTRACE_EV_clock_sync] = {take_clock_sync, NULL, NULL},
	[PWRTRACE_EV_lost] = {take_lost, NULL, NULL},
};

void take_event(void *data, unsigned trace, enum pwrtrace_event_id id, const void *record)
{
	struct model *model = data;

	model->event_count[id]++;
	if (events[id].take)
		events[id].take(model, trace, record);
}

bool take_wants(void *data, enum pwrtrace_event_id id, const char *field)
{
	const struct model *model = data;
	char word[64];

	if (!events[id].fields)
		return events[id].take != NULL;
	g_snprintf(word, sizeof(word), " %s ", field);
	return strstr(events[id].fields, word) ||
	       (model->ranges && events[id].for_layers && strstr(events[id].for_layers, word));
}

void take_damaged(void *data)
{
	struct model *model = data;

	model->damaged++;
}

void take_discarded(void *data, uint64_t count)
{
	struct model *model = data;

	model->discarded += count;
}
