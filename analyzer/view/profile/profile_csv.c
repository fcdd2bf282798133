/* SPDX-License-Identifier: MIT */
/* A row for each execution number. */
#include "analyzer/print/csv.h"
#include "analyzer/view/profile/profile_view.h"

struct row {
	uint64_t execution, points;
	double time_s, power_w, ci95_w;
};

#define COLUMN(member, type)                                                                       \
	{                                                                                          \
#member, type, offsetof(struct row, member)                                        \
	}

static const struct csv_column columns[] = {
	COLUMN(execution, CSV_COUNT),
	COLUMN(time_s, CSV_NUMBER),
	COLUMN(power_w, CSV_NUMBER),
	COLUMN(ci95_w, CSV_NUMBER),
	COLUMN(points, CSV_COUNT),
	{0},
};

void profile_put_csv(FILE *out, const void *result)
{
	const struct profile *profile = ((const struct profile_view *)result)->profile;

	csv_put_headings(out, columns);
	for (guint number = 1; number <= profile->positions->len; number++) {
		const struct profile_position *position = profile_position(profile, number);
		const struct row row = {number, position->points, position->time_s,
			position->power.power_w, position->power.ci95_w};

		csv_put_row(out, columns, &row);
	}
}
