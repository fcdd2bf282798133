/* SPDX-License-Identifier: MIT */
#include "analyzer/attr/repetition.h"

#include <math.h>
#include <string.h>

#define DIFFERENCE 0.03   /* of an execution's power, a standard deviation */
#define STEPS 8           /* of a part, by which readings are alike */
#define READINGS_MIN 0.01 /* of all, that a place is worth asking */

/* Readings that see about the same: a place in what the program repeats. */
struct place {
	GArray *rows;    /* guint */
	GArray *columns; /* uint32_t: classes that are seen for half a step or longer */
};

static struct place *place_new(const uint32_t *key, guint length)
{
	struct place *place = g_new(struct place, 1);

	place->rows = g_array_new(FALSE, FALSE, sizeof(guint));
	place->columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	for (guint i = 0; i < length; i += 2)
		g_array_append_val(place->columns, key[i]);
	return place;
}

static void place_free(void *data)
{
	struct place *place = data;

	g_array_free(place->rows, TRUE);
	g_array_free(place->columns, TRUE);
	g_free(place);
}

static const struct design_entry *entry_at(const struct design *design, gsize i)
{
	return &g_array_index(design->entries, struct design_entry, i);
}

/* The columns that a reading sees, each with its part in whole steps. */
static void set_key(const struct design *design, guint row, GArray *key)
{
	g_array_set_size(key, 0);
	for (gsize i = design->first[row]; i < design->first[row + 1]; i++) {
		const struct design_entry *entry = entry_at(design, i);
		uint32_t steps = (uint32_t)lround(MAX(STEPS * (double)entry->part, 0));

		if (entry->column >= design->own || steps == 0)
			continue;
		g_array_append_val(key, entry->column);
		g_array_append_val(key, steps);
	}
}

/* struct place *, in the order of their first readings. */
static GPtrArray *find_places(const struct design *design)
{
	GPtrArray *places = g_ptr_array_new_with_free_func(place_free);
	GHashTable *by_key = g_hash_table_new_full(
		g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
	GArray *key = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	for (guint row = 0; row < design->rows; row++) {
		struct place *place;
		GBytes *bytes;

		set_key(design, row, key);
		bytes = g_bytes_new(key->data, key->len * sizeof(uint32_t));
		place = g_hash_table_lookup(by_key, bytes);
		if (place) {
			g_bytes_unref(bytes);
		} else {
			place = place_new((const uint32_t *)(void *)key->data, key->len);
			g_ptr_array_add(places, place);
			g_hash_table_insert(by_key, bytes, place);
		}
		g_array_append_val(place->rows, row);
	}
	g_array_free(key, TRUE);
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

struct adding {
	struct fitting *fitting;
	const struct nuisances *nuisances;
	const double *lines;
	size_t n;
	double *seen;      /* by column: its parts in all readings */
	double *length_ns; /* by column: of an execution, in the mean */
	double *score;     /* n */
	double *moves;     /* by power */
};

/* By how much 1 W more of a class in a place moves each power, beyond what is due: its mean. */
static void set_moves(struct adding *adding, const struct place *place, uint32_t column)
{
	const struct fitting *fitting = adding->fitting;
	double due = 0;

	memset(adding->score, 0, adding->n * sizeof(double));
	for (guint i = 0; i < place->rows->len; i++) {
		guint row = g_array_index(place->rows, guint, i);
		double part = part_of(fitting->design, row, column);

		due += part / adding->seen[column];
		nuisances_add_score(adding->nuisances, fitting, row, part, adding->score);
	}
	for (size_t i = 0; i < fitting->fit->powers; i++) {
		adding->moves[i] = i == column ? -due : 0;
		for (size_t k = 0; k < adding->n; k++)
			adding->moves[i] += adding->lines[i * adding->n + k] * adding->score[k];
	}
}

/* By how much a class may draw more in a place than in the mean: as many of its executions fit
 * there as in a step of the response. */
static double difference_w(const struct adding *adding, uint32_t column)
{
	const struct fit *fit = adding->fitting->fit;
	double step_ns = fit->response.taps * fit->response.step_ns / STEPS;

	return DIFFERENCE * fit->power_w[column] *
	       sqrt(MIN(adding->length_ns[column] / step_ns, 1));
}

static void set_lengths(struct adding *adding)
{
	const struct classes *classes = adding->fitting->fit->classes;
	double *executions = g_new0(double, classes->columns + 1);

	for (guint i = 0; i < classes->list->len; i++) {
		const struct class *class = &g_array_index(classes->list, struct class, i);

		adding->length_ns[class->column] += class->time_ns;
		executions[class->column] += (double)class->executions;
	}
	for (size_t i = 0; i < classes->columns; i++)
		adding->length_ns[i] /= MAX(executions[i], 1);
	g_free(executions);
}

static void add_place(struct adding *adding, const struct place *place)
{
	struct fit *fit = adding->fitting->fit;

	for (guint c = 0; c < place->columns->len; c++) {
		uint32_t column = g_array_index(place->columns, uint32_t, c);
		double differs_w = difference_w(adding, column);

		set_moves(adding, place, column);
		for (size_t i = 0; i < fit->powers; i++)
			for (size_t k = 0; k < fit->powers; k++)
				fit->covariance[i * fit->powers + k] +=
					differs_w * differs_w * adding->moves[i] * adding->moves[k];
	}
}

void repetition_add(
	struct fitting *fitting, const struct nuisances *nuisances, const double *lines, size_t n)
{
	const struct design *design = fitting->design;
	struct adding adding = {fitting, nuisances, lines, n, g_new0(double, design->columns + 1),
		g_new0(double, design->columns + 1), g_new(double, n), g_new(double, n)};
	GPtrArray *places = find_places(design);

	set_lengths(&adding);
	for (gsize i = 0; i < design->entries->len; i++)
		adding.seen[entry_at(design, i)->column] += entry_at(design, i)->part;
	for (guint i = 0; i < places->len; i++) {
		const struct place *place = g_ptr_array_index(places, i);

		if (place->rows->len >= READINGS_MIN * design->rows)
			add_place(&adding, place);
	}
	g_ptr_array_free(places, TRUE);
	g_free(adding.seen);
	g_free(adding.length_ns);
	g_free(adding.score);
	g_free(adding.moves);
}
