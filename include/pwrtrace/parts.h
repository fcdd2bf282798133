/* SPDX-License-Identifier: MIT */
/* The parts of a device whose work is counted, as numbers from 0. */
#ifndef PWRTRACE_PARTS_H
#define PWRTRACE_PARTS_H

enum pwrtrace_part {
#define PART(word, ...) PWRTRACE_PART_##word,
#include "pwrtrace/parts.def"
#undef PART
	PWRTRACE_PARTS
};

#endif
