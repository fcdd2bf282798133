/* SPDX-License-Identifier: MIT */
#include "preload/record/space.h"
#include "tests/unit/unit.h"

#define MIB (1ULL << 20)

static uint64_t bytes_of(const struct buffers *buffers, unsigned cpus)
{
	return cpus * buffers->bytes * buffers->count;
}

static void large_memory_gives_large_buffers(void **state)
{
	struct buffers flow, state_buffers;

	(void)state;
	assert_true(space_fit_buffers(UINT64_MAX, 2, &flow, &state_buffers) > 2 * 8 * MIB);
	assert_int_equal(flow.bytes, MIB);
	assert_int_equal(flow.count, 8);
}

static void buffers_fit(void **state)
{
	(void)state;
	for (unsigned cpus = 1; cpus <= 256; cpus *= 2) {
		for (uint64_t available = MIB; available <= 4096 * MIB; available *= 2) {
			struct buffers flow, state_buffers;

			uint64_t needed = space_fit_buffers(available, cpus, &flow, &state_buffers);

			if (!needed)
				continue;
			assert_true(needed <= available);
			assert_true(
				bytes_of(&flow, cpus) + bytes_of(&state_buffers, cpus) < needed);
			assert_true(flow.bytes >= 4096 && !(flow.bytes & (flow.bytes - 1)));
		}
	}
}

static void too_little_is_refused(void **state)
{
	struct buffers flow, state_buffers;

	(void)state;
	assert_int_equal(space_fit_buffers(0, 1, &flow, &state_buffers), 0);
	assert_int_equal(space_fit_buffers(MIB, 64, &flow, &state_buffers), 0);
}

static void free_space_of_nowhere_is_unknown(void **state)
{
	(void)state;
	assert_true(space_free_bytes("/no/such/place") == UINT64_MAX);
	assert_true(space_free_bytes("/") != UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(large_memory_gives_large_buffers),
		cmocka_unit_test(buffers_fit),
		cmocka_unit_test(too_little_is_refused),
		cmocka_unit_test(free_space_of_nowhere_is_unknown),
	};

	return cmocka_run_group_tests_name("space", tests, NULL, NULL);
}
