/* SPDX-License-Identifier: MIT */
#include "analyzer/view/json/json_head.h"
#include "analyzer/view/json/json_put.h"
#include "analyzer/view/profile/profile_view.h"

static const char *const resolutions[] = {[PROFILE_MEASURED] = "measured",
	[PROFILE_MODELLED] = "modelled",
	[PROFILE_REFUSED] = "refused"};

static void put_power(FILE *out, const struct steady_power *power)
{
	put_number(out, "power_w", power->power_w);
	put_number(out, "ci95_w", power->ci95_w);
}

static void put_position(
	FILE *out, const struct profile_position *position, const struct steady_power *power)
{
	fprintf(out, "{\"execution\":%u,", position->execution);
	put_number(out, "time_s", position->time_s);
	put_power(out, power);
	fprintf(out, "\"points\":%u}", position->points);
}

/* The power is that of its group. */
static void put_steady(FILE *out, const char *key, const struct profile_position *position)
{
	put_key(out, key);
	if (position)
		put_position(out, position, &position->together);
	else
		fputs("null", out);
	fputs(",\n ", out);
}

static void put_positions(FILE *out, const struct profile *profile)
{
	put_key(out, "positions");
	fputc('[', out);
	for (guint i = 0; i < profile->positions->len; i++) {
		const struct profile_position *position = profile_position(profile, i + 1);

		fputs(i ? ",\n  " : "\n  ", out);
		put_position(out, position, &position->power);
	}
	fputs("],\n ", out);
}

static void put_points(FILE *out, const struct profile *profile)
{
	put_key(out, "points");
	fputc('[', out);
	for (guint i = 0; i < profile->points->len; i++) {
		const struct point *point = &g_array_index(profile->points, struct point, i);

		fputs(i ? ",\n  {" : "\n  {", out);
		put_number(out, "toi_s", point->toi_s);
		put_number(out, "run_s", point->run_s);
		put_number(out, "power_w", point->power_w);
		put_key(out, "domain");
		put_string(out, point->domain);
		fputc('}', out);
	}
	fputs("],\n ", out);
}

static void put_fit(FILE *out, const struct profile *profile)
{
	put_key(out, "fit");
	if (isnan(profile->fit[0])) {
		fputs("null,\n ", out);
		return;
	}
	for (int i = 0; i <= PROFILE_DEGREE; i++) {
		fputc(i ? ',' : '[', out);
		put_digits(out, profile->fit[i], 12);
	}
	fputs("],\n ", out);
}

static void put_befores(FILE *out, const GArray *befores)
{
	put_key(out, "before");
	fputc('[', out);
	for (guint i = 0; befores && i < befores->len; i++) {
		const struct profile_before *before =
			&g_array_index(befores, struct profile_before, i);

		fputs(i ? ",\n  {" : "\n  {", out);
		put_text(out, "name", before->name);
		put_power(out, &before->power);
		fprintf(out, "\"executions\":%" G_GUINT64_FORMAT "}", before->executions);
	}
	fputs("]}\n", out);
}

void profile_put_json(FILE *out, const void *result)
{
	const struct profile_view *view = result;
	const struct profile *profile = view->profile;

	json_put_head(out, "pwrtrace-profile/1", view->ledger);
	fprintf(out, "\"runs\":%u,\"golden\":%u,\n ", profile->runs, profile->golden);
	fputs("\"guidance\":{", out);
	put_number(out, "runs", profile->guidance.runs);
	put_number(out, "points", profile->guidance.points);
	put_key(out, "margin");
	put_digits(out, profile->guidance.margin, 12);
	fputs("},\n ", out);
	put_number(out, "runs_needed", profile->runs_needed);
	put_number(out, "expected_points", profile->expected_points);
	put_text(out, "resolution", resolutions[profile->resolution]);
	fputs("\n ", out);
	put_steady(out, "sse", profile_position(profile, profile->sse));
	put_steady(out, "ssp", profile_position(profile, profile->ssp));
	put_positions(out, profile);
	put_points(out, profile);
	put_fit(out, profile);
	put_befores(out, profile->befores);
}
