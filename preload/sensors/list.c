/* SPDX-License-Identifier: MIT */
#include "preload/sensors/listing.h"
#include "preload/sensors/sensors.h"

int sensors_list(const char *power, bool json)
{
	struct listing listing = {0};
	int status = listing_open(&listing, power);

	if (!status && json)
		listing_put_json(&listing);
	else if (!status)
		listing_put_text(&listing);
	listing_close(&listing);
	return status;
}
