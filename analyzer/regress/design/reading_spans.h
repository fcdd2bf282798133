/* SPDX-License-Identifier: MIT */
/* Readings in times (analyzer/model/spans.h) that tell nothing that a fit could use. */
#ifndef PWRTRACE_READING_SPANS_H
#define PWRTRACE_READING_SPANS_H

#include "analyzer/response/reading.h"

/* The part of what a reading may have seen that lies in spans. */
double reading_spans_part(const GArray *spans, const struct power_reading *reading);

/* Removes the readings (struct power_reading) that may have seen spans, and returns their number.
 */
guint reading_spans_leave_out(const GArray *spans, GArray *readings);

#endif
