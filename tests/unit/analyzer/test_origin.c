/* SPDX-License-Identifier: MIT */
#include "analyzer/model/origin.h"

#include "tests/unit/unit.h"

#define COUNT 20000u

/* Each differs from all others in one field at least. */
static struct model_origin origin_of(uint32_t i)
{
	return (struct model_origin){.process = i % 3,
		.stream = i / 3 % 5,
		.kernel = i / 15 % 7,
		.layer = i / 105 % 11,
		.stack = i / 1155 % 13,
		.replayed = i / 15015};
}

static void equal_origins_are_one(void **state)
{
	struct origins *origins = origins_new();

	(void)state;
	for (uint32_t i = 0; i < COUNT; i++) {
		const struct model_origin origin = origin_of(i);

		assert_int_equal(origins_number(origins, &origin), i);
	}
	assert_int_equal(origins->list->len, COUNT);
	for (uint32_t i = 0; i < COUNT; i++) {
		struct model_origin origin = origin_of(i);

		origin.gpu = 1; /* follows from the others */
		assert_int_equal(origins_number(origins, &origin), i);
		assert_int_equal(
			g_array_index(origins->list, struct model_origin, i).kernel, origin.kernel);
	}
	assert_int_equal(origins->list->len, COUNT);
	origins_free(origins);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_origins_are_one),
	};

	return cmocka_run_group_tests_name("origin", tests, NULL, NULL);
}
