/* SPDX-License-Identifier: MIT */
#include "analyzer/compare/conditions.h"

#include <math.h>
#include <string.h>

const char *const side_names[SIDES] = {"base", "other"};

/* Numbers that are no further apart agree: as a part of the base's, or in parts of 1. */
static const struct {
	const char *name, *unit;
	size_t offset;
	double apart;
} numbers[] = {
	{"limit", "W", offsetof(struct run_conditions, limit_w), 0.001},
	{"clock", "Hz", offsetof(struct run_conditions, clock_hz), 0.01},
	{"throttled", "", offsetof(struct run_conditions, throttled), 0.05},
	{"at_limit", "", offsetof(struct run_conditions, at_limit), 0.05},
};

static const struct {
	const char *name;
	size_t offset;
} texts[] = {
	{"device", offsetof(struct run_conditions, device)},
	{"board", offsetof(struct run_conditions, board)},
	{"driver", offsetof(struct run_conditions, driver)},
	{"sensor", offsetof(struct run_conditions, sensor)},
};

static const void *member(const GPtrArray *runs, guint i, size_t offset)
{
	const struct compare_run *run = g_ptr_array_index(runs, i);

	return (const char *)&run->conditions + offset;
}

/* The different texts of a side's runs, with slashes between them. */
static char *text_of(const GPtrArray *runs, size_t offset)
{
	GPtrArray *all = g_ptr_array_new();
	char *text;

	for (guint i = 0; i < runs->len; i++) {
		char *own = *(char *const *)member(runs, i, offset);

		if (!g_ptr_array_find_with_equal_func(all, own, g_str_equal, NULL))
			g_ptr_array_add(all, own);
	}
	g_ptr_array_add(all, NULL);
	text = g_strjoinv(" / ", (char **)all->pdata);
	g_ptr_array_free(all, TRUE);
	return text;
}

static double mean_of(const GPtrArray *runs, size_t offset)
{
	double sum = 0;

	for (guint i = 0; i < runs->len; i++)
		sum += *(const double *)member(runs, i, offset);
	return sum / runs->len;
}

GArray *conditions_of(const GPtrArray *base, const GPtrArray *other)
{
	const GPtrArray *const runs[SIDES] = {base, other};
	GArray *conditions = g_array_new(FALSE, FALSE, sizeof(struct condition));

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		struct condition condition = {.name = texts[i].name};

		for (int side = 0; side < SIDES; side++)
			condition.text[side] = text_of(runs[side], texts[i].offset);
		condition.agree =
			strcmp(condition.text[SIDE_BASE], condition.text[SIDE_OTHER]) == 0;
		g_array_append_val(conditions, condition);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++) {
		struct condition condition = {.name = numbers[i].name, .unit = numbers[i].unit};
		double *value = condition.value;

		for (int side = 0; side < SIDES; side++)
			value[side] = mean_of(runs[side], numbers[i].offset);
		condition.agree = !(fabs(value[SIDE_OTHER] - value[SIDE_BASE]) >
				    numbers[i].apart * (*numbers[i].unit ? value[SIDE_BASE] : 1));
		g_array_append_val(conditions, condition);
	}
	return conditions;
}

void conditions_free(GArray *conditions)
{
	for (guint i = 0; i < conditions->len; i++) {
		g_free(g_array_index(conditions, struct condition, i).text[SIDE_BASE]);
		g_free(g_array_index(conditions, struct condition, i).text[SIDE_OTHER]);
	}
	g_array_free(conditions, TRUE);
}

const struct condition *conditions_find(const GArray *conditions, const char *name)
{
	guint i = 0;

	while (strcmp(g_array_index(conditions, struct condition, i).name, name) != 0)
		i++;
	return &g_array_index(conditions, struct condition, i);
}

bool conditions_other_board(const GArray *conditions)
{
	const struct condition *board = conditions_find(conditions, "board");

	return !board->agree || !*board->text[SIDE_BASE];
}

/* As a library names them: by the machine since it was booted, and when they began. */
static bool is_recorded(const struct compare_run *run, const struct model_recording *recording)
{
	const GArray *recordings = run->kernels->model->recordings;

	for (guint i = 0; i < recordings->len; i++) {
		const struct model_recording *own =
			&g_array_index(recordings, struct model_recording, i);

		if (model_recorded_ns(own) == model_recorded_ns(recording) &&
			strcmp(own->machine, recording->machine) == 0)
			return true;
	}
	return false;
}

const struct compare_run *conditions_one_recording(
	const GPtrArray *runs, const struct compare_run *other)
{
	const GArray *recordings = other->kernels->model->recordings;

	for (guint i = 0; i < runs->len; i++)
		for (guint k = 0; k < recordings->len; k++)
			if (is_recorded(g_ptr_array_index(runs, i),
				    &g_array_index(recordings, struct model_recording, k)))
				return g_ptr_array_index(runs, i);
	return NULL;
}
