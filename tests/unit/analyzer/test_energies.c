/* SPDX-License-Identifier: MIT */
#include "analyzer/attribute/energies.h"

#include <math.h>

#include "tests/unit/unit.h"

#define COUNT 5000

/* The first one gets nothing; later ones do, the further ahead the further it goes. */
static void what_is_given_ahead_is_taken_in_order(void **state)
{
	struct energies energies;

	(void)state;
	energies_begin(&energies);
	for (guint i = 0, given = 1; i < COUNT; i++) {
		struct energy energy;

		for (; given <= 2 * i && given < COUNT; given++)
			*energies_at(&energies, given) = (struct energy){given, 0.5f};
		energy = energies_take(&energies);
		assert_int_equal(energy.energy_nj, i);
		assert_true(isnan(energy.static_part) == (i == 0));
		if (given <= i + 1)
			given = i + 2,
			*energies_at(&energies, i + 1) = (struct energy){i + 1, 0.5f};
	}
	energies_end(&energies);
}

static void a_slot_is_empty_again(void **state)
{
	struct energies energies;

	(void)state;
	energies_begin(&energies);
	for (guint i = 0; i < COUNT; i++) {
		struct energy energy;

		if (i % 2)
			energies_at(&energies, i)->energy_nj += 3;
		energy = energies_take(&energies);
		assert_int_equal(energy.energy_nj, i % 2 ? 3 : 0);
	}
	assert_true(energies.room < COUNT);
	energies_end(&energies);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_given_ahead_is_taken_in_order),
		cmocka_unit_test(a_slot_is_empty_again),
	};

	return cmocka_run_group_tests_name("energies", tests, NULL, NULL);
}
