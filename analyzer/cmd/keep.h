/* SPDX-License-Identifier: MIT */
/* Responses as they are kept for later recordings, by the online half. */
#ifndef PWRTRACE_SENSOR_KEEP_H
#define PWRTRACE_SENSOR_KEEP_H

#include <glib.h>
#include <stdbool.h>
#include <time.h>

/* Returns the texts (char *, g_free with g_ptr_array_unref) of what was identified, one for each
 * device and driver (struct identity; a sensor without a response is left out). */
GPtrArray *keep_texts(const GArray *identities, time_t calibrated);

#endif
