/* SPDX-License-Identifier: MIT */
/*
 * The layers and call stacks in which graph nodes were captured.
 *
 * A program may capture graphs for days, and their nodes have ids that never come again.  So there
 * are two generations: when the young one is full, it becomes the elder, of which is forgotten what
 * was not launched or changed since.
 */
#include <stdlib.h>

#include "preload/engine/core/handles.h"
#include "preload/engine/gpu/cuda/cupti.h"

#define GENERATION_VERSIONS (1 << 19)

/* A node gets another place when an update copies another node to it.  The records of earlier
 * launches may still come, so its former places are kept. */
struct node_version {
	struct gpu_place place;
	uint32_t since;  /* CUPTI's correlation id of the call that changed it */
	uint32_t before; /* the version until then, 0 for none */
};

struct generation {
	struct handles newest; /* version by node */
	struct node_version *versions;
	uint32_t count, capacity;
};

static const struct gpu_place nowhere;
static struct generation young, elder;

static void make_room(void)
{
	if (young.count < GENERATION_VERSIONS)
		return;
	handles_clear(&elder.newest);
	free(elder.versions);
	elder = young;
	young = (struct generation){.count = 0};
}

/* Returns its number; 0 where memory runs out. */
static uint32_t add(const void *node, struct node_version version)
{
	if (!young.versions || young.count + 1 >= young.capacity) {
		uint32_t more = young.capacity * 2 + 1024;
		struct node_version *grown = realloc(young.versions, more * sizeof(*grown));

		if (!grown)
			return 0;
		young.versions = grown;
		young.capacity = more;
	}
	young.versions[++young.count] = version;
	handles_set(&young.newest, node, young.count);
	return young.count;
}

static uint32_t newest_in(const struct generation *generation, const void *node)
{
	return generation->versions ? handles_get(&generation->newest, node) : 0;
}

/* The number of a node's newest version in the young generation, to which it is brought from the
 * elder one; 0: not known. */
static uint32_t newest_of(const void *node)
{
	uint32_t now = newest_in(&young, node), before = now ? 0 : newest_in(&elder, node);
	struct node_version version;

	if (!before)
		return now;
	version = elder.versions[before];
	version.before = 0;
	return add(node, version);
}

static void set(const void *node, struct gpu_place place, uint32_t since)
{
	uint32_t now = newest_of(node);
	struct gpu_place before = now ? young.versions[now].place : nowhere;

	if (before.layer == place.layer && before.stack == place.stack)
		return;
	/* CUPTI reports a clone first as new, with the place where the graph is instantiated. */
	if (now && young.versions[now].since == since)
		young.versions[now].place = place;
	else
		add(node, (struct node_version){place, since, now});
}

void cupti_nodes_take(const struct gpu_work *work)
{
	uint64_t original = work->node.original;
	uint32_t like;

	make_room();
	like = original ? newest_of((void *)original) : 0;
	set((void *)work->node.id, like ? young.versions[like].place : work->place,
		work->correlation);
}

struct gpu_place cupti_nodes_place(uint64_t node, uint32_t correlation)
{
	uint32_t at;

	make_room();
	at = newest_of((void *)node);
	while (at && young.versions[at].before &&
		(int32_t)(young.versions[at].since - correlation) > 0)
		at = young.versions[at].before;
	return at ? young.versions[at].place : nowhere;
}
