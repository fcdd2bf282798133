/* SPDX-License-Identifier: MIT */
#include "analyzer/live/live.h"

#include <math.h>
#include <string.h>

#include "analyzer/live/work.h"
#include "analyzer/model/curve.h"
#include "analyzer/trace/follow.h"

struct live {
	char *directory, *command;
	struct reader_sink sink;
	struct follow *follow;
	uint64_t begin_ns, end_ns; /* end_ns 0: it goes on */
	uint64_t last_ns;          /* the latest time that an event says */
	uint64_t discarded;
	GPtrArray *sensors;                    /* struct live_sensor * */
	GPtrArray *shown;                      /* those of them that have readings; borrowed */
	GHashTable *processes;                 /* struct live_process by sub-trace and number */
	struct pwrtrace_long_times long_times; /* the last one; its texts are not used */
};

/* ---- sensors ---- */

static void sensor_free(gpointer data)
{
	struct live_sensor *sensor = data;

	g_free((char *)sensor->about.source);
	g_free((char *)sensor->about.device);
	g_free((char *)sensor->about.domain);
	g_free((char *)sensor->about.part_of);
	g_free((char *)sensor->about.quantity);
	g_free((char *)sensor->about.pci);
	g_free(sensor);
}

static struct live_sensor *sensor_of(
	const struct live *live, unsigned trace, uint32_t process, uint32_t number)
{
	for (guint i = 0; i < live->sensors->len; i++) {
		struct live_sensor *sensor = g_ptr_array_index(live->sensors, i);

		if (sensor->trace == trace && sensor->about.process == process &&
			sensor->about.sensor == number)
			return sensor;
	}
	return NULL;
}

static void take_sensor(struct live *live, unsigned trace, const struct pwrtrace_sensor_def *e)
{
	struct live_sensor *sensor = sensor_of(live, trace, e->process, e->sensor);

	if (sensor)
		return;
	sensor = g_new0(struct live_sensor, 1);
	sensor->about = *e;
	sensor->about.source = g_strdup(e->source);
	sensor->about.device = g_strdup(e->device);
	sensor->about.domain = g_strdup(e->domain);
	sensor->about.part_of = g_strdup(e->part_of);
	sensor->about.quantity = g_strdup(e->quantity);
	sensor->about.pci = g_strdup(e->pci);
	sensor->about.device_name = sensor->about.driver = "";
	sensor->trace = trace;
	sensor->state.time_ns = sensor->last_value = PWRTRACE_UNKNOWN_U64;
	sensor->watts = sensor->lowest_w = NAN;
	g_ptr_array_add(live->sensors, sensor);
	if (strcmp(e->quantity, "state") != 0)
		g_ptr_array_add(live->shown, sensor);
}

/* What a sensor measured from its last reading until time_ns. */
static void add_power(struct live_sensor *sensor, uint64_t time_ns, double watts)
{
	uint64_t begin_ns = sensor->time_ns;

	sensor->watts = watts;
	sensor->lowest_w = fmin(sensor->lowest_w, watts);
	sensor->joules += watts * (double)(time_ns - begin_ns) / 1e9;
	if (time_ns - begin_ns > LIVE_SECONDS * PWRTRACE_NS_PER_S)
		begin_ns = time_ns - LIVE_SECONDS * PWRTRACE_NS_PER_S;
	while (begin_ns < time_ns) {
		uint64_t number = begin_ns / PWRTRACE_NS_PER_S;
		uint64_t end_ns = MIN(time_ns, (number + 1) * PWRTRACE_NS_PER_S);
		struct live_second *second = live_second_at(sensor->seconds, number);

		if (second) {
			second->known_ns += end_ns - begin_ns;
			second->joules += watts * (double)(end_ns - begin_ns) / 1e9;
		}
		begin_ns = end_ns;
	}
}

static void take_reading(struct live *live, struct live_sensor *sensor, uint64_t time_ns,
	uint64_t value, bool counts)
{
	const struct model_reading now = {time_ns, value};
	bool first;

	if (!sensor || value == PWRTRACE_UNKNOWN_U64 || time_ns == PWRTRACE_UNKNOWN_U64)
		return;
	if (!counts && value >= MODEL_IMPOSSIBLE_MW)
		return;
	first = sensor->last_value == PWRTRACE_UNKNOWN_U64;
	if (!first && time_ns <= sensor->time_ns)
		return;
	/* A counter that has not moved has not been updated. */
	if (counts && !first && value == sensor->last_value)
		return;
	if (counts && !first &&
		curve_counts(&(struct model_reading){sensor->time_ns, sensor->last_value}, &now))
		add_power(sensor, time_ns,
			(double)(value - sensor->last_value) * 1e3 /
				(double)(time_ns - sensor->time_ns));
	else if (!counts && !first)
		add_power(sensor, time_ns, (double)value / 1e3);
	else if (!counts)
		sensor->watts = sensor->lowest_w = (double)value / 1e3;
	sensor->time_ns = time_ns;
	sensor->last_value = value;
	live->last_ns = MAX(live->last_ns, time_ns);
}

/* A state is of all sensors of its source that measure the same device. */
static void take_state(struct live *live, unsigned trace, const struct pwrtrace_device_state *e)
{
	const struct live_sensor *of = sensor_of(live, trace, e->process, e->sensor);

	for (guint i = 0; of && i < live->shown->len; i++) {
		struct live_sensor *sensor = g_ptr_array_index(live->shown, i);

		if (strcmp(sensor->about.source, of->about.source) == 0 &&
			strcmp(sensor->about.device, of->about.device) == 0)
			sensor->state = *e;
	}
}

/* ---- executions ---- */

static struct live_process *process_of(struct live *live, unsigned trace, uint32_t number)
{
	gint64 key = (gint64)((uint64_t)trace << 32 | number);
	struct live_process *process = g_hash_table_lookup(live->processes, &key);

	if (!process) {
		process = live_process_new();
		g_hash_table_insert(live->processes, g_memdup2(&key, sizeof(key)), process);
	}
	return process;
}

/* What the events of all kinds of executions say of it. */
struct execution {
	unsigned trace;
	uint32_t process, correlation, stream, anchor;
	uint64_t enqueue_ns;
	int32_t delay_ns;
	uint32_t duration_ns;
	const char *name;
};

static void take_execution(struct live *live, const struct execution *e)
{
	uint64_t begin_ns = e->enqueue_ns, end_ns;

	if (e->duration_ns == PWRTRACE_LONG_U32) {
		/* The event before it, unless LTTng had them on two processors. */
		if (live->long_times.process != e->process ||
			live->long_times.correlation != e->correlation)
			return;
		begin_ns = live->long_times.begin_ns;
		end_ns = live->long_times.end_ns;
	} else {
		if (begin_ns == PWRTRACE_UNKNOWN_U64 || e->duration_ns == PWRTRACE_UNKNOWN_U32)
			return;
		/* A device's own time, of a clock that is not known yet, says nothing of when. */
		if (e->anchor != PWRTRACE_UNKNOWN_U32 && e->delay_ns != PWRTRACE_UNKNOWN_I32)
			begin_ns += (uint64_t)(int64_t)e->delay_ns;
		end_ns = begin_ns + e->duration_ns;
	}
	if (begin_ns >= end_ns || end_ns > INT64_MAX)
		return;
	live->last_ns = MAX(live->last_ns, end_ns);
	live_stream_add(live_process_stream(process_of(live, e->trace, e->process), e->stream),
		e->name, begin_ns, end_ns);
}

#define EXECUTION(event, of_name)                                                                  \
	(&(struct execution){trace, (event)->process, (event)->correlation, (event)->stream,       \
		(event)->anchor, (event)->enqueue_ns, (event)->delay_ns, (event)->duration_ns,     \
		(of_name)})

/* ---- the sink ---- */

static void take_recording(struct live *live, const struct pwrtrace_recording *e)
{
	g_free(live->command);
	live->command = g_strdup(e->command);
	live->begin_ns = e->begin_ns == PWRTRACE_UNKNOWN_U64 ? 0 : e->begin_ns;
}

static void take_device(struct live *live, unsigned trace, const struct pwrtrace_device *e)
{
	live_process_device(process_of(live, trace, e->process), e);
}

static void take_stream(struct live *live, unsigned trace, const struct pwrtrace_stream_def *e)
{
	live_process_stream(process_of(live, trace, e->process), e->stream)->device = e->device;
}

static void take_kernel(struct live *live, unsigned trace, const struct pwrtrace_kernel_exec *e)
{
	take_execution(live, EXECUTION(e, e->name));
}

static void take_memory(struct live *live, unsigned trace, const struct pwrtrace_memory_exec *e)
{
	take_execution(live, EXECUTION(e, e->name));
}

static void take_graph(struct live *live, unsigned trace, const struct pwrtrace_graph_launch *e)
{
	take_execution(live, EXECUTION(e, "(graph)"));
}

static void take_sample(struct live *live, unsigned trace, const struct pwrtrace_power_sample *e)
{
	take_reading(live, sensor_of(live, trace, e->process, e->sensor), e->time_ns, e->power_mw,
		false);
}

static void take_counter(struct live *live, unsigned trace, const struct pwrtrace_energy_counter *e)
{
	take_reading(live, sensor_of(live, trace, e->process, e->sensor), e->time_ns, e->energy_uj,
		true);
}

static void take(void *data, unsigned trace, enum pwrtrace_event_id id, const void *record)
{
	struct live *live = data;

	switch (id) {
	case PWRTRACE_EV_recording:
		take_recording(live, record);
		break;
	case PWRTRACE_EV_device:
		take_device(live, trace, record);
		break;
	case PWRTRACE_EV_stream_def:
		take_stream(live, trace, record);
		break;
	case PWRTRACE_EV_kernel_exec:
		take_kernel(live, trace, record);
		break;
	case PWRTRACE_EV_memory_exec:
		take_memory(live, trace, record);
		break;
	case PWRTRACE_EV_graph_launch:
		take_graph(live, trace, record);
		break;
	case PWRTRACE_EV_long_times:
		live->long_times = *(const struct pwrtrace_long_times *)record;
		break;
	case PWRTRACE_EV_sensor_def:
		take_sensor(live, trace, record);
		break;
	case PWRTRACE_EV_power_sample:
		take_sample(live, trace, record);
		break;
	case PWRTRACE_EV_energy_counter:
		take_counter(live, trace, record);
		break;
	case PWRTRACE_EV_device_state:
		take_state(live, trace, record);
		break;
	default:
		break;
	}
}

static bool wants(void *data, enum pwrtrace_event_id id, const char *field)
{
	(void)data;
	(void)id;
	(void)field;
	return true;
}

static void take_discarded(void *data, uint64_t count)
{
	((struct live *)data)->discarded += count;
}

/* ---- the recording ---- */

struct live *live_new(const char *directory)
{
	struct live *live = g_new0(struct live, 1);

	live->directory = g_strdup(directory);
	live->command = g_strdup("");
	live->sensors = g_ptr_array_new_with_free_func(sensor_free);
	live->shown = g_ptr_array_new();
	live->processes =
		g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, live_process_free);
	live->sink = (struct reader_sink){
		.event = take, .wants = wants, .discarded = take_discarded, .data = live};
	live->follow = follow_new(live->directory, &live->sink);
	return live;
}

void live_free(struct live *live)
{
	follow_free(live->follow);
	g_ptr_array_unref(live->shown);
	g_ptr_array_unref(live->sensors);
	g_hash_table_unref(live->processes);
	g_free(live->command);
	g_free(live->directory);
	g_free(live);
}

static uint64_t window_end(const struct live *live)
{
	uint64_t now = live_now_ns(live) / PWRTRACE_NS_PER_S;

	return live->end_ns ? now + 1 : now - MIN(now, LIVE_AGE_S);
}

static uint64_t window_begin(const struct live *live)
{
	uint64_t end = window_end(live);

	return end - MIN(end, LIVE_WINDOW_S);
}

bool live_read(struct live *live)
{
	uint64_t oldest;
	GHashTableIter processes;
	gpointer process;
	/* Asked before: what is written until then will be read. */
	bool goes_on = reader_is_recorded(live->directory);

	if (live->end_ns)
		return false;
	follow_read(live->follow);
	if (!goes_on)
		live->end_ns = MAX(live->last_ns, 1);
	oldest = window_begin(live);
	g_hash_table_iter_init(&processes, live->processes);
	while (g_hash_table_iter_next(&processes, NULL, &process))
		live_process_forget(process, oldest);
	return goes_on;
}

bool live_goes_on(const struct live *live)
{
	return !live->end_ns;
}

const char *live_directory(const struct live *live)
{
	return live->directory;
}

const char *live_command(const struct live *live)
{
	return live->command;
}

uint64_t live_now_ns(const struct live *live)
{
	return live->end_ns ? live->end_ns : (uint64_t)g_get_monotonic_time() * 1000;
}

uint64_t live_length_ns(const struct live *live)
{
	uint64_t now_ns = live_now_ns(live);

	return live->begin_ns && live->begin_ns < now_ns ? now_ns - live->begin_ns : 0;
}

uint64_t live_discarded(const struct live *live)
{
	return live->discarded;
}

const GPtrArray *live_sensors(const struct live *live)
{
	return live->shown;
}

GArray *live_kernels(const struct live *live)
{
	return live_kernels_of(live->processes, live->shown, window_begin(live), window_end(live));
}
