/* SPDX-License-Identifier: MIT */
#include "analyzer/model/collective.h"

struct collectives *collectives_new(void)
{
	struct collectives *collectives = g_new0(struct collectives, 1);

	collectives->list = g_array_new(FALSE, TRUE, sizeof(struct model_collective));
	collectives->works = g_array_new(FALSE, TRUE, sizeof(struct model_collective_work));
	collectives->runs = g_array_new(FALSE, TRUE, sizeof(struct model_collective_run));
	return collectives;
}

void collectives_free(struct collectives *collectives)
{
	g_array_free(collectives->list, TRUE);
	g_array_free(collectives->works, TRUE);
	g_array_free(collectives->runs, TRUE);
	g_free(collectives);
}

const struct model_collective_work *collective_work_of(
	const struct model *model, const struct model_origin *origin)
{
	return origin->collective ? &g_array_index(model->collectives->works,
					    struct model_collective_work, origin->collective - 1)
				  : NULL;
}

char *collective_name(const struct model_collective_work *work)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
	double size = (double)work->bytes;
	guint unit = 0;

	if (work->bytes == PWRTRACE_UNKNOWN_U64)
		return g_strdup(work->kind);
	while (size >= 1024 && unit + 1 < G_N_ELEMENTS(units)) {
		size /= 1024;
		unit++;
	}
	return g_strdup_printf("%s %.4g %s", work->kind, size, units[unit]);
}
