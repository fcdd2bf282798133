/* SPDX-License-Identifier: MIT */
/* The timing and the response of a sensor (struct identity) in three formats: for people, for
 * programs, and as later recordings read it. */
#ifndef PWRTRACE_SENSOR_VIEW_H
#define PWRTRACE_SENSOR_VIEW_H

#include <glib.h>
#include <stdio.h>
#include <time.h>

#include "analyzer/response/calibration/identify.h"

#define MS_PER_S 1e3

/* Lines of text. */
void sensor_put_text(FILE *out, const struct identity *identity);

/* One object of pwrtrace-sensors(1). */
void sensor_put_json(FILE *out, const struct identity *identity);

/* Returns the texts (char *) that "pwrtrace-sensors --keep" reads, one for each device and driver
 * of the identities (struct identity), without sensors whose response is not known.  calibrated:
 * the time of the calibration.  g_ptr_array_unref frees them. */
GPtrArray *sensor_kept_texts(const GArray *identities, time_t calibrated);

#endif
