/* SPDX-License-Identifier: MIT */
#include "analyzer/load/take.h"

#define BOOTED_LAST_NS (INT64_C(1) << 62) /* since 1970: in the year 2116 */

static struct model_recording *recording_at(struct model *model, unsigned trace, uint32_t process)
{
	struct model_recording fresh = {.trace = trace,
		.process_number = process,
		.host = "",
		.machine = "",
		.command = "",
		.power = "",
		.why = ""};

	for (guint i = 0; i < model->recordings->len; i++) {
		struct model_recording *recording =
			&g_array_index(model->recordings, struct model_recording, i);

		if (recording->trace == trace && recording->process_number == process)
			return recording;
	}
	g_array_append_val(model->recordings, fresh);
	return &g_array_index(
		model->recordings, struct model_recording, model->recordings->len - 1);
}

void take_recording(struct loader *loader, unsigned trace, const struct pwrtrace_recording *e)
{
	struct model_recording *recording = recording_at(loader->model, trace, e->process);

	recording->host = loader_text(loader, e->host);
	recording->machine = loader_machine(loader, e->host, e->boot_id);
	recording->command = loader_text(loader, e->command);
	recording->power = loader_text(loader, e->power);
	recording->realtime_offset_ns =
		e->realtime_offset_ns > 0 && e->realtime_offset_ns < BOOTED_LAST_NS
			? e->realtime_offset_ns
			: 0;
	recording->span.begin_ns = e->begin_ns;
	loader_schema(loader, e->schema);
}

void take_recording_end(
	struct loader *loader, unsigned trace, const struct pwrtrace_recording_end *e)
{
	struct model_recording *recording = recording_at(loader->model, trace, e->process);

	recording->why = loader_text(loader, e->why);
	recording->cut_off = g_str_has_prefix(e->why, PWRTRACE_CUT_OFF);
	if (e->end_ns == PWRTRACE_UNKNOWN_U64)
		return;
	recording->span.end_ns = e->end_ns;
	loader_reach(loader, trace, e->end_ns);
}

void take_tag(struct loader *loader, unsigned trace, const struct pwrtrace_tag *e)
{
	struct model_tag tag = {loader_text(loader, e->key), loader_text(loader, e->value)};

	(void)trace;
	for (guint i = 0; i < loader->model->tags->len; i++) {
		const struct model_tag *known =
			&g_array_index(loader->model->tags, struct model_tag, i);

		if (known->key == tag.key && known->value == tag.value)
			return;
	}
	g_array_append_val(loader->model->tags, tag);
}

void take_lost(struct loader *loader, unsigned trace, const struct pwrtrace_lost *e)
{
	struct model_lost fresh = {
		loader_text(loader, e->what), loader_text(loader, e->why), e->count};

	(void)trace;
	for (guint i = 0; i < loader->model->lost->len; i++) {
		struct model_lost *lost = &g_array_index(loader->model->lost, struct model_lost, i);

		if (lost->what == fresh.what && lost->why == fresh.why) {
			lost->count += e->count;
			return;
		}
	}
	g_array_append_val(loader->model->lost, fresh);
}
