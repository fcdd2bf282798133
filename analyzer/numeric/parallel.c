/* SPDX-License-Identifier: MIT */
#include "analyzer/numeric/parallel.h"

struct parallel_work {
	void (*work)(guint i, void *context);
	void *context;
};

/* A pool refuses NULL, so indices count from 1 there. */
static void work_at(gpointer number, gpointer data)
{
	const struct parallel_work *parallel = data;

	parallel->work(GPOINTER_TO_UINT(number) - 1, parallel->context);
}

void parallel_for(guint count, void (*work)(guint i, void *context), void *context)
{
	struct parallel_work parallel = {work, context};
	guint threads = MIN(count, g_get_num_processors());
	GThreadPool *pool =
		threads > 1 ? g_thread_pool_new(work_at, &parallel, (gint)threads, TRUE, NULL)
			    : NULL;

	for (guint i = 0; i < count; i++)
		if (!pool || !g_thread_pool_push(pool, GUINT_TO_POINTER(i + 1), NULL))
			work(i, context);
	if (pool)
		g_thread_pool_free(pool, FALSE, TRUE);
}
