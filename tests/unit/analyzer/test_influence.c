/* SPDX-License-Identifier: MIT */
/*
 * Influences on made-up activity: a device whose power is computed step by step in time, and so by
 * other means than the code that is tested.
 */
#include "analyzer/regress/design/influence.h"

#include <math.h>

#include "analyzer/regress/fit.h"
#include "tests/unit/analyzer/one_gpu.h"

#define SEEDS 4
#define CLASSES 6
#define STATIC_W 100.
#define STEP_NS 50000.
#define PERIOD_NS 20e6
#define END_NS 20e9
#define STATE_NS 100e6
#define CLOCK_MHZ 1500.
#define NOISE_W 1.
#define TAU_NS 4e6
#define WAVE_NS 230e6 /* of the clock */
#define SLOWDOWN 0x4  /* a throttle reason that is none of the harmless */

/* What moves power, by how much; 0: it does not.  The clock moves durations, too; speed is that of
 * single executions. */
struct truth {
	double clock, speed, idle, before, sampled, limit;
	double drift_w; /* of the sensor, by reading: what moves no power */
};

struct bench {
	struct truth truth;
	GRand *random;
	struct one_gpu gpu;
	double class_w[CLASSES];
	GArray *speeds; /* double, by execution */
	double *clock;  /* by state: as a part of CLOCK_MHZ */
	bool *throttled;
};

static double uniform(struct bench *bench, double from, double to)
{
	return g_rand_double_range(bench->random, from, to);
}

static double normal(struct bench *bench)
{
	return sqrt(-2 * log(1 - g_rand_double(bench->random))) *
	       cos(2 * G_PI * g_rand_double(bench->random));
}

/* ---- what runs ---- */

/* Their durations do not follow the clock, and their power does as is expected of such. */
static bool memory_bound(guint class_index)
{
	return class_index % 2;
}

/* A class at a time for 5 to 60 ms, now and then nothing; a clock that is the same for as long. */
static void make_executions(struct bench *bench)
{
	double now_ns = 300e6;

	while (now_ns < END_NS - 300e6) {
		uint32_t class_index = g_rand_int_range(bench->random, 0, CLASSES);
		double until_ns = now_ns + uniform(bench, 5e6, 60e6);
		double length_ns;

		for (; now_ns < until_ns; now_ns += length_ns) {
			double speed = 1;

			if (bench->truth.clock > 0)
				speed = 0.85 + 0.15 * sin(2 * G_PI * now_ns / WAVE_NS);
			if (bench->truth.speed > 0)
				speed = uniform(bench, 0.7, 1);
			length_ns = 0.5e6 + 0.5e6 * class_index;
			length_ns /=
				bench->truth.clock > 0 && memory_bound(class_index) ? 1 : speed;
			one_gpu_runs(&bench->gpu, class_index, now_ns, now_ns + length_ns);
			g_array_append_val(bench->speeds, speed);
		}
		if (g_rand_double(bench->random) < 0.3)
			now_ns += uniform(bench, 3e6, 40e6);
	}
}

static void make_states(struct bench *bench)
{
	guint count = (guint)(END_NS / STATE_NS);
	struct model_state_sensor sensor = {.about = bench->gpu.sensor,
		.states = g_array_new(FALSE, FALSE, sizeof(struct model_state))};

	bench->clock = g_new(double, count + 1);
	bench->throttled = g_new(bool, count + 1);
	for (guint i = 0; i <= count; i++) {
		struct model_state state = {.time_ns = (uint64_t)(i * STATE_NS)};

		bench->clock[i] = uniform(bench, 0.8, 1.2);
		bench->throttled[i] = g_rand_double(bench->random) < 0.5;
		state.sm_clock_mhz = (uint32_t)lround(bench->clock[i] * CLOCK_MHZ);
		state.throttle_reasons = bench->throttled[i] ? SLOWDOWN : 0;
		g_array_append_val(sensor.states, state);
	}
	g_array_append_val(bench->gpu.model.state_sensors, sensor);
}

/* ---- what it draws ---- */

/* What is drawn above the static power while an execution runs, but for what fades. */
static double own_w(const struct bench *bench, guint i, double now_ns)
{
	const struct model_execution *execution = one_gpu_execution(&bench->gpu, i);
	const struct truth *truth = &bench->truth;
	guint state = (guint)(now_ns / STATE_NS);

	guint class_index = one_gpu_kernel_of(&bench->gpu, execution);
	double clock = truth->clock * (memory_bound(class_index) ? 0.2 : 1);

	return bench->class_w[class_index] *
	       pow(g_array_index(bench->speeds, double, i), clock + truth->speed) *
	       (1 + truth->sampled * (bench->clock[state] - 1)) *
	       (1 + truth->limit * bench->throttled[state]);
}

static void make_readings(struct bench *bench)
{
	const struct truth *truth = &bench->truth;
	double cold = 1, drawn_w = 0, sum_w = 0, off_w = 0, until_ns = PERIOD_NS;
	guint i = 0, steps = 0;

	for (double now_ns = STEP_NS / 2; now_ns < END_NS; now_ns += STEP_NS, steps++) {
		const struct model_execution *execution;
		double steady_w = 0;
		bool runs;

		if (now_ns > until_ns) {
			off_w += truth->drift_w > 0 ? truth->drift_w * normal(bench) : 0;
			one_gpu_reads(&bench->gpu, until_ns,
				sum_w / steps + off_w + NOISE_W * normal(bench));
			until_ns += PERIOD_NS;
			sum_w = steps = 0;
		}
		while (i + 1 < bench->gpu.model.executions->len &&
			(double)one_gpu_execution(&bench->gpu, i)->end_ns <= now_ns)
			i++;
		execution = one_gpu_execution(&bench->gpu, i);
		runs = now_ns >= (double)execution->begin_ns && now_ns < (double)execution->end_ns;
		sum_w += STATIC_W;
		if (runs) {
			steady_w = own_w(bench, i, now_ns);
			sum_w += steady_w * (1 - truth->idle * cold) +
				 truth->before * (drawn_w - steady_w);
		}
		drawn_w += STEP_NS / TAU_NS * (steady_w - drawn_w);
		cold += STEP_NS / TAU_NS * (!runs - cold);
	}
}

static void set_up(struct bench *bench, struct truth truth, guint32 seed)
{
	*bench = (struct bench){.truth = truth};
	bench->random = g_rand_new_with_seed(seed);
	bench->speeds = g_array_new(FALSE, FALSE, sizeof(double));
	one_gpu_begin(&bench->gpu, PERIOD_NS, END_NS, CLASSES);
	for (guint i = 0; i < CLASSES; i++)
		bench->class_w[i] = uniform(bench, 100, 500);
	make_executions(bench);
	make_states(bench);
	make_readings(bench);
	one_gpu_set_source(&bench->gpu);
}

static void tear_down(struct bench *bench)
{
	one_gpu_end(&bench->gpu);
	g_array_free(bench->speeds, TRUE);
	g_free(bench->clock);
	g_free(bench->throttled);
	g_rand_free(bench->random);
}

/* ---- tests ---- */

static const struct influence *find(const struct fit *fit, const char *name, double *factor)
{
	for (guint i = 0; i < fit->influences.count; i++)
		if (strcmp(fit->influences.list[i].kind->name, name) == 0) {
			*factor = fit->power_w[fit->classes->columns.count + i];
			return &fit->influences.list[i];
		}
	return NULL;
}

static const struct {
	const char *name;
	struct truth truth;
} alone[] = {
	{"clock", {.clock = 2.2}},
	{"speed", {.speed = 2.2}},
	{"idle", {.idle = 0.4}},
	{"before", {.before = 0.3}},
	{"sampled clock", {.sampled = 1.5}},
	{"limit", {.limit = -0.2}},
};

/* The mean of a state over what runs. */
static double mean_of(const struct bench *bench, bool clock)
{
	double sum = 0, time_ns = 0;

	for (guint i = 0; i < bench->gpu.model.executions->len; i++) {
		const struct model_execution *execution = one_gpu_execution(&bench->gpu, i);
		double length_ns = (double)(execution->end_ns - execution->begin_ns);
		guint state = (guint)((double)execution->begin_ns / STATE_NS);

		sum += length_ns * (clock ? bench->clock[state] : bench->throttled[state]);
		time_ns += length_ns;
	}
	return sum / time_ns;
}

/* The one factor that is not 0.  Those of states are parts of what is drawn at the mean state. */
static double factor_of(const struct bench *bench)
{
	const struct truth *truth = &bench->truth;
	double clock = mean_of(bench, true), throttled = mean_of(bench, false);

	return truth->clock + truth->speed + truth->idle + truth->before +
	       truth->sampled * clock / (1 + truth->sampled * (clock - 1)) -
	       truth->limit / (1 + truth->limit * throttled);
}

static void assert_no_other_than(const struct fit *fit, const struct influence *found)
{
	for (guint i = 0; i < fit->influences.count; i++) {
		const struct influence *other = &fit->influences.list[i];

		if (other != found)
			fail_msg("%s is found beside %s", other->kind->name, found->kind->name);
	}
}

static void what_is_there_is_found_and_no_other(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(alone); i++)
		for (guint32 seed = 1; seed <= SEEDS; seed++) {
			struct bench bench;
			const struct influence *found;
			struct fit *fit;
			double factor = 0;

			set_up(&bench, alone[i].truth, seed);
			fit = fit_make(&bench.gpu.model, &bench.gpu.source, NULL);
			assert_non_null(fit);
			found = find(fit, alone[i].name, &factor);
			if (!found)
				fail_msg("%s is not found", alone[i].name);
			if (fabs(factor / factor_of(&bench) - 1) > 0.03)
				fail_msg("%s: %g is not %g", alone[i].name, factor,
					factor_of(&bench));
			if (found->kind->fades)
				assert_true(found->parameter >= TAU_NS / 2 &&
					    found->parameter <= TAU_NS * 2);
			assert_no_other_than(fit, found);
			fit_free(fit);
			tear_down(&bench);
		}
}

static void assert_none_is_found(struct truth truth)
{
	for (guint32 seed = 1; seed <= 2 * SEEDS; seed++) {
		struct bench bench;
		struct fit *fit;

		set_up(&bench, truth, seed);
		fit = fit_make(&bench.gpu.model, &bench.gpu.source, NULL);
		assert_non_null(fit);
		if (fit->influences.count)
			fail_msg("%s is found", fit->influences.list[0].kind->name);
		fit_free(fit);
		tear_down(&bench);
	}
}

static void what_is_not_there_is_not_found(void **state)
{
	(void)state;
	assert_none_is_found((struct truth){0});
}

static void drift_is_no_influence(void **state)
{
	(void)state;
	assert_none_is_found((struct truth){.drift_w = 0.5});
}

/* Of what fades.  The interval of speed is for its exponent as it was found; states change while an
 * execution runs, by which they are off by half a percent here. */
static void intervals_of_factors_hold_the_truth(void **state)
{
	unsigned held = 0, all = 0;
	double squares = 0;

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(alone); i++)
		for (guint32 seed = 1; seed <= 2 * SEEDS; seed++) {
			const struct influence *found;
			struct bench bench;
			struct fit *fit;
			double factor = 0, off;

			if (!(alone[i].truth.idle > 0 || alone[i].truth.before > 0))
				continue;
			set_up(&bench, alone[i].truth, seed);
			fit = fit_make(&bench.gpu.model, &bench.gpu.source, NULL);
			assert_non_null(fit);
			found = find(fit, alone[i].name, &factor);
			assert_non_null(found);
			off = (factor - factor_of(&bench)) /
			      fit_influence_ci95(fit, (guint)(found - fit->influences.list));
			held += fabs(off) <= 1;
			squares += pow(1.96 * off, 2);
			all++;
			fit_free(fit);
			tear_down(&bench);
		}
	print_message("# %u of %u hold the truth, off by %.2f standard deviations\n", held, all,
		sqrt(squares / all));
	assert_in_range(held, all * 80 / 100, all);
	assert_true(squares / all > 0.25);
}

/* A mean over a window that is longer, and later, than that of the readings. */
static void calibrate(struct bench *bench, double window_ns, double lag_ns)
{
	for (int i = 0; i < 8; i++) {
		const struct model_tap tap = {
			.lag_ns = (int64_t)(lag_ns + window_ns * i / 8), .weight = 0.125};

		g_array_append_val(bench->gpu.sensor.taps, tap);
	}
}

/* How many intervals of what classes draw hold the truth. */
static unsigned count_held(const struct bench *bench, const struct fit *fit)
{
	size_t static_at = fit->powers - 1;
	bool counted[CLASSES] = {false};
	unsigned held = 0;

	for (guint i = 0; i < bench->gpu.model.executions->len; i++) {
		const struct model_execution *execution = one_gpu_execution(&bench->gpu, i);
		uint32_t of = one_gpu_kernel_of(&bench->gpu, execution);
		size_t at = g_array_index(fit->classes->list, struct kernel_class,
			classes_find(fit->classes, execution))
				    .column;
		const double *line = fit->covariance + at * fit->powers;
		double variance = line[at] + 2 * line[static_at] +
				  fit->covariance[static_at * fit->powers + static_at];
		double off_w =
			fit->power_w[at] + fit->power_w[static_at] - bench->class_w[of] - STATIC_W;

		held += !counted[of] && fabs(off_w) <= 1.96 * sqrt(variance);
		counted[of] = true;
	}
	return held;
}

static void a_response_that_is_off_is_moved(void **state)
{
	static const double off[][2] = {
		{PERIOD_NS, 0}, {1.1 * PERIOD_NS, 0}, {PERIOD_NS, 0.05 * PERIOD_NS}};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(off); i++) {
		unsigned held = 0;

		for (guint32 seed = 1; seed <= SEEDS; seed++) {
			struct bench bench;
			struct fit *fit;

			set_up(&bench, (struct truth){0}, seed);
			calibrate(&bench, off[i][0], off[i][1]);
			fit = fit_make(&bench.gpu.model, &bench.gpu.source, NULL);
			assert_non_null(fit);
			assert_int_equal(fit->found.origin, RESPONSE_CALIBRATED);
			assert_int_equal(fit->influences.count, 0);
			assert_true(
				fabs(response_window_ns(&fit->response) / PERIOD_NS - 1) < 0.01);
			assert_true(fabs(response_lag_ns(&fit->response)) < 0.01 * PERIOD_NS);
			held += count_held(&bench, fit);
			fit_free(fit);
			tear_down(&bench);
		}
		print_message("# off by %+.0f %%, %+.0f %%: %u of %u hold the truth\n",
			100 * (off[i][0] / PERIOD_NS - 1), 100 * off[i][1] / PERIOD_NS, held,
			SEEDS * CLASSES);
		assert_in_range(held, SEEDS * CLASSES * 80 / 100, SEEDS * CLASSES);
	}
}

static void a_fit_is_the_same_again(void **state)
{
	struct fit *fits[2];
	struct bench bench;

	(void)state;
	set_up(&bench, (struct truth){.clock = 2.2, .idle = 0.4}, 1);
	for (int i = 0; i < 2; i++)
		fits[i] = fit_make(&bench.gpu.model, &bench.gpu.source, NULL);
	assert_int_equal(fits[0]->powers, fits[1]->powers);
	assert_true(fits[0]->influences.count >= 2);
	assert_memory_equal(fits[0]->power_w, fits[1]->power_w, fits[0]->powers * sizeof(double));
	assert_memory_equal(fits[0]->covariance, fits[1]->covariance,
		fits[0]->powers * fits[0]->powers * sizeof(double));
	for (int i = 0; i < 2; i++)
		fit_free(fits[i]);
	tear_down(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_there_is_found_and_no_other),
		cmocka_unit_test(what_is_not_there_is_not_found),
		cmocka_unit_test(drift_is_no_influence),
		cmocka_unit_test(intervals_of_factors_hold_the_truth),
		cmocka_unit_test(a_response_that_is_off_is_moved),
		cmocka_unit_test(a_fit_is_the_same_again),
	};

	return cmocka_run_group_tests_name("influence", tests, NULL, NULL);
}
