/* SPDX-License-Identifier: MIT */
#include "analyzer/model/collective.h"

struct collectives *collectives_new(void)
{
	struct collectives *collectives = g_new0(struct collectives, 1);

	collectives->list = g_array_new(FALSE, TRUE, sizeof(struct model_collective));
	collectives->exchanges = g_array_new(FALSE, TRUE, sizeof(struct model_exchange));
	collectives->runs = g_array_new(FALSE, TRUE, sizeof(struct model_collective_run));
	return collectives;
}

void collectives_free(struct collectives *collectives)
{
	g_array_free(collectives->list, TRUE);
	g_array_free(collectives->exchanges, TRUE);
	g_array_free(collectives->runs, TRUE);
	g_free(collectives);
}

const struct model_exchange *collective_exchange_of(
	const struct model *model, const struct model_origin *origin)
{
	return origin->collective ? &g_array_index(model->collectives->exchanges,
					    struct model_exchange, origin->collective - 1)
				  : NULL;
}

char *collective_name(const struct model_exchange *exchange)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
	double size = (double)exchange->bytes;
	guint unit = 0;

	if (exchange->bytes == PWRTRACE_UNKNOWN_U64)
		return g_strdup(exchange->kind);
	while (size >= 1024 && unit + 1 < G_N_ELEMENTS(units)) {
		size /= 1024;
		unit++;
	}
	return g_strdup_printf("%s %.4g %s", exchange->kind, size, units[unit]);
}
