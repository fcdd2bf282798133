/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/design/replayed_change.h"

#include "analyzer/numeric/parallel.h"
#include "analyzer/regress/design/design.h"

#define READINGS_TOGETHER 250 /* many more than executions reach over */
#define BIN_NS 0.3e6          /* several short repetitions, each with the read before it */
#define BINS_SEEN 1000        /* by a reading, at most, so that slow sensors need little memory */

struct readings_piece {
	guint first, end;
};

struct changes_job {
	const struct classes *classes;
	const struct response *response;
	const struct power_reading *readings;
	const double *power_w;
	double bin_ns;
	GArray *pieces; /* struct readings_piece */
	struct replayed_change *changes;
};

/* The dynamic power by time, as means over bins from begin_ns on, and what replays draw of it. */
struct binned_power {
	double begin_ns, end_ns, bin_ns;
	guint bins;
	double *power_w, *replayed_w;
};

static void add_execution(struct binned_power *binned, const struct model_execution *execution,
	double power_w, bool replayed)
{
	double begin_ns = MAX((double)execution->begin_ns, binned->begin_ns) - binned->begin_ns;
	double end_ns = MIN((double)execution->end_ns, binned->end_ns) - binned->begin_ns;

	for (guint bin = (guint)(begin_ns / binned->bin_ns);
		bin < binned->bins && bin * binned->bin_ns < end_ns; bin++) {
		double overlap_ns = MIN(end_ns, (bin + 1) * binned->bin_ns) -
				    MAX(begin_ns, bin * binned->bin_ns);
		double mean_w = power_w * overlap_ns / binned->bin_ns;

		binned->power_w[bin] += mean_w;
		binned->replayed_w[bin] += replayed ? mean_w : 0;
	}
}

/* Adds all executions; returns whether any is of a replay. */
static bool add_executions(struct binned_power *binned, const struct changes_job *job)
{
	const struct columns *columns = &job->classes->columns;
	const struct model *model = columns->model;
	bool any = false;

	for (guint i = columns_from(columns, binned->begin_ns); i < model->executions->len; i++) {
		const struct model_execution *execution = model_execution_at(model, i);
		uint32_t column = columns_find(columns, execution);
		bool replayed;

		if ((double)execution->begin_ns >= binned->end_ns)
			break;
		if (column == COLUMNS_NONE || (double)execution->end_ns <= binned->begin_ns)
			continue;
		replayed = model_origin_of(model, execution)->replayed != MODEL_OF_PROGRAM;
		any |= replayed;
		add_execution(binned, execution,
			job->power_w[column] * columns_part(columns, execution), replayed);
	}
	return any;
}

static struct replayed_change change_in(const struct binned_power *binned,
	const struct response *response, const struct power_reading *reading)
{
	double first_ns = reading->since_ns - response_end_ns(response) - binned->begin_ns;
	double last_ns = reading->time_ns - response->begin_ns - binned->begin_ns;
	double mean_w = 0, replayed_w = 0, mean_square_w2 = 0;

	for (guint bin = (guint)(MAX(first_ns, 0) / binned->bin_ns);
		bin < binned->bins && bin * binned->bin_ns < last_ns; bin++) {
		double begin_ns = binned->begin_ns + bin * binned->bin_ns;
		double part = design_part(response, reading, begin_ns, begin_ns + binned->bin_ns);

		mean_w += part * binned->power_w[bin];
		mean_square_w2 += part * binned->power_w[bin] * binned->power_w[bin];
		replayed_w += part * binned->replayed_w[bin];
	}
	return (struct replayed_change){
		.part = mean_w > 0 ? replayed_w / mean_w : 0,
		.coarse_w2 = MAX(mean_square_w2 - mean_w * mean_w, 0),
	};
}

static void find_changes(guint i, void *context)
{
	const struct changes_job *job = context;
	struct readings_piece piece = g_array_index(job->pieces, struct readings_piece, i);
	struct binned_power binned = {
		.begin_ns = job->readings[piece.first].since_ns - response_end_ns(job->response),
		.end_ns = job->readings[piece.end - 1].time_ns - job->response->begin_ns,
		.bin_ns = job->bin_ns,
	};

	binned.bins = (guint)((binned.end_ns - binned.begin_ns) / binned.bin_ns) + 1;
	binned.power_w = g_new0(double, binned.bins);
	binned.replayed_w = g_new0(double, binned.bins);
	if (add_executions(&binned, job))
		for (guint row = piece.first; row < piece.end; row++)
			job->changes[row] = change_in(&binned, job->response, &job->readings[row]);
	g_free(binned.power_w);
	g_free(binned.replayed_w);
}

/* Readings in stretches far apart are in pieces of their own. */
static GArray *pieces_of(const struct power_reading *readings, guint count, double reach_ns)
{
	GArray *pieces = g_array_new(FALSE, FALSE, sizeof(struct readings_piece));

	for (guint first = 0, end; first < count; first = end) {
		for (end = first + 1;
			end < count && end - first < READINGS_TOGETHER &&
			readings[end].since_ns - readings[end - 1].time_ns < reach_ns;)
			end++;
		g_array_append_val(pieces, ((struct readings_piece){first, end}));
	}
	return pieces;
}

struct replayed_change *replayed_changes_of(const struct classes *classes,
	const struct response *response, const struct power_reading *readings, guint count,
	const double *power_w)
{
	struct changes_job job = {classes, response, readings, power_w, .pieces = NULL};

	if (!classes->replayed || !count)
		return NULL;
	job.bin_ns = MAX(BIN_NS, (readings[0].time_ns - readings[0].since_ns +
					 response_end_ns(response) - response->begin_ns) /
					 BINS_SEEN);
	job.changes = g_new0(struct replayed_change, count);
	job.pieces = pieces_of(readings, count, response_end_ns(response));
	parallel_for(job.pieces->len, find_changes, &job);
	g_array_unref(job.pieces);
	return job.changes;
}
