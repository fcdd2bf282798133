/* SPDX-License-Identifier: MIT */
/* The layers and call stacks in which graph nodes were captured. */
#include <stdlib.h>

#include "preload/engine/core/handles.h"
#include "preload/engine/gpu/cuda/cupti.h"

/* A node gets another place when an update copies another node to it.  The records of earlier
 * launches may still come, so its former places are kept. */
struct node_version {
	struct gpu_place place;
	uint32_t since;  /* CUPTI's correlation id of the call that changed it */
	uint32_t before; /* the version until then, 0 for none */
};

static const struct gpu_place nowhere;
static struct handles newest; /* version by node */
static struct node_version *versions;
static uint32_t count, capacity;

static uint32_t add(struct node_version version)
{
	if (count + 1 >= capacity) {
		uint32_t more = capacity * 2 + 1024;
		struct node_version *grown = realloc(versions, more * sizeof(*versions));

		if (!grown)
			return 0;
		versions = grown;
		capacity = more;
	}
	versions[++count] = version;
	return count;
}

static void set(const void *node, struct gpu_place place, uint32_t since)
{
	uint32_t now = handles_get(&newest, node);
	struct gpu_place before = now ? versions[now].place : nowhere;

	if (before.layer == place.layer && before.stack == place.stack)
		return;
	/* CUPTI reports a clone first as new, with the place where the graph is instantiated. */
	if (now && versions[now].since == since)
		versions[now].place = place;
	else
		handles_set(&newest, node, add((struct node_version){place, since, now}));
}

void cupti_nodes_take(const struct gpu_work *work)
{
	uint64_t original = work->node.original;
	uint32_t like = original ? handles_get(&newest, (void *)original) : 0;

	set((void *)work->node.id, like ? versions[like].place : work->place, work->correlation);
}

struct gpu_place cupti_nodes_place(uint64_t node, uint32_t correlation)
{
	uint32_t at = handles_get(&newest, (void *)node);

	while (at && versions[at].before && (int32_t)(versions[at].since - correlation) > 0)
		at = versions[at].before;
	return at ? versions[at].place : nowhere;
}
