/* SPDX-License-Identifier: MIT */
#include "tests/truth/truth_settings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct truth_settings truth_settings_default = {
	.options = {.scenario = &truth_scenarios[1],
		.seed = 1,
		.seconds = 60,
		.static_w = 110,
		.shortest_us = 10,
		.longest_us = 5000,
		.variation = 0.03,
		.classes = 20,
		.copies = 2},
	.sensor = {.period_ns = 100e6,
		.window_ns = 100e6,
		.gain = 1,
		.noise_w = 1,
		.noise_part = 0.005},
	.device = 1,
};

/* How a word is read: a whole number, or a real number with its unit as a factor. */
static const struct setting {
	const char *key;
	size_t at;
	enum { REAL, UNSIGNED, SEED, BOOL } kind;
	double unit;
} table[] = {
#define SETTING(key, member, kind, unit)                                                           \
	{                                                                                          \
		key, offsetof(struct truth_settings, member), kind, unit                           \
	}
	SETTING("seed", options.seed, SEED, 1),
	SETTING("seconds", options.seconds, REAL, 1),
	SETTING("static_w", options.static_w, REAL, 1),
	SETTING("drift_w", options.drift_w, REAL, 1),
	SETTING("shortest_us", options.shortest_us, REAL, 1),
	SETTING("longest_us", options.longest_us, REAL, 1),
	SETTING("variation", options.variation, REAL, 1),
	SETTING("rise", options.rise, REAL, 1),
	SETTING("run", options.run, SEED, 1),
	SETTING("differs", options.differs, REAL, 1),
	SETTING("zeros", options.zeros, REAL, 1),
	SETTING("replay_s", options.replay_s, REAL, 1),
	SETTING("replay_less", options.replay_less, REAL, 1),
	SETTING("replay_differs", options.replay_differs, REAL, 1),
	SETTING("replay_off_w", options.replay_off_w, REAL, 1),
	SETTING("replay_part", options.replay_part, REAL, 1),
	SETTING("classes", options.classes, UNSIGNED, 1),
	SETTING("copies", options.copies, UNSIGNED, 1),
	SETTING("period_ms", sensor.period_ns, REAL, 1e6),
	SETTING("window_ms", sensor.window_ns, REAL, 1e6),
	SETTING("lag_ms", sensor.lag_ns, REAL, 1e6),
	SETTING("tail_ms", sensor.tail_ns, REAL, 1e6),
	SETTING("jitter_ms", sensor.jitter_ns, REAL, 1e6),
	SETTING("stands_ms", sensor.stands_ns, REAL, 1e6),
	SETTING("gain", sensor.gain, REAL, 1),
	SETTING("noise_w", sensor.noise_w, REAL, 1),
	SETTING("noise_part", sensor.noise_part, REAL, 1),
	SETTING("ceiling_w", sensor.ceiling_w, REAL, 1),
	SETTING("counter", sensor.counter, BOOL, 1),
	SETTING("clock_error_us", clock_error_ns, REAL, 1e3),
	SETTING("counters", counters, BOOL, 1),
	SETTING("counter_error_us", counter_error_ns, REAL, 1e3),
	SETTING("states_window", states_window, BOOL, 1),
	SETTING("calibrated", calibrated, BOOL, 1),
	SETTING("device", device, UNSIGNED, 1),
#undef SETTING
};

#define SETTINGS (sizeof(table) / sizeof(*table))

__attribute__((noreturn)) static void misused(const char *what)
{
	fprintf(stderr, "%s: %s\n", program_invocation_short_name, what);
	fputs("A made-up run is words, KEY=VALUE. Keys:\n  scenario", stderr);
	for (size_t i = 0; i < SETTINGS; i++)
		fprintf(stderr, " %s", table[i].key);
	fputs("\nScenarios:\n", stderr);
	for (const struct truth_scenario *row = truth_scenarios; row->name; row++)
		fprintf(stderr, "  %-10s %s\n", row->name, row->help);
	exit(2);
}

static const struct truth_scenario *scenario_of(const char *name)
{
	const struct truth_scenario *row = truth_scenarios;

	while (row->name && strcmp(row->name, name) != 0)
		row++;
	if (!row->name)
		misused(name);
	return row;
}

static const struct setting *setting_of(const char *key)
{
	for (size_t i = 0; i < SETTINGS; i++)
		if (strcmp(table[i].key, key) == 0)
			return &table[i];
	misused(key);
}

static void set(struct truth_settings *settings, const struct setting *setting, const char *text)
{
	void *place = (char *)settings + setting->at;
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end)
		misused(setting->key);
	switch (setting->kind) {
	case REAL:
		*(double *)place = value * setting->unit;
		break;
	case UNSIGNED:
		*(unsigned *)place = (unsigned)value;
		break;
	case SEED:
		*(uint64_t *)place = (uint64_t)value;
		break;
	case BOOL:
		*(bool *)place = value != 0;
		break;
	}
}

void truth_settings_take(struct truth_settings *settings, const char *text)
{
	char *words = strdup(text), *rest = words, *word;

	while ((word = strsep(&rest, " ")) != NULL) {
		char *value = strchr(word, '=');

		if (!*word)
			continue;
		if (!value)
			misused(word);
		*value++ = 0;
		if (strcmp(word, "scenario") == 0)
			settings->options.scenario = scenario_of(value);
		else
			set(settings, setting_of(word), value);
	}
	free(words);
	if (settings->options.copies > settings->options.classes)
		misused("more copies than classes");
}

/* The mean power of each execution number of a class. */
static void print_numbers(const struct truth *truth, double gain, unsigned class_index)
{
	printf(",\"numbers_w\":[");
	for (unsigned number = 0; number < truth->options.scenario->run; number++) {
		double energy_j = 0, time_ns = 0;

		for (size_t i = 0; i < truth->execution_count; i++) {
			const struct truth_execution *execution = &truth->executions[i];
			double length_ns = execution->end_ns - execution->begin_ns;

			if (execution->class_index != class_index || execution->number != number)
				continue;
			energy_j += (truth->options.static_w + execution->dynamic_w) * length_ns;
			time_ns += length_ns;
		}
		printf("%s%.3f", number ? "," : "", gain * energy_j / time_ns);
	}
	printf("]");
}

void truth_print(const struct truth *truth, const struct truth_sensor *sensor)
{
	printf("{\"scenario\":\"%s\",\"seed\":%llu,\"executions\":%zu,\"total_j\":%.9f,"
	       "\"idle_j\":%.9f,\"replay_j\":%.9f,\"static_w\":%.9f,\"classes\":[",
		truth->options.scenario->name, (unsigned long long)truth->options.seed,
		truth->execution_count, sensor->gain * truth->total_j, sensor->gain * truth->idle_j,
		sensor->gain * truth->replay_j, sensor->gain * truth->options.static_w);
	for (unsigned i = 0; i < truth->options.classes; i++) {
		const struct truth_class *class = &truth->classes[i];

		printf("%s\n {\"name\":\"%s\",\"executions\":%llu,\"time_s\":%.9f,"
		       "\"energy_j\":%.9f,\"static_j\":%.9f,\"dynamic_j\":%.9f",
			i ? "," : "", class->name, (unsigned long long)class->executions,
			class->time_s, sensor->gain * (class->static_j + class->dynamic_j),
			sensor->gain * class->static_j, sensor->gain * class->dynamic_j);
		if (truth->options.scenario->run)
			print_numbers(truth, sensor->gain, i);
		printf("}");
	}
	printf("]}\n");
}
