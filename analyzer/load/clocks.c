/* SPDX-License-Identifier: MIT */
#include "analyzer/load/clocks.h"

#include "analyzer/model/table.h"

struct conversion {
	uint64_t offset_ns;
	bool known;
};

struct clocks {
	GPtrArray *list;       /* struct device_clock * */
	GHashTable *by_key;    /* the same, by key_of */
	GArray *conversions;   /* struct conversion */
	GHashTable *by_anchor; /* index in conversions, by process and anchor */
	GHashTable *by_offset; /* the same, by offset */
	struct {
		uint32_t process, anchor, conversion;
	} last; /* found by its anchor: executions in succession have the same */
};

static void free_clock(gpointer data)
{
	struct device_clock *clock = data;

	clock_free(clock->clock);
	g_free(clock);
}

struct clocks *clocks_new(void)
{
	static const struct conversion first[] = {
		[CLOCKS_UNCONVERTED] = {0, true}, [CLOCKS_RAW] = {0, true}};
	struct clocks *clocks = g_new0(struct clocks, 1);

	clocks->list = g_ptr_array_new_with_free_func(free_clock);
	clocks->by_key = g_hash_table_new(NULL, NULL);
	clocks->conversions = g_array_new(FALSE, FALSE, sizeof(struct conversion));
	g_array_append_vals(clocks->conversions, first, G_N_ELEMENTS(first));
	clocks->by_anchor = g_hash_table_new(NULL, NULL);
	clocks->by_offset = g_hash_table_new(NULL, NULL);
	return clocks;
}

void clocks_free(struct clocks *clocks)
{
	g_ptr_array_free(clocks->list, TRUE);
	g_hash_table_destroy(clocks->by_key);
	g_array_free(clocks->conversions, TRUE);
	g_hash_table_destroy(clocks->by_anchor);
	g_hash_table_destroy(clocks->by_offset);
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

/* The conversion with this key in a table, made where it is new. */
static uint32_t conversion_at(
	struct clocks *clocks, GHashTable *table, gsize key, const struct conversion *fresh)
{
	guint number = GPOINTER_TO_UINT(g_hash_table_lookup(table, GSIZE_TO_POINTER(key)));

	if (number)
		return number;
	number = clocks->conversions->len;
	g_array_append_val(clocks->conversions, *fresh);
	g_hash_table_insert(table, GSIZE_TO_POINTER(key), GUINT_TO_POINTER(number));
	return number;
}

uint32_t clocks_conversion(struct clocks *clocks, uint32_t process, uint32_t anchor)
{
	if (!anchor)
		return CLOCKS_UNCONVERTED;
	if (anchor == PWRTRACE_UNKNOWN_U32)
		return CLOCKS_RAW;
	if (clocks->last.anchor != anchor || clocks->last.process != process) {
		clocks->last.process = process;
		clocks->last.anchor = anchor;
		clocks->last.conversion = conversion_at(clocks, clocks->by_anchor,
			(gsize)process << 32 | anchor, &(struct conversion){0, false});
	}
	return clocks->last.conversion;
}

uint32_t clocks_conversion_of(struct clocks *clocks, uint64_t offset_ns)
{
	return conversion_at(
		clocks, clocks->by_offset, offset_ns, &(struct conversion){offset_ns, true});
}

bool clocks_offset(const struct clocks *clocks, uint32_t conversion, uint64_t *offset_ns)
{
	const struct conversion *found =
		&g_array_index(clocks->conversions, struct conversion, conversion);

	*offset_ns = found->offset_ns;
	return found->known;
}

/* Notes the offset by which a comparison converts. */
static void add_conversion(
	struct clocks *clocks, uint32_t process, const struct pwrtrace_clock_sync *e)
{
	uint32_t conversion = clocks_conversion(clocks, process, e->anchor);

	if (conversion > CLOCKS_RAW)
		g_array_index(clocks->conversions, struct conversion, conversion) =
			(struct conversion){e->host_ns - e->raw_ns, true};
}

void clocks_add(struct clocks *clocks, uint32_t process, const struct pwrtrace_clock_sync *e)
{
	uint32_t id = e->clock == PWRTRACE_UNKNOWN_U32 ? 0 : e->clock;
	struct device_clock *clock;

	add_conversion(clocks, process, e);
	if ((id ? id : e->device) >= TABLE_LIMIT)
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
