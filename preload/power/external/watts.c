/* SPDX-License-Identifier: MIT */
#include "preload/power/external/watts.h"

#include <stddef.h>

#define MAX_MW UINT64_C(1000000000000)

static int is_digit(char letter)
{
	return letter >= '0' && letter <= '9';
}

const char *watts_parse_mw(const char *text, uint64_t *power_mw)
{
	uint64_t value_mw = 0, digit_mw = 1000;

	if (!is_digit(*text) && !(*text == '.' && is_digit(text[1])))
		return NULL;
	for (; is_digit(*text); text++) {
		value_mw = value_mw * 10 + (uint64_t)(*text - '0') * 1000;
		if (value_mw > MAX_MW)
			return NULL;
	}
	if (*text == '.')
		for (text++; is_digit(*text); text++) {
			value_mw += digit_mw == 1 ? *text >= '5'
						  : (uint64_t)(*text - '0') * (digit_mw / 10);
			digit_mw = digit_mw == 1 ? 0 : digit_mw / 10;
		}
	*power_mw = value_mw;
	return text;
}
