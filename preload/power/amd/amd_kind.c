/* SPDX-License-Identifier: MIT */
#include "preload/power/amd/amd_kind.h"

#include <errno.h>

#include "preload/common/clock.h"
#include "preload/power/core/sysfs.h"

#define NS_PER_STAMP 10
#define UW_PER_MW 1000
#define TABLE_FRESH_NS PWRTRACE_NS_PER_MS /* the driver keeps a table that long, too */

static void read_anew(struct amd_device *device)
{
	uint8_t table[AMD_METRICS_MAX];
	int size;

	device->serial++;
	device->begin_ns = clock_now_ns();
	size = sysfs_reread(device->metrics_fd, table, sizeof(table));
	device->read_ns = clock_now_ns();
	device->error = size < 0 ? errno : 0;
	if (size >= 0 && amd_metrics_decode(&device->metrics, table, (size_t)size))
		device->error = EPROTO;
}

void amd_read_table(struct amd_reading *reading)
{
	struct amd_device *device = reading->device;

	/* A sensor takes over a table only from another sensor: else its readings would seem to
	 * cost nothing. */
	if (!device->serial || reading->serial == device->serial ||
		clock_now_ns() - device->read_ns > TABLE_FRESH_NS)
		read_anew(device);
	reading->serial = device->serial;
}

static uint64_t host_time_ns(const struct amd_device *device)
{
	return device->begin_ns + (device->read_ns - device->begin_ns) / 2;
}

static void read_metric(struct amd_reading *reading)
{
	const struct amd_device *device = reading->device;

	amd_read_table(reading);
	reading->value = device->metrics.value[reading->kind->metric];
	if (!device->error && reading->value != PWRTRACE_UNKNOWN_U64)
		reading->time_ns = host_time_ns(device);
}

/* Where the firmware stamps its values, the time is that of the stamp. */
static void read_energy(struct amd_reading *reading)
{
	struct amd_device *device = reading->device;
	uint64_t stamp;

	read_metric(reading);
	if (!reading->time_ns)
		return;
	stamp = device->metrics.value[AMD_STAMP];
	if (stamp != PWRTRACE_UNKNOWN_U64)
		reading->time_ns =
			stamp_clock_time(&device->clock, stamp * NS_PER_STAMP, device->read_ns);
	counter_read(&device->energy, reading->value, reading->time_ns);
}

/* In units of 2^-16 J, which are 15625/1024 µJ.  A table that says nothing new is no reading. */
static void write_energy(struct amd_reading *reading, const struct power_sink *sink)
{
	const struct amd_device *device = reading->device;
	uint64_t stamp = device->metrics.value[AMD_STAMP];

	if (stamp != PWRTRACE_UNKNOWN_U64 && stamp == reading->written_stamp)
		return;
	reading->written_stamp = stamp;
	sink->value(sink, reading->time_ns,
		(uint64_t)((unsigned __int128)device->energy.total * 15625 / 1024));
}

static void read_power(struct amd_reading *reading)
{
	struct amd_device *device = reading->device;
	uint64_t power_uw;

	if (device->power_fd < 0) {
		read_metric(reading);
		return;
	}
	device->begin_ns = clock_now_ns();
	device->error = sysfs_reread_number(device->power_fd, &power_uw) ? errno : 0;
	device->read_ns = clock_now_ns();
	if (device->error)
		return;
	reading->value = power_uw / UW_PER_MW;
	reading->time_ns = host_time_ns(device);
}

static uint32_t known(uint64_t value)
{
	return value < PWRTRACE_UNKNOWN_U32 ? (uint32_t)value : PWRTRACE_UNKNOWN_U32;
}

static void read_state(struct amd_reading *reading)
{
	const struct amd_device *device = reading->device;
	const uint64_t *value = device->metrics.value;
	uint64_t limit_uw;

	amd_read_table(reading);
	if (device->error)
		return;
	reading->time_ns = host_time_ns(device);
	reading->state = POWER_STATE_UNKNOWN;
	reading->state.sm_clock_mhz = known(value[AMD_GFX_MHZ]);
	reading->state.memory_clock_mhz = known(value[AMD_MEMORY_MHZ]);
	reading->state.temperature_c = known(value[AMD_TEMPERATURE_C]);
	reading->state.sm_percent = known(value[AMD_GFX_PERCENT]);
	reading->state.memory_percent = known(value[AMD_MEMORY_PERCENT]);
	reading->state.throttle_reasons =
		reading->before.format ? amd_metrics_throttle(&device->metrics, &reading->before)
				       : value[AMD_THROTTLE];
	if (device->limit_fd >= 0 && !sysfs_reread_number(device->limit_fd, &limit_uw))
		reading->state.limit_mw = known(limit_uw / UW_PER_MW);
	reading->before = device->metrics;
}

static void write_state(struct amd_reading *reading, const struct power_sink *sink)
{
	reading->state.time_ns = reading->time_ns;
	sink->state(sink, &reading->state);
}

/* ---- the table ---- */

static bool has_metric(const struct amd_device *device, const struct amd_kind *kind)
{
	return !device->error && device->metrics.value[kind->metric] != PWRTRACE_UNKNOWN_U64;
}

/* Before v1.4 the kernel does not say what the accumulator counts.  Of the GPUs with such tables
 * those whose firmware stamps it (MI200) count units of 2^-16 J as later ones do. */
static bool has_energy(const struct amd_device *device, const struct amd_kind *kind)
{
	const struct amd_metrics *metrics = &device->metrics;

	return has_metric(device, kind) &&
	       (metrics->content >= 4 || metrics->value[AMD_STAMP] != PWRTRACE_UNKNOWN_U64 ||
		       (metrics->value[AMD_SOCKET_MW] == PWRTRACE_UNKNOWN_U64 &&
			       device->power_fd < 0));
}

static bool has_power(const struct amd_device *device, const struct amd_kind *kind)
{
	return device->power_fd >= 0 || has_metric(device, kind);
}

static bool has_state(const struct amd_device *device, const struct amd_kind *kind)
{
	(void)kind;
	return device->metrics_fd >= 0 && !device->error;
}

#define PART(m, name)                                                                              \
	{                                                                                          \
		.metric = m, .apu_domain = name, .apu_part_of = "socket", .quantity = "power",     \
		.has = has_metric, .read = read_metric                                             \
	}

enum { ENERGY, POWER, GFX, CPU, SOC, STATE, KIND_COUNT };

const struct amd_kind amd_kinds[] = {
	[ENERGY] = {.metric = AMD_ENERGY,
		.domain = "gpu",
		.part_of = "",
		.quantity = "energy",
		.has = has_energy,
		.read = read_energy,
		.write = write_energy},
	[POWER] = {.metric = AMD_SOCKET_MW,
		.domain = "gpu",
		.part_of = "",
		.apu_domain = "socket",
		.apu_part_of = "",
		.quantity = "power",
		.has = has_power,
		.read = read_power},
	[GFX] = PART(AMD_GFX_MW, "gfx"),
	[CPU] = PART(AMD_CPU_MW, "cpu"),
	[SOC] = PART(AMD_SOC_MW, "soc"),
	[STATE] = {.domain = "gpu",
		.part_of = "",
		.apu_domain = "socket",
		.apu_part_of = "",
		.quantity = "state",
		.has = has_state,
		.read = read_state,
		.write = write_state},
};

const size_t amd_kind_count = KIND_COUNT;

const struct amd_kind *const amd_kind_power = &amd_kinds[POWER];

struct power_sensor amd_describe(const struct amd_reading *reading)
{
	const struct amd_device *device = reading->device;
	const struct amd_kind *kind = reading->kind;
	bool apu = device->metrics.apu, energy = kind == &amd_kinds[ENERGY];
	bool main =
		energy || (kind == &amd_kinds[POWER] && !has_energy(device, &amd_kinds[ENERGY]));
	bool whole_watts = kind == &amd_kinds[POWER] && device->power_fd < 0 && !apu;

	return (struct power_sensor){
		.device = device->uuid,
		.device_name = device->name,
		.pci = device->pci,
		.driver = device->driver,
		.domain = apu ? kind->apu_domain : kind->domain,
		.part_of = apu ? kind->apu_part_of : kind->part_of,
		.quantity = kind->quantity,
		/* MI300's tables are made anew every millisecond (Linux, smu_v13_0_6_ppt.c). */
		.period_ns = energy && device->metrics.content >= 4 ? PWRTRACE_NS_PER_MS
								    : PWRTRACE_UNKNOWN_U64,
		.window_ns = PWRTRACE_UNKNOWN_U64,
		.lag_ns = PWRTRACE_UNKNOWN_U64,
		.resolution_uw = whole_watts ? 1000000 : 0,
		.resolution_nj = energy ? 15259 : 0,
		.poll_ns = (main ? 10 : 100) * PWRTRACE_NS_PER_MS,
		.holds_cpu = apu && kind == &amd_kinds[POWER],
	};
}
