/* SPDX-License-Identifier: MIT */
/* Identities for people and for programs. */
#ifndef PWRTRACE_SENSOR_IDENTITY_VIEW_H
#define PWRTRACE_SENSOR_IDENTITY_VIEW_H

#include <stdio.h>

#include "analyzer/response/calibration/identify.h"

void identity_put_text(FILE *out, const struct identity *identity);

/* As one object of pwrtrace-sensors(1). */
void identity_put_json(FILE *out, const struct identity *identity);

#endif
