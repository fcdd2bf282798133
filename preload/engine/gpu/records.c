/* SPDX-License-Identifier: MIT */
#include "preload/engine/gpu/records.h"

#include <stdlib.h>
#include <string.h>

#include "preload/common/clock.h"
#include "preload/engine/core/lost.h"
#include "preload/engine/gpu/gpu_write.h"
#include "preload/engine/gpu/submit.h"

/* ---- the program's calls ---- */

static uint32_t in_flight; /* launches of all profilers that are pending */

/* Places of the table, powers of two.  A launch stays in its place after its record, because the
 * nodes of a graph have a record each.  A launch that is still pending when another one needs its
 * place is moved aside; where launches in flight fill half of the table, it grows instead. */
#define LAUNCHES_AT_FIRST (1U << 17)
#define LAUNCHES_MAX (1U << 20)

static struct gpu_launch *slot(const struct gpu_records *records, uint32_t correlation)
{
	return &records->launches[correlation & (records->launch_room - 1)];
}

static bool is_of(const struct gpu_launch *launch, uint32_t correlation)
{
	return launch->work.call && launch->work.correlation == correlation;
}

static struct gpu_launch *find(struct gpu_records *records, uint32_t correlation)
{
	struct gpu_launch *launch = records->launch_room ? slot(records, correlation) : NULL;

	if (launch && is_of(launch, correlation))
		return launch;
	for (uint32_t i = 0; i < GPU_RECORDS_ASIDE && records->aside[i].work.call; i++)
		if (is_of(&records->aside[i], correlation))
			return &records->aside[i];
	return NULL;
}

/* Doubles the table; launches with different places still have different ones.  Returns false where
 * it may not grow or there is no memory. */
static bool grow(struct gpu_records *records)
{
	uint32_t old_room = records->launch_room;
	uint32_t room = old_room ? 2 * old_room : LAUNCHES_AT_FIRST;
	struct gpu_launch *old = records->launches;
	struct gpu_launch *launches = room <= LAUNCHES_MAX ? calloc(room, sizeof(*launches)) : NULL;

	if (!launches)
		return false;
	records->launches = launches;
	records->launch_room = room;
	for (uint32_t i = 0; i < old_room; i++)
		if (old[i].work.call)
			*slot(records, old[i].work.correlation) = old[i];
	free(old);
	return true;
}

/* Forgets what a place has, which is counted as lost if it is pending. */
static void clear_place(const struct gpu_records *records, struct gpu_launch *launch)
{
	if (launch->pending)
		lost_write(gpu_execution_event(launch->work.kind), records->unrecorded, 1);
	in_flight -= launch->pending;
	free(launch->matches.matched);
	*launch = (struct gpu_launch){.pending = false};
}

/* The one that has been aside for longest makes room. */
static void move_aside(struct gpu_records *records, struct gpu_launch *launch)
{
	struct gpu_launch *aside = &records->aside[records->next_aside++ % GPU_RECORDS_ASIDE];

	clear_place(records, aside);
	*aside = *launch;
	*launch = (struct gpu_launch){.pending = false};
}

void gpu_records_expect(struct gpu_records *records, const struct gpu_work *call)
{
	struct gpu_launch *launch;

	while ((!records->launch_room || (in_flight > records->launch_room / 2 &&
						 slot(records, call->correlation)->pending)) &&
		grow(records))
		;
	if (!records->launch_room)
		return;
	launch = slot(records, call->correlation);
	if (launch->pending)
		move_aside(records, launch);
	clear_place(records, launch);
	*launch = (struct gpu_launch){.work = *call, .pending = true};
	in_flight++;
}

struct gpu_work gpu_records_work(
	const struct gpu_record *record, struct gpu_launch *launch, const struct gpu_call *fallback)
{
	struct gpu_work work = {.call = fallback,
		.enqueue_ns = PWRTRACE_UNKNOWN_U64,
		.return_ns = PWRTRACE_UNKNOWN_U64};

	if (launch) {
		work = launch->work;
		in_flight -= launch->pending;
		launch->pending = false;
	}
	work.kind = record->kind;
	work.correlation = gpu_new_correlation();
	if (record->stream)
		work.stream = record->stream;
	return work;
}

void gpu_records_write_graph(struct gpu_launch *launch, uint32_t stream)
{
	struct gpu_work work;

	if (!launch || launch->graph_written)
		return;
	launch->graph_written = true;
	work = launch->work;
	work.correlation = gpu_new_correlation();
	work.stream = stream;
	gpu_write_execution(&work, &gpu_span_unknown);
}

static void write_unfinished(struct gpu_launch *launches, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (!launches[i].pending)
			continue;
		gpu_write_unfinished(&launches[i].work);
		launches[i].pending = false;
		in_flight--;
	}
}

void gpu_records_write_unfinished(struct gpu_records *records)
{
	write_unfinished(records->aside, GPU_RECORDS_ASIDE);
	write_unfinished(records->launches, records->launch_room);
}

uint32_t gpu_records_in_flight(void)
{
	return in_flight;
}

/* ---- records that come before their call ---- */

/* A launching thread submits a call after it has returned, and may be interrupted before: so
 * records whose call is not known wait for it for a while. */
#define LATE_MAX (1 << 16)
#define LATE_NS PWRTRACE_NS_PER_S

struct late_record {
	uint64_t since_ns;
	struct gpu_record record;
};

static bool set_aside(
	struct gpu_records *records, const struct gpu_record *record, uint64_t since_ns)
{
	if (records->late_count == records->late_room) {
		uint32_t room = records->late_room * 2 + 1024;
		struct late_record *more =
			room <= LATE_MAX ? realloc(records->late, room * sizeof(*more)) : NULL;

		if (!more)
			return false;
		records->late = more;
		records->late_room = room;
	}
	records->late[records->late_count++] = (struct late_record){since_ns, *record};
	return true;
}

void gpu_records_settle(
	struct gpu_records *records, const struct gpu_record *record, uint64_t since_ns)
{
	struct gpu_launch *launch = find(records, record->correlation);
	bool waits = !launch && since_ns && record->correlation;

	if (!waits || !set_aside(records, record, since_ns))
		records->write(record, launch);
}

bool gpu_records_settle_late(struct gpu_records *records, uint64_t now_ns, bool last)
{
	uint32_t count = records->late_count;

	records->late_count = 0;
	for (uint32_t i = 0; i < count; i++) {
		struct late_record entry = records->late[i];
		bool waits = !last && now_ns - entry.since_ns < LATE_NS;

		gpu_records_settle(records, &entry.record, waits ? entry.since_ns : 0);
	}
	return records->late_count < count;
}

void gpu_records_forget(struct gpu_records *records)
{
	records->launches = NULL;
	records->launch_room = 0;
	memset(records->aside, 0, sizeof(records->aside));
	records->next_aside = 0;
	in_flight = 0;
	records->late_count = 0;
}
