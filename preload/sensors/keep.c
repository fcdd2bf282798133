/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "preload/common/log.h"
#include "preload/power/kept_response.h"
#include "preload/sensors/sensors.h"

int sensors_keep(void)
{
	char block[4096], where[KEPT_RESPONSE_WHY_MAX];
	FILE *text = tmpfile();
	size_t length;
	int failed;

	if (!text) {
		log_error("no room for a temporary file");
		return SENSORS_BAD_INPUT;
	}
	while ((length = fread(block, 1, sizeof(block), stdin)) > 0)
		fwrite(block, 1, length, text);
	rewind(text);
	failed = kept_response_write(text, where, sizeof(where));
	fclose(text);
	if (failed) {
		log_error("the response cannot be kept: %s", where);
		return SENSORS_BAD_INPUT;
	}
	log_notice("kept in %s", where);
	return SENSORS_FINE;
}
