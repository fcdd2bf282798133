/* SPDX-License-Identifier: MIT */
#include "analyzer/view/json/json_head.h"

#include "analyzer/model/timeline.h"
#include "analyzer/print/text.h"
#include "analyzer/view/json/json_put.h"

void json_put_traces(FILE *out, const char *key, const struct model *model)
{
	put_key(out, key);
	fputc('[', out);
	for (guint i = 0; i < model->directories->len; i++) {
		char *directory = text_valid(g_ptr_array_index(model->directories, i));

		if (i)
			fputc(',', out);
		put_string(out, directory);
		g_free(directory);
	}
	fputs("],\n ", out);
}

void json_put_opening(FILE *out, const char *schema, const struct ledger *ledger)
{
	fprintf(out, "{\"schema\":\"%s\",\n ", schema);
	json_put_traces(out, "trace", ledger->model);
	put_text(out, "method", ledger->method);
	put_truth(out, "estimated", ledger->estimated);
	fputs("\n ", out);
}

void json_put_tags(FILE *out, const struct model *model)
{
	const GArray *tags = model->tags;
	json_t *object = json_object();
	char *text;

	for (guint i = 0; i < tags->len; i++) {
		const struct model_tag *tag = &g_array_index(tags, struct model_tag, i);
		json_t *value = json_string(tag->value), *known = json_object_get(object, tag->key);

		if (!known)
			json_object_set_new(object, tag->key, value);
		else if (json_is_array(known))
			json_array_append_new(known, value);
		else
			json_object_set_new(object, tag->key, json_pack("[O, o]", known, value));
	}
	text = json_dumps(object, JSON_COMPACT);
	put_key(out, "tags");
	fprintf(out, "%s,\n ", text);
	free(text);
	json_decref(object);
}

void json_put_coverage(FILE *out, const struct ledger *ledger)
{
	const struct model *model = ledger->model;
	uint64_t lost = model->discarded;
	unsigned cut_off = 0, cut_off_recordings = 0;

	for (guint i = 0; i < model->recordings->len; i++)
		cut_off_recordings +=
			g_array_index(model->recordings, struct model_recording, i).cut_off;
	for (guint i = 0; i < model->processes->len; i++)
		cut_off += g_array_index(model->processes, struct model_process, i).cut_off;
	for (guint i = 0; i < model->lost->len; i++)
		lost += g_array_index(model->lost, struct model_lost, i).count;
	fprintf(out,
		"\"coverage\":{\"executions\":%" G_GUINT64_FORMAT
		",\"damaged_traces\":%" G_GUINT64_FORMAT ",\"lost_events\":%" G_GUINT64_FORMAT
		",\"unfinished\":%" G_GUINT64_FORMAT ",\"without_time\":%" G_GUINT64_FORMAT
		",\"cut_off_processes\":%u,\"cut_off_recordings\":%u,",
		ledger_executions(ledger), model->damaged, lost, model->unfinished,
		model->without_time, cut_off, cut_off_recordings);
	if (ledger->timeline)
		fprintf(out,
			"\"layers_not_closed\":%" G_GUINT64_FORMAT
			",\"layers_not_opened\":%" G_GUINT64_FORMAT ",",
			ledger->timeline->not_closed, ledger->timeline->not_opened);
	put_real(out, "power_gap_s",
		ledger->gap_ns == PWRTRACE_UNKNOWN_U64 ? -1 : (double)ledger->gap_ns / 1e9, 9);
	put_real(out, "unmeasured_s", (double)ledger->unmeasured.time_ns / 1e9, 9);
	fprintf(out, "\"unmeasured_executions\":%" G_GUINT64_FORMAT ",",
		ledger->unmeasured.executions);
	put_key(out, "clock_error_ns");
	if (model->clock_error_ns && model->clock_error_ns != PWRTRACE_UNKNOWN_U64)
		fprintf(out, "%" G_GUINT64_FORMAT, model->clock_error_ns);
	else
		fputs("null", out);
	fprintf(out, ",\"clock_contradicted\":%" G_GUINT64_FORMAT "},\n ",
		model->clock_contradicted);
}

void json_put_head(FILE *out, const char *schema, const struct ledger *ledger)
{
	json_put_opening(out, schema, ledger);
	json_put_tags(out, ledger->model);
	json_put_coverage(out, ledger);
}
