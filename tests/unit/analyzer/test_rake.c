/* SPDX-License-Identifier: MIT */
/* From powers to energies, worked out by hand to the nanojoule. */
#include "analyzer/attribute/rake.h"

#include <math.h>

#include "tests/unit/analyzer/one_gpu.h"

#define MS 1e6
#define STATIC_W 50.
#define A_W 100.
#define B_W 200.

struct bench {
	struct one_gpu gpu;
	struct fit fit;
	double power_w[3];
	struct balance balance;
	GArray *energies; /* struct energy, by execution */
	GArray *replays;  /* struct model_span; NULL: none */
};

static void begin(struct bench *bench, double period_ms, guint readings)
{
	*bench = (struct bench){.energies = g_array_new(FALSE, FALSE, sizeof(struct energy))};
	one_gpu_begin(&bench->gpu, period_ms * MS, period_ms * MS * readings, 2);
	bench->gpu.sensor.quantity = "energy";
}

/* Once for the balance, and once for the energies of executions. */
static void rake_all(struct bench *bench, struct fit *fit)
{
	const struct model *model = &bench->gpu.model;
	struct energies energies;
	struct rake *rake = rake_new(model, &bench->gpu.source, fit, &bench->balance, NULL);

	rake_until(rake, UINT64_MAX);
	rake_free(rake);
	energies_begin(&energies);
	rake = rake_new(model, &bench->gpu.source, fit, NULL, &energies);
	rake_until(rake, UINT64_MAX);
	for (guint i = 0; i < model->executions->len; i++) {
		struct energy energy = energies_take(&energies);

		g_array_append_val(bench->energies, energy);
	}
	rake_free(rake);
	energies_end(&energies);
}

/* reads_uj: the counter at 0 and at the end of each period.  late_ns: its mean delay. */
static void rake_by(struct bench *bench, double period_ms, const uint64_t *reads_uj, guint readings,
	double late_ns)
{
	const struct response_shape moment = {late_ns - RESPONSE_SHORTEST_NS / 2, 0, 0};
	struct fit *fit = &bench->fit;

	for (guint i = 0; i <= readings; i++)
		g_array_append_val(bench->gpu.sensor.readings,
			((struct model_reading){(uint64_t)(period_ms * MS * i), reads_uj[i]}));
	one_gpu_set_source(&bench->gpu);
	bench->gpu.source.replays = bench->replays;
	*fit = (struct fit){.source = &bench->gpu.source,
		.classes = classes_of(&bench->gpu.model, &bench->gpu.source),
		.powers = 3,
		.fitted = g_array_new(FALSE, FALSE, sizeof(struct fitted_reading)),
		.raked = g_array_new(FALSE, FALSE, sizeof(struct model_span))};
	response_of_shape(&fit->response, &moment);
	for (guint i = 0; i < fit->classes->list->len; i++) {
		const struct kernel_class *class =
			&g_array_index(fit->classes->list, struct kernel_class, i);

		bench->power_w[class->column] = class->origin->kernel == 1 ? A_W : B_W;
	}
	bench->power_w[2] = STATIC_W;
	fit->power_w = bench->power_w;
	rake_all(bench, fit);
	assert_int_equal(bench->balance.attributed_nj + bench->balance.idle_nj +
				 bench->balance.unattributed_nj + bench->balance.replay_nj,
		bench->balance.measured_nj);
}

static void end(struct bench *bench)
{
	classes_free(bench->fit.classes);
	g_array_free(bench->fit.fitted, TRUE);
	g_array_free(bench->fit.raked, TRUE);
	g_array_free(bench->energies, TRUE);
	one_gpu_end(&bench->gpu);
}

static const struct energy *energy_of(const struct bench *bench, guint i)
{
	return &g_array_index(bench->energies, struct energy, i);
}

/*
 * In 100 ms "a" runs from 0 to 40, "b" beside it from 20 to 60 ms; the static 50 W are shared while
 * both run.
 *
 *	a: 20 ms · (100 + 50) W + 20 ms · (100 + 25) W = 3.0 + 2.5 = 5.5 J
 *	b: 20 ms · (200 + 25) W + 20 ms · (200 + 50) W = 4.5 + 5.0 = 9.5 J
 *	idle: 40 ms · 50 W = 2.0 J
 *
 * That is 17 J; 34.000000 J were measured, so that all is doubled.  Static are 20 · 50 + 20 · 25 of
 * the 5500 mJ of a and as much of the 9500 mJ of b: 3/11 and 3/19.
 */
static void energies_are_scaled_to_what_was_measured(void **state)
{
	const uint64_t reads_uj[] = {0, 34000000};
	const struct kernel_class *classes;
	struct bench bench;

	(void)state;
	begin(&bench, 100, 1);
	one_gpu_runs(&bench.gpu, 0, 0, 40 * MS);
	one_gpu_runs(&bench.gpu, 1, 20 * MS, 60 * MS);
	rake_by(&bench, 100, reads_uj, 1, 0);
	assert_int_equal(energy_of(&bench, 0)->energy_nj, 11000000000);
	assert_int_equal(energy_of(&bench, 1)->energy_nj, 19000000000);
	assert_int_equal(bench.balance.idle_nj, 4000000000);
	assert_int_equal(bench.balance.measured_nj, 34000000000);
	assert_true(fabs((double)energy_of(&bench, 0)->static_part - 3. / 11) < 1e-6);
	assert_true(fabs((double)energy_of(&bench, 1)->static_part - 3. / 19) < 1e-6);
	classes = (const void *)bench.fit.classes->list->data;
	assert_true(fabs(classes[0].found_j - 5.5) < 1e-9);
	assert_true(fabs(classes[0].energy_j - 11) < 1e-9);
	assert_true(fabs(classes[0].raked_ns - 40 * MS) < 1e-6);
	assert_true(fabs(classes[0].static_ns - 30 * MS) < 1e-6);
	end(&bench);
}

/*
 * In 100 ms "a" runs from 0 to 20 ms, and in a replay, from 40 to 90 ms, again from 50 to 80 ms.
 *
 *	a: 20 ms · 150 W = 3.0 J; again: 30 ms · 150 W = 4.5 J
 *	idle: 30 ms · 50 W = 1.5 J; within the replay: 20 ms · 50 W = 1.0 J
 *
 * That is 10 J; 20 J were measured, so that all is doubled.
 */
static void what_replays_draw_is_apart(void **state)
{
	const struct model_span replay = {(uint64_t)(40 * MS), (uint64_t)(90 * MS)};
	const uint64_t reads_uj[] = {0, 20000000};
	const struct kernel_class *classes;
	struct bench bench;

	(void)state;
	begin(&bench, 100, 1);
	bench.replays = g_array_new(FALSE, FALSE, sizeof(replay));
	g_array_append_val(bench.replays, replay);
	one_gpu_runs(&bench.gpu, 0, 0, 20 * MS);
	one_gpu_runs_for(&bench.gpu, MODEL_REPLAYED, 0, 50 * MS, 80 * MS);
	rake_by(&bench, 100, reads_uj, 1, 0);
	assert_int_equal(energy_of(&bench, 0)->energy_nj, 6000000000);
	assert_int_equal(energy_of(&bench, 1)->energy_nj, 9000000000);
	assert_int_equal(bench.balance.attributed_nj, 6000000000);
	assert_int_equal(bench.balance.idle_nj, 3000000000);
	assert_int_equal(bench.balance.replay_nj, 9000000000 + 2000000000);
	classes = (const void *)bench.fit.classes->list->data;
	assert_true(fabs(classes[0].energy_j - 15) < 1e-9);
	assert_true(fabs(classes[0].program.energy_j - 6) < 1e-9);
	g_array_free(bench.replays, TRUE);
	end(&bench);
}

/*
 * "a" and "b" for 10 ms each and 10 ms of nothing, of which the powers make 1.5, 2.5 and 0.5 J:
 * thirds of 1/3, 5/9 and 1/9.  Of 1 µJ, 1000 nJ, that is 333.33, 555.56 and 111.11 nJ: 333, 555 and
 * 111, and the one that is left goes to "b", whose remainder is the largest.
 */
static void the_balance_closes_to_the_nanojoule(void **state)
{
	const uint64_t reads_uj[] = {0, 1};
	struct bench bench;

	(void)state;
	begin(&bench, 30, 1);
	one_gpu_runs(&bench.gpu, 0, 0, 10 * MS);
	one_gpu_runs(&bench.gpu, 1, 10 * MS, 20 * MS);
	rake_by(&bench, 30, reads_uj, 1, 0);
	assert_int_equal(energy_of(&bench, 0)->energy_nj, 333);
	assert_int_equal(energy_of(&bench, 1)->energy_nj, 556);
	assert_int_equal(bench.balance.idle_nj, 111);
	assert_int_equal(bench.balance.attributed_nj, 889);
	end(&bench);
}

/*
 * Blocks of 5 s: readings of 4 s are one each, as two would be 8 s.  "a" runs all the time, which
 * the powers make 600 J of each; the first has 400, the second 800 J.  In one block it would be
 * scaled by 1, in two each execution has what was measured while it ran.
 */
static void blocks_are_scaled_each_for_itself(void **state)
{
	const uint64_t reads_uj[] = {0, 400000000, 1200000000};
	struct bench bench;

	(void)state;
	begin(&bench, 4000, 2);
	one_gpu_runs(&bench.gpu, 0, 0, 4000 * MS);
	one_gpu_runs(&bench.gpu, 0, 4000 * MS, 8000 * MS);
	rake_by(&bench, 4000, reads_uj, 2, 0);
	assert_int_equal(energy_of(&bench, 0)->energy_nj, 400000000000);
	assert_int_equal(energy_of(&bench, 1)->energy_nj, 800000000000);
	end(&bench);
}

/* The same of a counter that is 100 ms late: what it says at 4 s is the energy until 3.9 s. */
static void blocks_are_moved_by_how_late_a_sensor_is(void **state)
{
	const uint64_t reads_uj[] = {0, 400000000, 1200000000};
	struct bench bench;

	(void)state;
	begin(&bench, 4000, 2);
	one_gpu_runs(&bench.gpu, 0, 0, 3900 * MS);
	one_gpu_runs(&bench.gpu, 0, 3900 * MS, 8000 * MS);
	rake_by(&bench, 4000, reads_uj, 2, 100 * MS);
	assert_int_equal(energy_of(&bench, 0)->energy_nj, 400000000000);
	assert_int_equal(energy_of(&bench, 1)->energy_nj, 800000000000);
	end(&bench);
}

/* Of 2 s each, two are a block of 4 s: "a" draws 150 W throughout, and has half of the energy in
 * either half, whichever was measured when. */
static void within_a_block_powers_tell_when(void **state)
{
	const uint64_t reads_uj[] = {0, 400000000, 1200000000};
	struct bench bench;

	(void)state;
	begin(&bench, 2000, 2);
	one_gpu_runs(&bench.gpu, 0, 0, 2000 * MS);
	one_gpu_runs(&bench.gpu, 0, 2000 * MS, 4000 * MS);
	rake_by(&bench, 2000, reads_uj, 2, 0);
	assert_int_equal(energy_of(&bench, 0)->energy_nj, 600000000000);
	assert_int_equal(energy_of(&bench, 1)->energy_nj, 600000000000);
	end(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(energies_are_scaled_to_what_was_measured),
		cmocka_unit_test(what_replays_draw_is_apart),
		cmocka_unit_test(the_balance_closes_to_the_nanojoule),
		cmocka_unit_test(blocks_are_scaled_each_for_itself),
		cmocka_unit_test(blocks_are_moved_by_how_late_a_sensor_is),
		cmocka_unit_test(within_a_block_powers_tell_when),
	};

	return cmocka_run_group_tests_name("rake", tests, NULL, NULL);
}
