/* SPDX-License-Identifier: MIT */
/*
 * RAPL through Linux's powercap: energy counters of CPU packages and their parts.
 *
 *   class/powercap/intel-rapl:0/{name,energy_uj,max_energy_range_uj}      "package-0"
 *   class/powercap/intel-rapl:0:0/...                                     "core", "dram" ...
 *
 * (Linux, Documentation/power/powercap/powercap.rst; AMD's packages appear under the same names.
 * The zones intel-rapl-mmio:* are the same counters once more.)  A counter wraps at
 * max_energy_range_uj, a minute or more apart at full power.
 */
#include "preload/power/core/power.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload/common/clock.h"
#include "preload/common/conf.h"
#include "preload/power/core/counter.h"
#include "preload/power/core/notes.h"
#include "preload/power/core/sysfs.h"

#define DOMAINS_MAX 64
#define NAME_MAX_BYTES 64
#define PROBLEM_MAX 512
#define UJ_PER_S_MAX UINT64_C(10000000000) /* 10 kW: no package draws that */

struct domain {
	char name[NAME_MAX_BYTES];
	char part_of[NAME_MAX_BYTES];
	char problem[PROBLEM_MAX];
	int energy_fd;
	bool lost;
	uint64_t time_ns; /* of the last reading, 0 where it failed */
	struct counter counter;
};

struct rapl {
	char cpu[128]; /* what people call it */
	size_t count;
	struct domain domains[DOMAINS_MAX];
	struct power_sensor sensors[DOMAINS_MAX];
	struct power_notes notes;
};

/*
 * How a zone counts.  The package's counter holds cores and uncore; dram is a domain of its own
 * beside it (Intel's manual, volume 3, "RAPL Domains").  psys, the whole board, holds the packages
 * and more: beside them.  A zone of another name is never summed either.
 */
enum role { TOP, PART, BESIDE };

static const struct {
	const char *name;
	enum role role;
	unsigned int poll_ms; /* parts are for the curious, packages for attribution */
} zone_kinds[] = {
	{"package", TOP, 10},
	{"dram", TOP, 10},
	{"core", PART, 100},
	{"uncore", PART, 100},
	{"psys", BESIDE, 100},
	{"", BESIDE, 100},
};

static size_t kind_of(const char *name)
{
	size_t i = 0;

	while (strncmp(name, zone_kinds[i].name, strlen(zone_kinds[i].name)) != 0)
		i++;
	return i;
}

/* "intel-rapl:1:0" lies within "intel-rapl:1", whose name tells the packages apart: "core-1".
 * Returns 0, or -1 where names cannot be read or are too long. */
static int name_domain(struct domain *domain, const char *zone, const char *name)
{
	const char *base = strrchr(zone, '/') + 1;
	const char *last = strrchr(base, ':');
	char parent[PATH_MAX], package[NAME_MAX_BYTES];

	if (last == strchr(base, ':')) {
		strcpy(domain->name, name);
		return 0;
	}
	snprintf(parent, sizeof(parent), "%.*s", (int)(last - zone), zone);
	if (sysfs_text(package, sizeof(package), parent, "name"))
		return -1;
	strcpy(domain->part_of, package);
	return snprintf(domain->name, sizeof(domain->name), "%s%s", name,
		       package + strcspn(package, "-")) < (int)sizeof(domain->name)
		       ? 0
		       : -1;
}

/* Returns 0, or -1 with the domain's problem. */
static int open_counter(struct domain *domain, const char *zone)
{
	static const char *const files[] = {"max_energy_range_uj", "energy_uj"};
	uint64_t energy_uj;

	if (sysfs_number(&domain->counter.range, zone, files[0])) {
		sysfs_problem(domain->problem, PROBLEM_MAX, zone, files[0], errno);
		return -1;
	}
	domain->counter.fastest = UJ_PER_S_MAX;
	domain->energy_fd = sysfs_open(zone, files[1]);
	if (domain->energy_fd >= 0 && !sysfs_reread_number(domain->energy_fd, &energy_uj))
		return 0;
	sysfs_problem(domain->problem, PROBLEM_MAX, zone, files[1], errno);
	return -1;
}

static void add_zone(void *data, const char *zone)
{
	struct rapl *rapl = data;
	struct domain *domain = &rapl->domains[rapl->count];
	char name[NAME_MAX_BYTES];
	size_t kind;
	bool broken;

	if (rapl->count == DOMAINS_MAX || sysfs_text(name, sizeof(name), zone, "name"))
		return;
	kind = kind_of(name);
	*domain = (struct domain){.energy_fd = -1};
	if (name_domain(domain, zone, name))
		return;
	if (zone_kinds[kind].role == BESIDE)
		strcpy(domain->part_of, "*");
	else if (zone_kinds[kind].role == TOP)
		strcpy(domain->part_of, "");
	broken = open_counter(domain, zone);
	rapl->sensors[rapl->count++] = (struct power_sensor){
		.device = "cpu",
		.device_name = rapl->cpu,
		.domain = domain->name,
		.part_of = domain->part_of,
		.quantity = "energy",
		.period_ns = PWRTRACE_NS_PER_MS,
		.window_ns = PWRTRACE_UNKNOWN_U64,
		.lag_ns = PWRTRACE_UNKNOWN_U64,
		.poll_ns = zone_kinds[kind].poll_ms * PWRTRACE_NS_PER_MS,
		.problem = broken ? domain->problem : NULL,
	};
}

static void name_cpu(char *name, size_t size)
{
	FILE *file = fopen("/proc/cpuinfo", "re");
	size_t capacity = 0;
	char *line = NULL;

	*name = 0;
	while (file && !*name && getline(&line, &capacity, file) >= 0)
		if (strncmp(line, "model name", strlen("model name")) == 0 && strstr(line, ": "))
			snprintf(name, size, "%.*s", (int)strcspn(strstr(line, ": ") + 2, "\n"),
				strstr(line, ": ") + 2);
	free(line);
	if (file)
		fclose(file);
}

static void close_rapl(void *state)
{
	struct rapl *rapl = state;

	for (size_t i = 0; i < rapl->count; i++)
		if (rapl->domains[i].energy_fd >= 0)
			close(rapl->domains[i].energy_fd);
	power_notes_free(&rapl->notes);
	free(rapl);
}

static void *open_rapl(const char *argument, char *why)
{
	struct rapl *rapl = calloc(1, sizeof(*rapl));

	(void)argument;
	if (!rapl) {
		snprintf(why, POWER_WHY_MAX, "out of memory");
		return NULL;
	}
	name_cpu(rapl->cpu, sizeof(rapl->cpu));
	sysfs_each(conf.sysfs, "class/powercap/intel-rapl:*", add_zone, rapl);
	if (!rapl->count) {
		snprintf(why, POWER_WHY_MAX,
			"no RAPL counters in %s/class/powercap; sudo modprobe intel_rapl_msr, "
			"unless this is a virtual machine",
			conf.sysfs);
		close_rapl(rapl);
		return NULL;
	}
	return rapl;
}

static size_t rapl_sensors(void *state, const struct power_sensor **sensors)
{
	struct rapl *rapl = state;

	*sensors = rapl->sensors;
	return rapl->count;
}

static void read_rapl(void *state, size_t i)
{
	struct rapl *rapl = state;
	struct domain *domain = &rapl->domains[i];
	uint64_t energy_uj, begin_ns = clock_now_ns();

	domain->time_ns = 0;
	if (domain->lost)
		return;
	if (sysfs_reread_number(domain->energy_fd, &energy_uj)) {
		domain->lost = sysfs_gone(errno);
		if (domain->lost)
			power_notes_add(&rapl->notes, "energy_counter",
				"%s: %s; its energy is not measured from here on", domain->name,
				strerror(errno));
		return;
	}
	domain->time_ns = begin_ns + (clock_now_ns() - begin_ns) / 2;
	counter_read(&domain->counter, energy_uj, domain->time_ns);
}

static void write_rapl(void *state, size_t i, const struct power_sink *sink)
{
	const struct rapl *rapl = state;
	const struct domain *domain = &rapl->domains[i];

	if (domain->time_ns)
		sink->value(sink, domain->time_ns, domain->counter.total);
}

static const struct power_note *rapl_note(void *state, size_t i)
{
	const struct rapl *rapl = state;

	return power_notes_at(&rapl->notes, i);
}

const struct power_ops power_rapl = {
	.open = open_rapl,
	.sensors = rapl_sensors,
	.read = read_rapl,
	.write = write_rapl,
	.note = rapl_note,
	.close = close_rapl,
};
