/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/repetition.h"

#include "analyzer/response/ablation.h"

#include <math.h>
#include <string.h>

#include "analyzer/regress/covariance.h"

#define DIFFERENCE 0.03   /* relative standard deviation of an execution's power: measured */
#define STEPS 8           /* parts of a reading are rounded to eighths to compare readings */
#define READINGS_MIN 0.01 /* of all readings, for a place to count: rarer ones average out */

/* A place in the loop of a program: readings that contain about the same, after about the same. */
struct loop_place {
	GArray *rows;    /* guint */
	GArray *columns; /* uint32_t: those with half a step or more of the reading */
};

static struct loop_place *place_new(const GArray *columns)
{
	struct loop_place *place = g_new(struct loop_place, 1);

	place->rows = g_array_new(FALSE, FALSE, sizeof(guint));
	place->columns = g_array_copy((GArray *)columns);
	return place;
}

static void place_free(void *data)
{
	struct loop_place *place = data;

	g_array_free(place->rows, TRUE);
	g_array_free(place->columns, TRUE);
	g_free(place);
}

static const struct design_entry *entry_at(const struct design *design, gsize i)
{
	return &g_array_index(design->entries, struct design_entry, i);
}

/* A row of the design with its parts rounded to whole steps; columns and steps are uint32_t. */
struct quantized_row {
	GArray *columns, *steps;
};

static struct quantized_row quantized_new(void)
{
	return (struct quantized_row){g_array_new(FALSE, FALSE, sizeof(uint32_t)),
		g_array_new(FALSE, FALSE, sizeof(uint32_t))};
}

static void quantized_clear(struct quantized_row *seen)
{
	g_array_free(seen->columns, TRUE);
	g_array_free(seen->steps, TRUE);
}

static void quantize(struct quantized_row *seen, const struct design *design, guint row)
{
	g_array_set_size(seen->columns, 0);
	g_array_set_size(seen->steps, 0);
	for (gsize i = design->first[row]; i < design->first[row + 1]; i++) {
		const struct design_entry *entry = entry_at(design, i);
		uint32_t steps = (uint32_t)lround(MAX(STEPS * (double)entry->part, 0));

		if (entry->column >= design->own || steps == 0)
			continue;
		g_array_append_val(seen->columns, entry->column);
		g_array_append_val(seen->steps, steps);
	}
}

static bool same(const GArray *a, const GArray *b)
{
	return a->len == b->len &&
	       (a->len == 0 || memcmp(a->data, b->data, a->len * sizeof(uint32_t)) == 0);
}

/* Identifies a place: a row, and the columns of the last row before it with other columns. */
static GBytes *key_of(const struct quantized_row *seen, const GArray *before)
{
	GByteArray *key = g_byte_array_new();
	const GArray *const parts[] = {seen->columns, seen->steps, before};

	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		g_byte_array_append(key, (const guint8 *)&parts[i]->len, sizeof(parts[i]->len));
		g_byte_array_append(key, (const guint8 *)parts[i]->data,
			parts[i]->len * (guint)sizeof(uint32_t));
	}
	return g_byte_array_free_to_bytes(key);
}

/* struct loop_place *, in the order of their first readings. */
static GPtrArray *find_places(const struct design *design)
{
	GPtrArray *places = g_ptr_array_new_with_free_func(place_free);
	GHashTable *by_key = g_hash_table_new_full(
		g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
	struct quantized_row now = quantized_new(), last = quantized_new();
	GArray *before = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	for (guint row = 0; row < design->rows; row++) {
		struct quantized_row other = last;
		struct loop_place *place;
		GBytes *key;

		quantize(&now, design, row);
		if (!same(now.columns, last.columns)) {
			g_array_set_size(before, 0);
			g_array_append_vals(before, last.columns->data, last.columns->len);
		}
		key = key_of(&now, before);
		place = g_hash_table_lookup(by_key, key);
		if (!place) {
			place = place_new(now.columns);
			g_ptr_array_add(places, place);
			g_hash_table_insert(by_key, g_bytes_ref(key), place);
		}
		g_bytes_unref(key);
		g_array_append_val(place->rows, row);
		last = now;
		now = other;
	}
	quantized_clear(&now);
	quantized_clear(&last);
	g_array_free(before, TRUE);
	g_hash_table_destroy(by_key);
	return places;
}

static double part_of(const struct design *design, guint row, uint32_t column)
{
	double part = 0;

	for (gsize i = design->first[row]; i < design->first[row + 1]; i++)
		if (entry_at(design, i)->column == column)
			part = entry_at(design, i)->part;
	return part;
}

/* What the variance of all places is computed from. */
struct repetition_job {
	struct regression *regression;
	const struct nuisances *nuisances;
	const double *sensitivity;
	size_t n;
	double *seen;      /* by column: the sum of its parts over all readings */
	double *length_ns; /* by column: mean duration of an execution */
	double *score;     /* n */
	double *moves;     /* by power */
};

/* Sets moves: by how much 1 W more of a class in this place moves each power, less the change of
 * the class's true mean power. */
static void set_moves(struct repetition_job *job, const struct loop_place *place, uint32_t column)
{
	const struct regression *regression = job->regression;
	double due = 0;

	memset(job->score, 0, job->n * sizeof(double));
	for (guint i = 0; i < place->rows->len; i++) {
		guint row = g_array_index(place->rows, guint, i);
		double part = part_of(regression->design, row, column);

		due += part / job->seen[column];
		nuisances_add_score(job->nuisances, regression, row, part, job->score);
	}
	covariance_times(job->sensitivity, job->n, job->score, regression->fit->powers, job->moves);
	job->moves[column] -= due;
}

/* The standard deviation of a class's power in one place about its mean, averaged over the
 * executions that fit into one step of a reading. */
static double difference_w(const struct repetition_job *job, uint32_t column)
{
	const struct fit *fit = job->regression->fit;
	double width_ns = MAX(fit->response.taps * fit->response.step_ns,
		job->regression->design->readings[0].length_ns);

	return DIFFERENCE * fit->power_w[column] *
	       sqrt(MIN(STEPS * job->length_ns[column] / width_ns, 1));
}

static void set_lengths(struct repetition_job *job)
{
	const struct classes *classes = job->regression->fit->classes;
	double *executions = g_new0(double, classes->columns.count + 1);

	for (guint i = 0; i < classes->list->len; i++) {
		const struct kernel_class *class =
			&g_array_index(classes->list, struct kernel_class, i);

		job->length_ns[class->column] += class->time_ns;
		executions[class->column] += (double)class->executions;
	}
	for (size_t i = 0; i < classes->columns.count; i++)
		job->length_ns[i] /= MAX(executions[i], 1);
	g_free(executions);
}

static void add_place(struct repetition_job *job, const struct loop_place *place)
{
	struct fit *fit = job->regression->fit;

	for (guint c = 0; c < place->columns->len; c++) {
		uint32_t column = g_array_index(place->columns, uint32_t, c);
		double differs_w = difference_w(job, column);

		set_moves(job, place, column);
		covariance_add(fit->covariance, fit->powers, differs_w * differs_w, job->moves);
	}
}

/* Holds the influences' factors fixed, by eliminating them from the covariance: influences are such
 * differences themselves, as far as these are known. */
static void hold_factors(const struct design *design, double *sensitivity, size_t n)
{
	for (size_t factor = design->own; factor < design->columns; factor++) {
		const double *line = sensitivity + factor * n;
		double whole = line[factor];

		for (size_t i = 0; i < n; i++) {
			double part = i == factor ? 0 : sensitivity[i * n + factor] / whole;

			for (size_t k = 0; k < n; k++)
				sensitivity[i * n + k] -= part * line[k];
		}
		memset(sensitivity + factor * n, 0, n * sizeof(*sensitivity));
	}
}

void repetition_add(struct regression *regression, const struct joint_fit *joint)
{
	const struct design *design = regression->design;
	size_t n = joint->n;
	double *sensitivity = g_memdup2(joint->inverse, n * n * sizeof(*sensitivity));
	struct repetition_job job = {regression, &joint->nuisances, sensitivity, n,
		g_new0(double, design->columns + 1), g_new0(double, design->columns + 1),
		g_new(double, n), g_new(double, n)};
	GPtrArray *places = find_places(design);

	set_lengths(&job);
	if (!ablated(ABLATION_REPETITION_FACTORS))
		hold_factors(design, sensitivity, n);
	for (gsize i = 0; i < design->entries->len; i++)
		job.seen[entry_at(design, i)->column] += entry_at(design, i)->part;
	for (guint i = 0; i < places->len; i++) {
		const struct loop_place *place = g_ptr_array_index(places, i);

		if (place->rows->len >= READINGS_MIN * design->rows &&
			!ablated(ABLATION_REPETITION))
			add_place(&job, place);
	}
	g_ptr_array_free(places, TRUE);
	g_free(sensitivity);
	g_free(job.seen);
	g_free(job.length_ns);
	g_free(job.score);
	g_free(job.moves);
}
