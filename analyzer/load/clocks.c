/* SPDX-License-Identifier: MIT */
#include "analyzer/load/clocks.h"

#include "analyzer/model/table.h"

struct clocks {
	GPtrArray *list;    /* struct device_clock * */
	GHashTable *by_key; /* the same, by key_of */
};

static void free_clock(gpointer data)
{
	struct device_clock *clock = data;

	clock_free(clock->clock);
	g_free(clock);
}

struct clocks *clocks_new(void)
{
	struct clocks *clocks = g_new(struct clocks, 1);

	clocks->list = g_ptr_array_new_with_free_func(free_clock);
	clocks->by_key = g_hash_table_new(NULL, NULL);
	return clocks;
}

void clocks_free(struct clocks *clocks)
{
	g_ptr_array_free(clocks->list, TRUE);
	g_hash_table_destroy(clocks->by_key);
	g_free(clocks);
}

/* Orders clocks too: within a process, devices' own clocks before those with ids, which are less
 * than TABLE_LIMIT. */
static gsize key_of(uint32_t process, uint32_t device, uint32_t id)
{
	return (gsize)process << 32 | (id ? TABLE_LIMIT + id : device);
}

struct clock *clocks_find(
	const struct clocks *clocks, uint32_t process, uint32_t device, uint32_t id)
{
	const struct device_clock *known =
		g_hash_table_lookup(clocks->by_key, GSIZE_TO_POINTER(key_of(process, device, id)));

	return known ? known->clock : NULL;
}

static struct device_clock *clock_at(
	struct clocks *clocks, uint32_t process, uint32_t device, uint32_t id)
{
	gpointer key = GSIZE_TO_POINTER(key_of(process, device, id));
	struct device_clock *clock = g_hash_table_lookup(clocks->by_key, key);

	if (!clock) {
		clock = g_new(struct device_clock, 1);
		*clock = (struct device_clock){process, device, id, clock_new()};
		g_ptr_array_add(clocks->list, clock);
		g_hash_table_insert(clocks->by_key, key, clock);
	}
	return clock;
}

void clocks_add(struct clocks *clocks, uint32_t process, const struct pwrtrace_clock_sync *e)
{
	uint32_t id = e->clock == PWRTRACE_UNKNOWN_U32 ? 0 : e->clock;
	struct device_clock *clock;

	if (!e->device || (id ? id : e->device) >= TABLE_LIMIT)
		return;
	clock = clock_at(clocks, process, e->device, id);
	clock->device = e->device;
	clock_add(clock->clock, e->host_ns, e->raw_ns, e->error_ns);
}

static int by_key(gconstpointer a, gconstpointer b)
{
	const struct device_clock *const *x = a, *const *y = b;
	gsize first = key_of((*x)->process, (*x)->device, (*x)->id);
	gsize second = key_of((*y)->process, (*y)->device, (*y)->id);

	return first < second ? -1 : first > second;
}

const GPtrArray *clocks_in_order(struct clocks *clocks)
{
	g_ptr_array_sort(clocks->list, by_key);
	return clocks->list;
}
