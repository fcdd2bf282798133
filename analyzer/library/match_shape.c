/* SPDX-License-Identifier: MIT */
/* What kernels of the same name and another shape say of a class. */
#include <math.h>

#include "analyzer/library/match_job.h"
#include "analyzer/regress/design/size_prior.h"

#define SHAPE_SPREAD 0.2 /* relative: between shapes of one kernel */
#define TOLD_WELL 0.2    /* relative deviation: what is known less well tells no other shape */

static double size_of(
	const struct match_job *job, const struct library_work *work, double length_ns)
{
	return size_prior_of(library_gpu(job->model, job->source),
		&(struct kernel_size){work->name, work->grid, work->block, length_ns})
		.mean;
}

static double size_ratio(
	const struct match_job *job, const struct library_class *told, guint class_index)
{
	double here = size_of(job, &job->work[class_index], job->median_ns[class_index]);

	return here > 0 ? here / size_of(job, &told->work, told->median_ns) : 0;
}

struct match_shape match_find_other_shape(
	const struct match_job *job, const GPtrArray *messages, guint class_index)
{
	struct match_shape found = {.column = match_class_at(job, class_index)->column};
	double nearest = INFINITY;

	for (guint m = 0; m < messages->len; m++) {
		const struct library_message *message = g_ptr_array_index(messages, m);

		for (guint i = 0; i < message->classes->len; i++) {
			const struct library_class *told = match_told_at(message, i);
			double off = fabs(log(job->median_ns[class_index] / told->median_ns));

			if (library_other_shape(&job->work[class_index], &told->work) &&
				!library_same_work(&job->work[class_index], &told->work) &&
				told->deviation_w < TOLD_WELL * told->dynamic_w && off < nearest) {
				nearest = off;
				found.message = message;
				found.told = told;
			}
		}
	}
	if (found.told)
		found.ratio = size_ratio(job, found.told, class_index);
	return found;
}

void match_set_other_shape(
	const struct match_shape *shape, guint board, struct remembered *remembered, guint row)
{
	guint recording = remembered_add_recording(remembered, board);
	struct remembered_column *column = &remembered->column[shape->column];
	double *seen_w =
		g_array_index(remembered->recordings, struct remembered_recording, recording)
			.seen_w;

	seen_w[shape->column] = shape->ratio * shape->told->dynamic_w;
	column->as = REMEMBERED_OTHER_SHAPE;
	column->spread = SHAPE_SPREAD;
	remembered->recording[row] = recording;
	remembered->part[row * remembered->columns + shape->column] =
		1 / MAX(shape->told->deviation_w, 1e-3) / shape->ratio;
	remembered->sum[row] = shape->told->dynamic_w / MAX(shape->told->deviation_w, 1e-3);
}
