/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "preload/engine/core/lost.h"
#include "preload/engine/gpu/records.h"
#include "tests/unit/unit.h"

static const struct gpu_call call = {.name = "launch"};
static uint64_t lost;
static uint32_t written; /* records */
static uint64_t joined;  /* the sum of the correlation ids of their calls */

/* Counts what would be written. */
void lost_write(const char *what, const char *why, uint64_t count)
{
	(void)what;
	(void)why;
	lost += count;
}

static void write_record(const struct gpu_record *record, struct gpu_launch *launch)
{
	written++;
	joined += launch ? launch->work.correlation : 0;
	gpu_records_work(record, launch, &call);
}

static struct gpu_records records = {.unrecorded = "no record", .write = write_record};

static int begin(void **state)
{
	(void)state;
	free(records.launches);
	gpu_records_forget(&records);
	lost = joined = written = 0;
	return 0;
}

static void launches(uint32_t correlation)
{
	gpu_records_expect(&records,
		&(struct gpu_work){
			.kind = GPU_WORK_KERNEL, .correlation = correlation, .call = &call});
}

static void ends(uint32_t correlation, uint64_t since_ns)
{
	gpu_records_settle(&records,
		&(struct gpu_record){
			.kind = GPU_WORK_KERNEL, .correlation = correlation, .stream = 1},
		since_ns);
}

/* A profiler holds one thread's records back while others launch on. */
static void a_record_may_come_after_many_other_launches(void **state)
{
	enum { OTHERS = 600000 };

	(void)state;
	launches(1);
	for (uint32_t id = 2; id < OTHERS; id++) {
		launches(id);
		ends(id, 1);
	}
	ends(1, 1);
	assert_int_equal(written, OTHERS - 1);
	assert_int_equal(joined, (uint64_t)OTHERS * (OTHERS - 1) / 2);
	assert_int_equal(lost, 0);
	assert_int_equal(gpu_records_in_flight(), 0);
}

/* A launch without a record keeps its place, which a later launch needs after each turn of the
 * table. */
static void a_record_that_never_comes_takes_no_more_memory(void **state)
{
	enum { ALL = 3000000, EVERY = 20000 };
	uint32_t room = 0;

	(void)state;
	for (uint32_t id = 1; id <= ALL; id++) {
		launches(id);
		room = room ? room : records.launch_room;
		if (id % EVERY)
			ends(id, 1);
	}
	assert_int_equal(records.launch_room, room);
	assert_int_equal(lost, 0);
	assert_int_equal(gpu_records_in_flight(), ALL / EVERY);
	for (uint32_t id = EVERY; id <= ALL; id += EVERY)
		ends(id, 1);
	assert_int_equal(joined, (uint64_t)ALL * (ALL + 1) / 2);
	assert_int_equal(gpu_records_in_flight(), 0);
}

static void all_records_may_come_late(void **state)
{
	enum { ALL = 500000 };

	(void)state;
	for (uint32_t id = 1; id <= ALL; id++)
		launches(id);
	assert_int_equal(gpu_records_in_flight(), ALL);
	for (uint32_t id = 1; id <= ALL; id++)
		ends(id, 1);
	assert_int_equal(written, ALL);
	assert_int_equal(joined, (uint64_t)ALL * (ALL + 1) / 2);
	assert_int_equal(lost, 0);
}

static void what_the_profiler_never_tells_of_is_counted(void **state)
{
	enum { EVERY = 3 << 20 };

	(void)state;
	for (uint32_t id = 1; id <= EVERY; id++)
		launches(id);
	assert_int_equal(lost + gpu_records_in_flight(), EVERY);
	assert_true(lost > 0);
}

static void a_record_waits_for_its_call(void **state)
{
	(void)state;
	launches(1);
	ends(2, 1000);
	assert_int_equal(written, 0);
	launches(2);
	assert_true(gpu_records_settle_late(&records, 2000, false));
	assert_int_equal(joined, 2);
	ends(3, 1000);
	assert_true(gpu_records_settle_late(&records, 2000, true));
	assert_int_equal(written, 2);
	assert_int_equal(joined, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_record_may_come_after_many_other_launches, begin),
		cmocka_unit_test_setup(a_record_that_never_comes_takes_no_more_memory, begin),
		cmocka_unit_test_setup(all_records_may_come_late, begin),
		cmocka_unit_test_setup(what_the_profiler_never_tells_of_is_counted, begin),
		cmocka_unit_test_setup(a_record_waits_for_its_call, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
