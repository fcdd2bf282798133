/* SPDX-License-Identifier: MIT */
#include "analyzer/attribute/spread.h"
#include "tests/unit/unit.h"

/* A model of one process, whose streams 1 and 2 run on GPU 0 and stream 3 on GPU 1. */
struct bench {
	struct model model;
	struct source source;
	bool covers[3];
	struct balance balance;
	GArray *energies; /* uint64_t, nJ, by execution */
};

static void set_up(struct bench *bench)
{
	const struct model_gpu gpu = {.name = "GPU"};

	*bench = (struct bench){.covers = {true, false, false}};
	bench->model.gpus = g_array_new(FALSE, FALSE, sizeof(gpu));
	g_array_append_val(bench->model.gpus, gpu);
	g_array_append_val(bench->model.gpus, gpu);
	bench->model.origins = origins_new();
	bench->model.executions = mapped_array_new(sizeof(struct model_execution));
	bench->energies = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	bench->source = (struct source){.top_level = true,
		.covers = bench->covers,
		.curve = g_array_new(FALSE, FALSE, sizeof(struct curve_interval))};
}

static void tear_down(struct bench *bench)
{
	origins_free(bench->model.origins);
	g_array_free(bench->model.gpus, TRUE);
	mapped_array_free(bench->model.executions);
	g_array_free(bench->source.curve, TRUE);
	g_array_free(bench->energies, TRUE);
}

static void runs_for(struct bench *bench, enum model_replayed replayed, uint32_t stream,
	uint64_t begin_ns, uint64_t end_ns)
{
	const struct model_origin origin = {
		.stream = stream, .gpu = stream / 3, .replayed = replayed};
	const struct model_execution execution = {.begin_ns = begin_ns,
		.end_ns = end_ns,
		.origin = origins_number(bench->model.origins, &origin)};

	assert_true(mapped_array_append(bench->model.executions, &execution));
}

static void runs(struct bench *bench, uint32_t stream, uint64_t begin_ns, uint64_t end_ns)
{
	runs_for(bench, MODEL_OF_PROGRAM, stream, begin_ns, end_ns);
}

static void draws(struct bench *bench, uint64_t begin_ns, uint64_t end_ns, uint64_t energy_nj)
{
	const struct curve_interval interval = {begin_ns, end_ns, energy_nj, false};

	g_array_append_val(bench->source.curve, interval);
}

static uint64_t energy_of(const struct bench *bench, guint i)
{
	return g_array_index(bench->energies, uint64_t, i);
}

static void spread(struct bench *bench)
{
	const struct balance *balance = &bench->balance;
	struct energies energies;
	struct spread *spread;

	energies_begin(&energies);
	spread = spread_new(&bench->model, &bench->source, bench->source.curve,
		&(struct spread_sinks){.balance = &bench->balance, .energies = &energies});
	spread_until(spread, UINT64_MAX);
	spread_free(spread);
	for (guint i = 0; i < bench->model.executions->len; i++) {
		uint64_t energy_nj = energies_take(&energies).energy_nj;

		g_array_append_val(bench->energies, energy_nj);
	}
	energies_end(&energies);
	assert_int_equal(balance->attributed_nj + balance->idle_nj + balance->unattributed_nj +
				 balance->replay_nj,
		balance->measured_nj);
}

static void what_runs_alone_gets_all(void **state)
{
	struct bench bench;

	(void)state;
	set_up(&bench);
	runs(&bench, 1, 100, 300);
	runs(&bench, 3, 100, 300); /* on a device that the sensor does not measure */
	runs(&bench, 1, 900, 1100);
	draws(&bench, 0, 1000, 10000);
	spread(&bench);
	assert_int_equal(energy_of(&bench, 0), 2000);
	assert_int_equal(energy_of(&bench, 1), 0);
	assert_int_equal(energy_of(&bench, 2), 1000);
	assert_int_equal(bench.balance.idle_nj, 7000);
	tear_down(&bench);
}

static void what_runs_together_shares(void **state)
{
	struct bench bench;

	(void)state;
	set_up(&bench);
	runs(&bench, 1, 0, 1000);
	runs(&bench, 2, 500, 1500);
	draws(&bench, 0, 1000, 1000);
	draws(&bench, 1000, 2000, 4000);
	spread(&bench);
	assert_int_equal(energy_of(&bench, 0), 500 + 250);
	assert_int_equal(energy_of(&bench, 1), 250 + 2000);
	assert_int_equal(bench.balance.idle_nj, 2000);
	tear_down(&bench);
}

static void odd_nanojoules_take_turns(void **state)
{
	struct bench bench;
	uint64_t sum = 0;

	(void)state;
	set_up(&bench);
	for (int i = 0; i < 3; i++)
		runs(&bench, 1 + i % 2, 0, 1000);
	for (uint64_t i = 0; i < 100; i++)
		draws(&bench, 10 * i, 10 * i + 10, 7);
	spread(&bench);
	for (guint i = 0; i < 3; i++) {
		assert_true(energy_of(&bench, i) >= 233 && energy_of(&bench, i) <= 234);
		sum += energy_of(&bench, i);
	}
	assert_int_equal(sum, 700);
	assert_int_equal(bench.balance.attributed_nj, 700);
	tear_down(&bench);
}

/* A replay from 300 to 900: the program's kernel runs on into it, and idle time is its own. */
static void what_replays_draw_is_apart(void **state)
{
	const struct model_span replay = {300, 900};
	struct bench bench;

	(void)state;
	set_up(&bench);
	bench.source.replays = g_array_new(FALSE, FALSE, sizeof(replay));
	g_array_append_val(bench.source.replays, replay);
	runs(&bench, 1, 100, 400);
	runs_for(&bench, MODEL_REPLAYED, 1, 500, 600);
	runs_for(&bench, MODEL_REPLAYED_UNLIKE, 1, 600, 700);
	draws(&bench, 0, 1000, 10000);
	spread(&bench);
	assert_int_equal(energy_of(&bench, 0), 3000);
	assert_int_equal(energy_of(&bench, 1), 1000);
	assert_int_equal(bench.balance.attributed_nj, 3000);
	assert_int_equal(bench.balance.idle_nj, 1000 + 1000);
	assert_int_equal(bench.balance.replay_nj, 2000 + 1000 + 2000);
	g_array_free(bench.source.replays, TRUE);
	tear_down(&bench);
}

static void blurred_energy_belongs_to_nobody(void **state)
{
	struct bench bench;

	(void)state;
	set_up(&bench);
	runs(&bench, 1, 0, 1000);
	draws(&bench, 0, 1000, 500);
	g_array_index(bench.source.curve, struct curve_interval, 0).blurred = true;
	spread(&bench);
	assert_int_equal(energy_of(&bench, 0), 0);
	assert_int_equal(bench.balance.unattributed_nj, 500);
	tear_down(&bench);
}

static void estimates_follow_what_runs(void **state)
{
	struct bench bench;

	(void)state;
	set_up(&bench);
	runs(&bench, 1, 0, 250);
	draws(&bench, 0, 1000, 0);
	bench.source.estimated = true;
	bench.source.static_mw = 1000;
	bench.source.dynamic_mw = 3000;
	spread(&bench);
	assert_int_equal(energy_of(&bench, 0), 1000);
	assert_int_equal(bench.balance.idle_nj, 750);
	tear_down(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_runs_alone_gets_all),
		cmocka_unit_test(what_runs_together_shares),
		cmocka_unit_test(odd_nanojoules_take_turns),
		cmocka_unit_test(what_replays_draw_is_apart),
		cmocka_unit_test(blurred_energy_belongs_to_nobody),
		cmocka_unit_test(estimates_follow_what_runs),
	};

	return cmocka_run_group_tests_name("spread", tests, NULL, NULL);
}
