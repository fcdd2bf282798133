/* SPDX-License-Identifier: MIT */
#include "analyzer/response/calibration/update.h"

#define READING(readings, i) g_array_index(readings, struct update_reading, i)

GArray *updates_of(const GArray *readings, bool stamped)
{
	GArray *updates = g_array_new(FALSE, FALSE, sizeof(struct update));

	for (guint i = !stamped; i < readings->len; i++) {
		const struct update_reading *reading = &READING(readings, i);
		struct update update = {reading->end_s, reading->end_s, reading->value};

		if (!stamped) {
			const struct update_reading *before = &READING(readings, i - 1);

			if (before->value == reading->value)
				continue;
			update.from_s = before->begin_s;
		}
		g_array_append_val(updates, update);
	}
	return updates;
}

double updates_share(const GArray *updates, const GArray *readings)
{
	return readings->len > 1 ? (double)updates->len / (readings->len - 1) : 0;
}
