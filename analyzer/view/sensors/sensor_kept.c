/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "analyzer/view/sensors/sensor_view.h"

#define IDENTITY(identities, i) (&g_array_index(identities, struct identity, i))

static void put_time(GString *text, const char *word, double time_s)
{
	if (isfinite(time_s))
		g_string_append_printf(text, "%s %.0f\n", word, 1e9 * fmax(time_s, 0));
}

/* Writes a number as the C locale does, whatever the user's is. */
static void put_number(GString *text, const char *word, double value)
{
	char digits[G_ASCII_DTOSTR_BUF_SIZE];

	if (isfinite(value))
		g_string_append_printf(text, "%s %s\n", word,
			g_ascii_formatd(digits, sizeof(digits), "%.9g", value));
}

static void put_taps(GString *text, const struct taps *taps)
{
	char digits[G_ASCII_DTOSTR_BUF_SIZE];

	for (unsigned k = 0; k < taps->count; k++)
		g_string_append_printf(text, "tap %.0f %s\n",
			1e9 * (taps->first_s + k * taps->step_s),
			g_ascii_formatd(digits, sizeof(digits), "%.9g", taps->weight[k]));
}

static void put_sensor(GString *text, const struct identity *identity)
{
	const struct model_sensor *sensor = identity->sensor;
	const struct calibrated_response *response = &identity->response;

	g_string_append_printf(
		text, "sensor %s\t%s\t%s\n", sensor->source, sensor->domain, sensor->quantity);
	put_time(text, "period_ns",
		identity->has_grid ? identity->grid.period_s.value : identity->updates_s);
	put_time(text, "window_ns", response->equivalent_window_s.value);
	put_time(text, "lag_ns", response->equivalent_lag_s.value);
	put_time(text, "jitter_ns", response->timing_s.value);
	put_number(text, "noise_w", response->noise_w.value);
	put_number(text, "gain", identity->gain.value);
	if (identity->has_grid && identity->stamped)
		put_number(text, "off_grid", identity->grid.off_share.value);
	if (identity->has_taps)
		put_taps(text, &identity->taps);
}

static bool same_device(const struct identity *a, const struct identity *b)
{
	return strcmp(a->sensor->device, b->sensor->device) == 0 &&
	       strcmp(a->sensor->driver, b->sensor->driver) == 0;
}

static bool is_kept(const struct identity *identity)
{
	return !identity->trouble && *identity->sensor->device;
}

static char *text_of(const GArray *identities, guint first, time_t calibrated)
{
	const struct identity *device = IDENTITY(identities, first);
	GString *text = g_string_new("pwrtrace-response 1\n");
	char date[32];
	struct tm utc;

	gmtime_r(&calibrated, &utc);
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", &utc);
	g_string_append_printf(text, "device %s\ndriver %s\ncalibrated %s\n",
		device->sensor->device, device->sensor->driver, date);
	for (guint i = first; i < identities->len; i++)
		if (is_kept(IDENTITY(identities, i)) &&
			same_device(IDENTITY(identities, i), device))
			put_sensor(text, IDENTITY(identities, i));
	return g_string_free(text, FALSE);
}

GPtrArray *sensor_kept_texts(const GArray *identities, time_t calibrated)
{
	GPtrArray *texts = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < identities->len; i++) {
		bool first = is_kept(IDENTITY(identities, i));

		for (guint k = 0; first && k < i; k++)
			first = !is_kept(IDENTITY(identities, k)) ||
				!same_device(IDENTITY(identities, k), IDENTITY(identities, i));
		if (first)
			g_ptr_array_add(texts, text_of(identities, i, calibrated));
	}
	return texts;
}
