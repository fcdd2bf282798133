/* SPDX-License-Identifier: MIT */
#include "analyzer/compare/kernel_times.h"

#include <math.h>
#include <string.h>

#include "analyzer/ledger/row_name.h"
#include "analyzer/ledger/rows.h"
#include "analyzer/numeric/series.h"

struct kernel_times {
	GHashTable *series; /* struct series * in ns, by what key_of says */
};

/* The length makes it unique, whatever characters are in the name.  The caller frees it. */
static char *key_of(const char *name, const char *shape)
{
	return g_strdup_printf("%zu %s%s", strlen(name), name, shape ? shape : "");
}

static void free_series(void *series)
{
	series_clear(series);
	g_free(series);
}

static struct series *series_of(
	struct kernel_times *times, const struct model *model, const struct model_origin *origin)
{
	struct ledger_row row = {.device = ""};
	struct series *series;
	char *key;

	row_name_kernel(model, origin, &row);
	key = key_of(row.name, row.shape);
	rows_clear(&row);
	series = g_hash_table_lookup(times->series, key);
	if (series) {
		g_free(key);
		return series;
	}
	series = g_new0(struct series, 1);
	g_hash_table_insert(times->series, key, series);
	return series;
}

struct kernel_times *kernel_times_of(const struct model *model)
{
	struct kernel_times *times = g_new0(struct kernel_times, 1);
	const GArray *origins = model->origins->list;
	struct series **of_origin = g_new(struct series *, origins->len + 1);

	times->series = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_series);
	for (guint i = 0; i < origins->len; i++)
		of_origin[i] =
			series_of(times, model, &g_array_index(origins, struct model_origin, i));
	for (guint i = 0; i < model->executions->len; i++) {
		const struct model_execution *execution = model_execution_at(model, i);

		if (model_origin_of(model, execution)->replayed == MODEL_OF_PROGRAM &&
			model_is_timed(execution))
			series_add(of_origin[execution->origin],
				(double)(execution->end_ns - execution->begin_ns));
	}
	g_free(of_origin);
	return times;
}

void kernel_times_free(struct kernel_times *times)
{
	g_hash_table_destroy(times->series);
	g_free(times);
}

double kernel_times_part95(const struct kernel_times *times, const char *name, const char *shape)
{
	char *key = key_of(name, shape);
	const struct series *series = g_hash_table_lookup(times->series, key);

	g_free(key);
	return series ? series_part95(series) : NAN;
}
