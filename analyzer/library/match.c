/* SPDX-License-Identifier: MIT */
/*
 * What a library tells a fit: the messages of the same kind of device, whose classes are found
 * among the fit's by their work.  Classes of a message that are not found are integrated out, with
 * the prior that they had there.
 */
#include <math.h>
#include <string.h>

#include "analyzer/library/match_job.h"
#include "analyzer/regress/design/medians.h"

#define ROWS_MAX 1000 /* equivalent measurements: their covariance is inverted */

/* ---- messages ---- */

static bool applies(const struct match_job *job, const struct library_message *message,
	const struct model_gpu *gpu, const char *id)
{
	return strcmp(message->id, id) != 0 && strcmp(message->device, gpu->name) == 0 &&
	       strcmp(message->domain, job->source->sensor->domain) == 0;
}

/* The fit's class that does the same work in the same time, the nearest where several do (sizes
 * that one shape does not tell apart), or MATCH_NO_CLASS. */
static guint find_class(struct match_job *job, const struct library_class *told)
{
	double follows = isfinite(told->follows) ? CLAMP(told->follows, 0, 1) : 0.5;
	double least = INFINITY;
	guint nearest = MATCH_NO_CLASS;

	for (guint i = 0; i < job->classes->list->len; i++) {
		double off = match_time_off(job, told, i, follows);

		if (!library_same_work(&job->work[i], &told->work) || match_class_at(job, i)->rare)
			continue;
		if (match_takes_other_time(job, told, i)) {
			job->refused[i] = true;
		} else if (off < least) {
			least = off;
			nearest = i;
		}
	}
	if (nearest != MATCH_NO_CLASS)
		job->found[nearest] = true;
	return nearest;
}

/* Adds a message where it has any of the fit's classes. */
static void add_message(struct match_job *job, const struct library_message *message)
{
	guint *of = g_new(guint, message->classes->len + 1);
	bool any = false;

	for (guint i = 0; i < message->classes->len; i++) {
		of[i] = find_class(job, match_told_at(message, i));
		any |= of[i] != MATCH_NO_CLASS;
	}
	if (!any) {
		g_free(of);
		return;
	}
	g_ptr_array_add(job->messages, (gpointer)message);
	g_ptr_array_add(job->classes_of, of);
}

/* 0: the board of the fit. */
static guint board_number(struct match_job *job, const struct library_message *message)
{
	const struct model_gpu *gpu = library_gpu(job->model, job->source);
	guint number;

	if (*message->board && strcmp(message->board, gpu->uuid) == 0)
		return 0;
	number = GPOINTER_TO_UINT(g_hash_table_lookup(job->boards, message->board));
	if (!number) {
		number = g_hash_table_size(job->boards) + 1;
		g_hash_table_insert(
			job->boards, (gpointer)message->board, GUINT_TO_POINTER(number));
	}
	return number;
}

/* Sets the rows of a message, from first on. */
static void set_rows(
	struct match_job *job, guint number, struct remembered *remembered, guint first)
{
	const struct library_message *message = g_ptr_array_index(job->messages, number);
	const guint *of = g_ptr_array_index(job->classes_of, number);
	guint count = message->classes->len;
	guint recording = remembered_add_recording(remembered, board_number(job, message));
	double *seen_w =
		g_array_index(remembered->recordings, struct remembered_recording, recording)
			.seen_w;

	for (guint row = 0; row < message->rows; row++)
		remembered->recording[first + row] = recording,
					      remembered->sum[first + row] = message->sum[row];
	for (guint i = 0; i < count; i++) {
		const struct library_class *told = match_told_at(message, i);
		uint32_t column = of[i] == MATCH_NO_CLASS ? 0 : match_class_at(job, of[i])->column;
		double ratio = of[i] == MATCH_NO_CLASS ? 1 : match_power_ratio(job, told, of[i]);

		for (guint row = 0; row < message->rows; row++) {
			double part = message->part[(gsize)row * count + i];
			double *noise =
				remembered->noise + (first + row) * remembered->rows + first;

			if (of[i] != MATCH_NO_CLASS) {
				/* Several classes there may be one here. */
				remembered->part[(first + row) * remembered->columns + column] +=
					part / ratio;
				continue;
			}
			remembered->sum[first + row] -= part * told->prior_w;
			for (guint k = 0; k < message->rows; k++)
				noise[k] += part * message->part[(gsize)k * count + i] *
					    pow(told->prior_deviation_w, 2);
		}
		if (of[i] == MATCH_NO_CLASS)
			continue;
		seen_w[column] =
			MAX(seen_w[column], ratio * MAX(told->dynamic_w, told->deviation_w));
		remembered->column[column].as = REMEMBERED_SAME;
		remembered->column[column].measured |=
			told->deviation_w < LIBRARY_MEASURED * told->prior_deviation_w;
		remembered->column[column].spread = MAX(
			remembered->column[column].spread, match_spread(job, message, told, of[i]));
	}
}

/* ---- the sensor's response ---- */

/* Whether a message is of a sensor like the fit's, which responds alike. */
static bool same_sensor(const struct match_job *job, const struct library_message *message)
{
	const struct model_sensor *sensor = job->source->sensor;

	return strcmp(message->source, sensor->source) == 0 &&
	       strcmp(message->driver, sensor->driver) == 0;
}

/* Whether a message tells the response better than another: that of the fit's own board does, and
 * then the one that tells most. */
static bool tells_better(struct match_job *job, const struct library_message *message,
	const struct library_message *other)
{
	bool own = board_number(job, message) == 0, other_own = board_number(job, other) == 0;

	return own == other_own ? message->rows > other->rows : own;
}

static void set_response(
	struct match_job *job, const GPtrArray *applying, struct remembered *remembered)
{
	const struct library_message *chosen = NULL;

	for (guint i = 0; i < applying->len; i++) {
		const struct library_message *message = g_ptr_array_index(applying, i);

		if (message->has_response && same_sensor(job, message) &&
			(!chosen || tells_better(job, message, chosen)))
			chosen = message;
	}
	remembered->has_response = chosen != NULL;
	if (chosen)
		remembered->response = chosen->response;
}

/* ---- all of it ---- */

static void set_up(struct match_job *job)
{
	guint count = job->classes->list->len;

	job->work = g_new(struct library_work, count + 1);
	for (guint i = 0; i < count; i++) {
		const struct model_origin *origin = match_class_at(job, i)->origin;

		job->work[i] = library_work_of(job->model, origin);
		if (origin_is_unlike(origin))
			job->work[i] = (struct library_work){.kind = "", .name = ""};
	}
	job->median_ns = medians_of(job->model, job->classes, 0, job->model->executions->len);
	job->clocks = library_clocks(job->model, job->classes);
	job->found = g_new0(bool, count + 1);
	job->refused = g_new0(bool, count + 1);
	job->messages = g_ptr_array_new();
	job->classes_of = g_ptr_array_new_with_free_func(g_free);
	job->boards = g_hash_table_new(g_str_hash, g_str_equal);
}

static void clear(struct match_job *job)
{
	g_free(job->work);
	g_free(job->median_ns);
	g_free(job->clocks);
	g_free(job->found);
	g_free(job->refused);
	g_ptr_array_free(job->messages, TRUE);
	g_ptr_array_free(job->classes_of, TRUE);
	g_hash_table_destroy(job->boards);
}

static struct remembered *remember(struct match_job *job, const GPtrArray *applying)
{
	GArray *shapes = g_array_new(FALSE, FALSE, sizeof(struct match_shape));
	struct remembered *remembered;
	guint rows = 0, row = 0, refused = 0, kept = 0;

	for (; kept < job->messages->len; kept++) {
		const struct library_message *message = g_ptr_array_index(job->messages, kept);

		if (rows + message->rows > ROWS_MAX)
			break;
		rows += message->rows;
	}
	for (guint i = 0; i < job->classes->list->len; i++) {
		struct match_shape shape;

		refused += job->refused[i] && !job->found[i];
		if (job->found[i] || job->refused[i] || match_class_at(job, i)->rare)
			continue;
		shape = match_find_other_shape(job, applying, i);
		if (shape.ratio > 0 && rows + shapes->len < ROWS_MAX)
			g_array_append_val(shapes, shape);
	}
	remembered = remembered_new(job->classes->columns.count, rows + shapes->len);
	remembered->path = job->library->path;
	set_response(job, applying, remembered);
	remembered->refused = refused;
	for (guint i = 0; i < kept; i++) {
		set_rows(job, i, remembered, row);
		row += ((const struct library_message *)g_ptr_array_index(job->messages, i))->rows;
	}
	for (guint i = 0; i < shapes->len; i++) {
		const struct match_shape *shape = &g_array_index(shapes, struct match_shape, i);

		match_set_other_shape(shape, board_number(job, shape->message), remembered, row++);
	}
	g_array_free(shapes, TRUE);
	return remembered;
}

struct remembered *library_remember(const void *library, const struct model *model,
	const struct source *source, const struct classes *classes)
{
	struct match_job job = {
		.library = library, .model = model, .source = source, .classes = classes};
	const struct model_gpu *gpu = library_gpu(model, source);
	struct remembered *remembered;
	GPtrArray *applying;
	char *id;

	if (!gpu)
		return NULL;
	set_up(&job);
	applying = g_ptr_array_new();
	id = library_id(source);
	for (guint i = 0; i < job.library->messages->len; i++) {
		const struct library_message *message = g_ptr_array_index(job.library->messages, i);

		if (!applies(&job, message, gpu, id))
			continue;
		g_ptr_array_add(applying, (gpointer)message);
		add_message(&job, message);
	}
	remembered = remember(&job, applying);
	g_ptr_array_free(applying, TRUE);
	g_free(id);
	clear(&job);
	return remembered;
}
