/* SPDX-License-Identifier: MIT */
/*
 * RAPL through Linux's powercap: energy counters of CPU packages and their parts.
 *
 *   class/powercap/intel-rapl:0/{name,energy_uj,max_energy_range_uj}      "package-0"
 *   class/powercap/intel-rapl:0:0/...                                     "core", "dram" ...
 *
 * (Linux, Documentation/power/powercap/powercap.rst; AMD's packages appear under the same names.)
 * A counter wraps at max_energy_range_uj, a minute or more apart at full power.
 */
#include "preload/power/power.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload/clock.h"
#include "preload/conf.h"
#include "preload/power/rapl.h"
#include "pwrtrace/units.h"

#define DOMAINS_MAX 64
#define NAME_MAX_BYTES 64

struct domain {
	char name[NAME_MAX_BYTES];
	char package[NAME_MAX_BYTES]; /* the domain it is part of, or "" */
	int energy_fd;
	uint64_t range_uj;
	uint64_t counter_uj; /* as last read */
	uint64_t total_uj;   /* without wraps */
	uint64_t time_ns;
};

struct rapl {
	size_t count;
	struct domain domains[DOMAINS_MAX];
	struct power_sensor sensors[DOMAINS_MAX];
};

/* How a zone counts.  dram is a domain of its own beside the package.  psys, the whole board, is
 * left out: it holds the packages, and parts that no device of ours owns. */
struct zone_kind {
	const char *name;
	enum { TOP, PART, SKIP } role;
};

static const struct zone_kind zone_kinds[] = {
	{"package", TOP},
	{"dram", TOP},
	{"core", PART},
	{"uncore", PART},
	{"psys", SKIP},
};

uint64_t rapl_advance_uj(uint64_t before_uj, uint64_t now_uj, uint64_t range_uj)
{
	if (now_uj >= before_uj)
		return now_uj - before_uj;
	return range_uj - before_uj + now_uj;
}

static const struct zone_kind *kind_of(const char *name)
{
	for (size_t i = 0; i < sizeof(zone_kinds) / sizeof(*zone_kinds); i++)
		if (strncmp(name, zone_kinds[i].name, strlen(zone_kinds[i].name)) == 0)
			return &zone_kinds[i];
	return NULL;
}

static int read_text(const char *zone, const char *file, char *text, size_t size)
{
	char path[PATH_MAX];
	ssize_t length;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", zone, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	length = read(fd, text, size - 1);
	close(fd);
	if (length <= 0)
		return -1;
	text[length] = 0;
	text[strcspn(text, "\n")] = 0;
	return 0;
}

static int read_counter(int fd, uint64_t *value_uj)
{
	char text[32];
	ssize_t length = pread(fd, text, sizeof(text) - 1, 0);

	if (length <= 0)
		return -1;
	text[length] = 0;
	*value_uj = strtoull(text, NULL, 10);
	return 0;
}

/* "intel-rapl:1:0" is part of "intel-rapl:1", whose name tells the packages apart. */
static int package_of(const char *zone, char *package)
{
	char parent[PATH_MAX];
	char *last = strrchr(zone, ':');

	snprintf(parent, sizeof(parent), "%.*s", (int)(last - zone), zone);
	return read_text(parent, "name", package, NAME_MAX_BYTES);
}

static int name_domain(struct domain *domain, const char *zone, bool is_part)
{
	char package[NAME_MAX_BYTES];
	char name[NAME_MAX_BYTES];
	const char *number;
	int length;

	if (read_text(zone, "name", name, sizeof(name)))
		return -1;
	if (strncmp(name, "package", strlen("package")) == 0) {
		strcpy(domain->name, name);
		return 0;
	}
	if (package_of(zone, package))
		return -1;
	number = package + strcspn(package, "-");
	length = snprintf(domain->name, sizeof(domain->name), "%s%s", name, number);
	if (is_part)
		strcpy(domain->package, package);
	return length < (int)sizeof(domain->name) ? 0 : -1;
}

/* Adds the zone.  Returns 0, also when it is one to skip, or -1 with errno. */
static int add_zone(struct rapl *rapl, const char *zone)
{
	struct domain *domain = &rapl->domains[rapl->count];
	const struct zone_kind *kind;
	char text[NAME_MAX_BYTES];
	char path[PATH_MAX];

	if (read_text(zone, "name", text, sizeof(text)))
		return 0;
	kind = kind_of(text);
	if (!kind || kind->role == SKIP || rapl->count == DOMAINS_MAX ||
		name_domain(domain, zone, kind->role == PART))
		return 0;
	if (read_text(zone, "max_energy_range_uj", text, sizeof(text)))
		return -1;
	domain->range_uj = strtoull(text, NULL, 10);
	snprintf(path, sizeof(path), "%s/energy_uj", zone);
	domain->energy_fd = open(path, O_RDONLY | O_CLOEXEC);
	if (domain->energy_fd < 0)
		return -1;
	if (read_counter(domain->energy_fd, &domain->counter_uj)) {
		close(domain->energy_fd);
		return -1;
	}
	rapl->sensors[rapl->count++] = (struct power_sensor){
		.device = "cpu",
		.domain = domain->name,
		.part_of = domain->package,
		.quantity = "energy",
		.period_ns = PWRTRACE_NS_PER_MS,
		.window_ns = PWRTRACE_UNKNOWN_U64,
		.lag_ns = PWRTRACE_UNKNOWN_U64,
		.poll_ns = 5 * PWRTRACE_NS_PER_MS,
	};
	return 0;
}

static void close_rapl(void *state)
{
	struct rapl *rapl = state;

	for (size_t i = 0; i < rapl->count; i++)
		close(rapl->domains[i].energy_fd);
	free(rapl);
}

static void say_why(char *why, const char *zone, int error)
{
	if (!zone)
		snprintf(why, POWER_WHY_MAX, "no RAPL counters in %s/class/powercap", conf.sysfs);
	else if (error == EACCES)
		snprintf(why, POWER_WHY_MAX,
			"%s/energy_uj is for root only; run as root or: sudo chmod a+r "
			"%s/energy_uj",
			zone, zone);
	else
		snprintf(why, POWER_WHY_MAX, "%s: %s", zone, strerror(error));
}

static void *open_rapl(const char *argument, char *why)
{
	struct rapl *rapl = calloc(1, sizeof(*rapl));
	const char *refused = NULL;
	char pattern[PATH_MAX];
	glob_t zones = {0};
	int error = 0;

	(void)argument;
	if (!rapl) {
		snprintf(why, POWER_WHY_MAX, "out of memory");
		return NULL;
	}
	snprintf(pattern, sizeof(pattern), "%s/class/powercap/intel-rapl:*", conf.sysfs);
	glob(pattern, 0, NULL, &zones);
	for (size_t i = 0; i < zones.gl_pathc; i++) {
		if (add_zone(rapl, zones.gl_pathv[i]) && !refused) {
			error = errno;
			refused = zones.gl_pathv[i];
		}
	}
	/* A package without its parts would do; parts without the package would not add up. */
	if (refused || !rapl->count) {
		say_why(why, refused, error);
		close_rapl(rapl);
		rapl = NULL;
	}
	globfree(&zones);
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
	uint64_t counter_uj;

	domain->time_ns = 0;
	if (read_counter(domain->energy_fd, &counter_uj))
		return;
	domain->time_ns = clock_now_ns();
	domain->total_uj += rapl_advance_uj(domain->counter_uj, counter_uj, domain->range_uj);
	domain->counter_uj = counter_uj;
}

static void write_rapl(void *state, size_t i, const struct power_sink *sink)
{
	const struct rapl *rapl = state;
	const struct domain *domain = &rapl->domains[i];

	if (domain->time_ns)
		sink->value(sink, domain->time_ns, domain->total_uj);
}

const struct power_source power_rapl = {
	.name = "rapl",
	.help = "energy counters of CPU packages (Intel and AMD)",
	.automatic = true,
	.open = open_rapl,
	.sensors = rapl_sensors,
	.read = read_rapl,
	.write = write_rapl,
	.close = close_rapl,
};
