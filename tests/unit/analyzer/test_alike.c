/* SPDX-License-Identifier: MIT */
#include "analyzer/model/curve.h"
#include "analyzer/model/source.h"
#include "tests/unit/unit.h"

/* Two devices, each on a machine of its own, with a sensor each. */
struct bench {
	struct model model;
	struct model_recording recordings[2];
	struct model_sensor sensors[2];
	GArray *sources, *readings;
};

static void set_up(struct bench *bench)
{
	static const char *const machines[] = {"b1", "b2"}, *const devices[] = {"G1", "G2"};
	const struct curve_interval interval = {0, 1000, 1, false};

	*bench = (struct bench){.sources = g_array_new(FALSE, FALSE, sizeof(struct source)),
		.readings = g_array_new(FALSE, FALSE, sizeof(struct model_reading))};
	bench->model.gpus = g_array_new(FALSE, FALSE, sizeof(struct model_gpu));
	for (guint i = 0; i < 2; i++) {
		const struct model_gpu gpu = {
			.machine = machines[i], .name = "H200", .uuid = devices[i], .pci = ""};
		struct source source = {.sensor = &bench->sensors[i],
			.recording = &bench->recordings[i],
			.device = devices[i],
			.top_level = true,
			.curve = g_array_new(FALSE, FALSE, sizeof(interval)),
			.covers = g_new0(bool, 2)};

		bench->recordings[i].machine = machines[i];
		bench->sensors[i] = (struct model_sensor){.source = "nvml",
			.device = devices[i],
			.domain = "gpu",
			.quantity = "power",
			.driver = "580.1",
			.period_ns = 20000000,
			.readings = bench->readings};
		source.covers[i] = true;
		g_array_append_val(source.curve, interval);
		g_array_append_val(bench->sources, source);
		g_array_append_val(bench->model.gpus, gpu);
	}
}

static struct source *source_at(const struct bench *bench, guint i)
{
	return &g_array_index(bench->sources, struct source, i);
}

static struct model_gpu *gpu_at(const struct bench *bench, guint i)
{
	return &g_array_index(bench->model.gpus, struct model_gpu, i);
}

/* Whether the two are alike, which they are to each other. */
static bool are_alike(const struct bench *bench)
{
	const struct source *sources = source_at(bench, 0);
	bool alike;

	sources_find_alike(&bench->model, bench->sources);
	alike = sources[0].alike->len;
	assert_int_equal(sources[0].alike->len, sources[1].alike->len);
	for (guint i = 0; alike && i < 2; i++) {
		assert_int_equal(sources[i].alike->len, 1);
		assert_ptr_equal(g_ptr_array_index(sources[i].alike, 0), &sources[1 - i]);
	}
	return alike;
}

static void tear_down(struct bench *bench)
{
	for (guint i = 0; i < 2; i++) {
		g_array_free(source_at(bench, i)->curve, TRUE);
		g_ptr_array_free(source_at(bench, i)->alike, TRUE);
		g_free(source_at(bench, i)->covers);
	}
	g_array_free(bench->sources, TRUE);
	g_array_free(bench->readings, TRUE);
	g_array_free(bench->model.gpus, TRUE);
}

static void nothing(struct bench *bench)
{
	(void)bench;
}

static void other_driver(struct bench *bench)
{
	bench->sensors[1].driver = "590.2";
}

static void other_name(struct bench *bench)
{
	gpu_at(bench, 1)->name = "H100";
}

static void no_name(struct bench *bench)
{
	gpu_at(bench, 0)->name = gpu_at(bench, 1)->name = "";
}

static void no_device(struct bench *bench)
{
	source_at(bench, 1)->covers[1] = false;
}

static void other_domain(struct bench *bench)
{
	bench->sensors[1].domain = "memory";
}

static void other_kind(struct bench *bench)
{
	bench->sensors[1].source = "exec";
}

static void other_quantity(struct bench *bench)
{
	bench->sensors[1].quantity = "energy";
}

static void other_period(struct bench *bench)
{
	bench->sensors[1].period_ns *= 2;
}

static void same_device(struct bench *bench)
{
	bench->recordings[1].machine = "b1";
	source_at(bench, 1)->device = "G1";
	gpu_at(bench, 1)->machine = "b1";
}

static void estimated(struct bench *bench)
{
	source_at(bench, 0)->estimated = source_at(bench, 1)->estimated = true;
}

static void without_readings(struct bench *bench)
{
	for (guint i = 0; i < 2; i++)
		g_array_set_size(source_at(bench, i)->curve, 0);
}

static void same_machine(struct bench *bench)
{
	bench->recordings[1].machine = gpu_at(bench, 1)->machine = "b1";
}

static void sensors_of_one_kind_on_devices_of_one_model_are_alike(void **state)
{
	static const struct {
		void (*change)(struct bench *bench);
		bool alike;
	} cases[] = {
		{nothing, true},
		{same_machine, true},
		{other_driver, false},
		{other_name, false},
		{no_name, false},
		{no_device, false},
		{other_domain, false},
		{other_period, false},
		{other_kind, false},
		{other_quantity, false},
		{same_device, false},
		{estimated, false},
		{without_readings, false},
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct bench bench;

		set_up(&bench);
		cases[i].change(&bench);
		assert_int_equal(are_alike(&bench), cases[i].alike);
		tear_down(&bench);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sensors_of_one_kind_on_devices_of_one_model_are_alike),
	};

	return cmocka_run_group_tests_name("alike", tests, NULL, NULL);
}
