/* SPDX-License-Identifier: MIT */
#include "analyzer/efficiency/models.h"

#include <math.h>

#include "analyzer/print/cell.h"
#include "analyzer/print/message.h"

enum { TAGS = 3 };

static const char *const tags[TAGS] = {"model", "gpu", "batch"};

/* The value of a tag; NULL: the trace has none. */
static const char *tag_of(const struct model *model, const char *key)
{
	for (guint i = 0; i < model->tags->len; i++) {
		const struct model_tag *tag = &g_array_index(model->tags, struct model_tag, i);

		if (strcmp(tag->key, key) == 0)
			return tag->value;
	}
	return NULL;
}

const char *models_lack(const struct model *model)
{
	for (size_t i = 0; i < TAGS; i++)
		if (!tag_of(model, tags[i]))
			return tags[i];
	return NULL;
}

bool models_differ(const struct model *model)
{
	for (guint i = 0; i < model->tags->len; i++) {
		const struct model_tag *tag = &g_array_index(model->tags, struct model_tag, i);

		if (strcmp(tag->key, tags[0]) == 0 &&
			strcmp(tag->value, tag_of(model, tags[0])) != 0)
			return true;
	}
	return false;
}

static bool has_all_tags(const struct model *model)
{
	const char *lacks = models_lack(model);

	if (lacks)
		message_error("%s lacks the tag %s; record it with --tag %s=...",
			(const char *)g_ptr_array_index(model->directories, 0), lacks, lacks);
	return !lacks;
}

static struct efficiency_model *row_of(GArray *rows, const struct model *model)
{
	struct efficiency_model fresh = {.model = tag_of(model, tags[0]),
		.gpu = tag_of(model, tags[1]),
		.batch = tag_of(model, tags[2])};

	for (guint i = 0; i < rows->len; i++) {
		struct efficiency_model *row = &g_array_index(rows, struct efficiency_model, i);

		if (strcmp(row->model, fresh.model) == 0 && strcmp(row->gpu, fresh.gpu) == 0 &&
			strcmp(row->batch, fresh.batch) == 0)
			return row;
	}
	g_array_append_val(rows, fresh);
	return &g_array_index(rows, struct efficiency_model, rows->len - 1);
}

static void add(struct efficiency_steady *sum, const struct efficiency_steady *part)
{
	sum->energy_j += part->energy_j;
	sum->tokens += part->tokens;
	sum->output += part->output;
	sum->requests += part->requests;
	sum->gap_s += part->gap_s;
	sum->gaps += part->gaps;
}

static void finish(struct efficiency_model *row)
{
	const struct efficiency_steady *steady = &row->steady;

	row->j_per_token = steady->tokens > 0 ? steady->energy_j / steady->tokens : NAN;
	row->output = steady->requests > 0 ? steady->output / steady->requests : NAN;
	row->j_per_request = row->j_per_token * row->output;
	row->tpot_s = steady->gaps > 0 ? steady->gap_s / steady->gaps : NAN;
}

/* Returns false after an error message. */
static bool choose(GArray *rows, double deadline_s)
{
	struct efficiency_model *cheapest = NULL;
	double fastest_s = INFINITY;
	char deadline[CELL_MAX], fastest[CELL_MAX];

	for (guint i = 0; i < rows->len; i++) {
		struct efficiency_model *row = &g_array_index(rows, struct efficiency_model, i);

		fastest_s = fmin(fastest_s, row->tpot_s);
		if (!isnan(deadline_s) && !(row->tpot_s <= deadline_s))
			continue;
		if (!isnan(row->j_per_request) &&
			(!cheapest || row->j_per_request < cheapest->j_per_request))
			cheapest = row;
	}
	if (cheapest)
		cheapest->cheapest = true;
	if (cheapest || isnan(deadline_s))
		return true;
	cell_scaled(deadline, deadline_s, "s");
	cell_scaled(fastest, fastest_s, "s");
	if (fastest_s <= deadline_s)
		message_error("of no model within %s it is known what a request costs", deadline);
	else if (isfinite(fastest_s))
		message_error("no model is within %s: the fastest takes %s for a token", deadline,
			fastest);
	else
		message_error("of no model it is known how long a token takes");
	return false;
}

GArray *models_of(const GPtrArray *runs, double deadline_s)
{
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(struct efficiency_model));
	bool fine = true;

	for (guint i = 0; fine && i < runs->len; i++) {
		const struct efficiency_run *run = g_ptr_array_index(runs, i);

		fine = has_all_tags(run->ledger->model);
		if (fine)
			add(&row_of(rows, run->ledger->model)->steady, &run->steady);
	}
	for (guint i = 0; i < rows->len; i++)
		finish(&g_array_index(rows, struct efficiency_model, i));
	if (fine && choose(rows, deadline_s))
		return rows;
	g_array_free(rows, TRUE);
	return NULL;
}
