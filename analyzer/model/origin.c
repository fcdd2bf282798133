/* SPDX-License-Identifier: MIT */
#include "analyzer/model/origin.h"

#define SLOTS_AT_FIRST 1024 /* the number of slots is always a power of two */

static const struct model_origin *origin_at(const struct origins *origins, guint number)
{
	return &g_array_index(origins->list, struct model_origin, number);
}

struct origins *origins_new(void)
{
	struct origins *origins = g_new(struct origins, 1);

	origins->list = g_array_new(FALSE, FALSE, sizeof(struct model_origin));
	origins->slot_count = SLOTS_AT_FIRST;
	origins->slots = g_new0(uint32_t, origins->slot_count);
	return origins;
}

void origins_free(struct origins *origins)
{
	g_array_free(origins->list, TRUE);
	g_free(origins->slots);
	g_free(origins);
}

static bool same(const struct model_origin *a, const struct model_origin *b)
{
	return a->kernel == b->kernel && a->stream == b->stream && a->layer == b->layer &&
	       a->stack == b->stack && a->process == b->process && a->replayed == b->replayed &&
	       a->size == b->size && a->part == b->part && a->collective == b->collective;
}

static gsize hash(const struct model_origin *origin)
{
	const uint64_t words[] = {(uint64_t)origin->process << 32 | origin->stream,
		(uint64_t)origin->layer << 32 | origin->kernel,
		((uint64_t)origin->part << 5 | origin->size << 2 | origin->replayed) << 32 |
			origin->stack,
		origin->collective};
	uint64_t sum = 0;

	for (gsize i = 0; i < G_N_ELEMENTS(words); i++) {
		/* 2^64 / golden ratio: Knuth's multiplicative hash, whose high bits are the good
		 * ones. */
		sum = (sum ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15);
		sum ^= sum >> 32;
	}
	return sum;
}

/* The slot that has an origin, or the free one where it belongs: open addressing with linear
 * probing. */
static uint32_t *slot_of(const struct origins *origins, const struct model_origin *origin)
{
	gsize place = hash(origin) & (origins->slot_count - 1);

	while (origins->slots[place] &&
		!same(origin_at(origins, origins->slots[place] - 1), origin))
		place = (place + 1) & (origins->slot_count - 1);
	return &origins->slots[place];
}

static void grow(struct origins *origins)
{
	origins->slot_count *= 2;
	g_free(origins->slots);
	origins->slots = g_new0(uint32_t, origins->slot_count);
	for (guint i = 0; i < origins->list->len; i++)
		*slot_of(origins, origin_at(origins, i)) = i + 1;
}

uint32_t origins_number(struct origins *origins, const struct model_origin *origin)
{
	uint32_t *slot = slot_of(origins, origin);

	if (*slot)
		return *slot - 1;
	g_array_append_vals(origins->list, origin, 1);
	*slot = origins->list->len;
	if (2 * origins->list->len > origins->slot_count)
		grow(origins);
	return origins->list->len - 1;
}
