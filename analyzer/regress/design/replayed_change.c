/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/design/replayed_change.h"

#include <math.h>

#include "analyzer/numeric/parallel.h"
#include "analyzer/response/activity.h"

#define READINGS_TOGETHER 250 /* so that their bins need little memory */
#define BIN_NS 0.3e6          /* several short repetitions, each with the read before it */
#define BINS_SEEN 1000        /* by a reading, at most, for slow sensors */

struct changes_job {
	const struct columns *all;
	struct columns of_replays; /* the same, but that the program's executions are in none */
	struct activity_plan plan;
	const struct response *response;
	const struct power_reading *readings;
	guint count;
	double reach_ns, bin_ns;
	struct replayed_change *changes;
};

static double part_of(const struct activity *activity, const struct changes_job *job, guint row)
{
	double part = 0;

	activity_add_parts(activity, job->response, &job->readings[row], 1, &part);
	return part;
}

static void find_changes(guint i, void *context)
{
	const struct changes_job *job = context;
	guint first = i * READINGS_TOGETHER, end = MIN(first + READINGS_TOGETHER, job->count);
	struct activity *replayed = activity_make(&job->of_replays, &job->readings[first],
		end - first, job->reach_ns, job->bin_ns, &job->plan);

	if (replayed->below[replayed->bins] > 0) {
		struct activity *all = activity_make(job->all, &job->readings[first], end - first,
			job->reach_ns, job->bin_ns, &job->plan);
		struct activity *squares = activity_squared(all);

		for (guint row = first; row < end; row++) {
			double mean_w = part_of(all, job, row);

			job->changes[row] = (struct replayed_change){
				.part = mean_w > 0 ? part_of(replayed, job, row) / mean_w : 0,
				.coarse_w2 = MAX(part_of(squares, job, row) - mean_w * mean_w, 0),
			};
		}
		activity_free(squares);
		activity_free(all);
	}
	activity_free(replayed);
}

/* Sets the columns to those of classes, less the program's executions.  g_free their of_origin. */
static void set_columns_of_replays(struct columns *columns, const struct classes *classes)
{
	const GArray *origins = classes->columns.model->origins->list;

	*columns = classes->columns;
	columns->of_origin = g_new(uint32_t, origins->len + 1);
	for (guint i = 0; i < origins->len; i++)
		columns->of_origin[i] =
			g_array_index(origins, struct model_origin, i).replayed == MODEL_OF_PROGRAM
				? COLUMNS_NONE
				: classes->columns.of_origin[i];
}

struct replayed_change *replayed_changes_of(const struct classes *classes,
	const struct response *response, const struct power_reading *readings, guint count,
	const double *power_w)
{
	struct changes_job job = {.all = &classes->columns,
		.plan = {.slots = 1, .weight_of = power_w},
		.response = response,
		.readings = readings,
		.count = count};

	if (!classes->replayed || !count)
		return NULL;
	set_columns_of_replays(&job.of_replays, classes);
	job.reach_ns = MAX(fabs(response_end_ns(response)), fabs(response->begin_ns));
	job.bin_ns = MAX(BIN_NS, (readings[0].time_ns - readings[0].since_ns +
					 response_end_ns(response) - response->begin_ns) /
					 BINS_SEEN);
	job.changes = g_new0(struct replayed_change, count);
	parallel_for((count + READINGS_TOGETHER - 1) / READINGS_TOGETHER, find_changes, &job);
	g_free(job.of_replays.of_origin);
	return job.changes;
}
