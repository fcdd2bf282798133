/* SPDX-License-Identifier: MIT */
/* No sensor at all: a definition that tells the analyzer to estimate power from what the devices
 * did, so that a machine without sensors still gets a report, labelled as an estimate. */
#include "preload/power/core/power.h"

#include "pwrtrace/units.h"

static const struct power_sensor model_sensor = {
	.device = "*",
	.domain = "device",
	.part_of = "",
	.quantity = "model",
	.period_ns = PWRTRACE_UNKNOWN_U64,
	.window_ns = PWRTRACE_UNKNOWN_U64,
	.lag_ns = PWRTRACE_UNKNOWN_U64,
};

static void *open_model(const char *argument, char *why)
{
	(void)argument;
	(void)why;
	return (void *)&model_sensor;
}

static size_t model_sensors(void *state, const struct power_sensor **sensors)
{
	*sensors = state;
	return 1;
}

static void close_model(void *state)
{
	(void)state;
}

const struct power_ops power_model = {
	.open = open_model,
	.sensors = model_sensors,
	.close = close_model,
};
