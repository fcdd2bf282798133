/* SPDX-License-Identifier: MIT */
#include "analyzer/load/join.h"

#include <glib.h>

#include "analyzer/model/id_map.h"

struct join {
	struct id_map *executions; /* executions that wait: index + 1, by key */
	struct id_map *waiting;    /* launches that wait: number in launches, by key */
	GArray *launches;          /* struct launch_record */
	GArray *unused;            /* uint32_t: numbers in launches, from 1, that are free again */
};

struct join *join_new(void)
{
	struct join *join = g_new(struct join, 1);

	join->executions = id_map_new();
	join->waiting = id_map_new();
	join->launches = g_array_new(FALSE, FALSE, sizeof(struct launch_record));
	join->unused = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	return join;
}

void join_free(struct join *join)
{
	id_map_free(join->executions);
	id_map_free(join->waiting);
	g_array_free(join->launches, TRUE);
	g_array_free(join->unused, TRUE);
	g_free(join);
}

static struct launch_record *launch_at(const struct join *join, uint32_t number)
{
	return &g_array_index(join->launches, struct launch_record, number - 1);
}

static uint32_t new_launch(struct join *join)
{
	uint32_t number;

	if (!join->unused->len) {
		g_array_set_size(join->launches, join->launches->len + 1);
		return join->launches->len;
	}
	number = g_array_index(join->unused, uint32_t, join->unused->len - 1);
	g_array_set_size(join->unused, join->unused->len - 1);
	return number;
}

bool join_launch(struct join *join, uint32_t process, uint32_t correlation,
	const struct launch_record *launch, uint32_t *execution)
{
	const struct id_key key = {.id = correlation, .process = process};
	uint32_t *number, found = id_map_take(join->executions, &key);

	if (found) {
		*execution = found - 1;
		return true;
	}
	number = id_map_at(join->waiting, &key);
	if (!*number)
		*number = new_launch(join);
	*launch_at(join, *number) = *launch;
	return false;
}

bool join_execution(struct join *join, uint32_t process, uint32_t correlation, uint32_t execution,
	struct launch_record *launch)
{
	const struct id_key key = {.id = correlation, .process = process};
	uint32_t found = id_map_take(join->waiting, &key);

	if (!found) {
		*id_map_at(join->executions, &key) = execution + 1;
		return false;
	}
	*launch = *launch_at(join, found);
	g_array_append_val(join->unused, found);
	return true;
}

void join_forget_launch(struct join *join, uint32_t process, uint32_t correlation)
{
	uint32_t found;

	if (!join_waiting(join))
		return;
	found = id_map_take(join->waiting, &(struct id_key){.id = correlation, .process = process});
	if (found)
		g_array_append_val(join->unused, found);
}

uint64_t join_waiting(const struct join *join)
{
	return join->launches->len - join->unused->len;
}
