/* SPDX-License-Identifier: MIT */
/* A model of one process that runs kernels on one GPU, whose power one sensor says. */
#ifndef PWRTRACE_TESTS_ONE_GPU_H
#define PWRTRACE_TESTS_ONE_GPU_H

#include <math.h>

#include "analyzer/model/curve.h"
#include "analyzer/model/source.h"
#include "tests/unit/unit.h"

#define ONE_GPU_KERNELS_MAX 9

/* Its source points into it: it stays where it is. */
struct one_gpu {
	struct model model;
	struct model_sensor sensor;
	struct source source;
	bool covers[1];
};

/* Kernels, called "a", "b" and so on, are counted from 0; times are from 0 to end_ns. */
static inline void one_gpu_begin(
	struct one_gpu *one, double period_ns, double end_ns, guint kernels)
{
	static const char *const names[ONE_GPU_KERNELS_MAX] = {
		"a", "b", "c", "d", "e", "f", "g", "h", "i"};
	const struct model_gpu gpu = {
		.machine = "b", .kind = "gpu", .name = "GPU", .uuid = "G", .pci = ""};
	const struct model_recording recording = {
		.host = "h", .machine = "b", .span = {0, (uint64_t)end_ns}};
	const struct model_process process = {.host = "h",
		.machine = "b",
		.kernels = table_new(sizeof(struct model_kernel)),
		.graphs = table_new(sizeof(struct model_graph))};
	struct model *model = &one->model;

	*one = (struct one_gpu){.covers = {true}};
	for (guint i = 0; i < kernels; i++)
		*(struct model_kernel *)table_slot(process.kernels, i + 1) =
			(struct model_kernel){.defined = true, .api = "cuda", .name = names[i]};
	model->processes = g_array_new(FALSE, FALSE, sizeof(process));
	model->gpus = g_array_new(FALSE, FALSE, sizeof(gpu));
	model->origins = origins_new();
	model->executions = mapped_array_new(sizeof(struct model_execution));
	model->recordings = g_array_new(FALSE, FALSE, sizeof(recording));
	model->sensors = g_array_new(FALSE, FALSE, sizeof(struct model_sensor));
	model->state_sensors = g_array_new(FALSE, FALSE, sizeof(struct model_state_sensor));
	g_array_append_val(model->processes, process);
	g_array_append_val(model->gpus, gpu);
	g_array_append_val(model->recordings, recording);
	one->sensor = (struct model_sensor){.source = "nvml",
		.device = "G",
		.pci = "",
		.domain = "gpu",
		.part_of = "",
		.quantity = "power",
		.period_ns = (uint64_t)period_ns,
		.window_ns = (uint64_t)period_ns,
		.lag_ns = 0,
		.readings = g_array_new(FALSE, FALSE, sizeof(struct model_reading)),
		.taps = g_array_new(FALSE, FALSE, sizeof(struct model_tap))};
}

static inline void one_gpu_runs_for(struct one_gpu *one, enum model_replayed replayed, guint kernel,
	double begin_ns, double end_ns)
{
	const struct model_origin origin = {.kernel = kernel + 1, .replayed = replayed};
	const struct model_execution execution = {.begin_ns = (uint64_t)begin_ns,
		.end_ns = (uint64_t)end_ns,
		.launched_ns = (uint64_t)begin_ns,
		.origin = origins_number(one->model.origins, &origin)};

	assert_true(mapped_array_append(one->model.executions, &execution));
}

/* In the order of time, as readings. */
static inline void one_gpu_runs(struct one_gpu *one, guint kernel, double begin_ns, double end_ns)
{
	one_gpu_runs_for(one, MODEL_OF_PROGRAM, kernel, begin_ns, end_ns);
}

static inline const struct model_execution *one_gpu_execution(const struct one_gpu *one, guint i)
{
	return model_execution_at(&one->model, i);
}

static inline guint one_gpu_kernel_of(
	const struct one_gpu *one, const struct model_execution *execution)
{
	return model_origin_of(&one->model, execution)->kernel - 1;
}

static inline void one_gpu_reads(struct one_gpu *one, double time_ns, double power_w)
{
	const struct model_reading reading = {(uint64_t)time_ns, (uint64_t)llround(1e3 * power_w)};

	g_array_append_val(one->sensor.readings, reading);
}

/* What the device is from a time on: its clock, what throttles it, and a limit of 700 W.  In the
 * order of time; the last state marks the end. */
static inline void one_gpu_is(
	struct one_gpu *one, double time_ns, uint32_t clock_mhz, uint64_t throttle_reasons)
{
	const struct model_state state = {.time_ns = (uint64_t)time_ns,
		.sm_clock_mhz = clock_mhz,
		.throttle_reasons = throttle_reasons,
		.limit_mw = 700000};
	GArray *sensors = one->model.state_sensors;

	if (!sensors->len) {
		const struct model_state_sensor sensor = {.about = one->sensor,
			.states = g_array_new(FALSE, FALSE, sizeof(struct model_state))};

		g_array_append_val(sensors, sensor);
	}
	g_array_append_val(g_array_index(sensors, struct model_state_sensor, 0).states, state);
}

/* After all readings. */
static inline void one_gpu_set_source(struct one_gpu *one)
{
	const struct model_recording *recording =
		&g_array_index(one->model.recordings, struct model_recording, 0);

	one->source = (struct source){.sensor = &one->sensor,
		.recording = recording,
		.span = recording->span,
		.top_level = true,
		.covers = one->covers,
		.curve = curve_of(&one->sensor, &recording->span),
		.alike = g_ptr_array_new()};
}

static inline void one_gpu_end(struct one_gpu *one)
{
	struct model_process *process =
		&g_array_index(one->model.processes, struct model_process, 0);

	table_free(process->kernels);
	table_free(process->graphs);
	g_array_free(one->model.processes, TRUE);
	g_array_free(one->model.gpus, TRUE);
	origins_free(one->model.origins);
	mapped_array_free(one->model.executions);
	g_array_free(one->model.recordings, TRUE);
	g_array_free(one->model.sensors, TRUE);
	for (guint i = 0; i < one->model.state_sensors->len; i++)
		g_array_free(g_array_index(one->model.state_sensors, struct model_state_sensor, i)
				     .states,
			TRUE);
	g_array_free(one->model.state_sensors, TRUE);
	g_array_free(one->sensor.readings, TRUE);
	g_array_free(one->sensor.taps, TRUE);
	g_array_free(one->source.curve, TRUE);
	g_ptr_array_free(one->source.alike, TRUE);
}

#endif
