/* SPDX-License-Identifier: MIT */
/* nvidia-smi's format. */
#ifndef PWRTRACE_RECORDED_SMI_H
#define PWRTRACE_RECORDED_SMI_H

#include "preload/power/external/recorded_lines.h"

#define RECORDED_SMI_COLUMNS_MAX 64

struct recorded_smi {
	uint8_t column[RECORDED_SMI_COLUMNS_MAX]; /* what each holds */
	size_t count;
	bool tells_apart; /* GPUs, by uuid, pci.bus_id or index */
	bool begun;
	int64_t first_ns; /* the first row's wall-clock time */
};

/* Takes the header.  Returns 0, or -1 with why where there is no power in the file. */
int recorded_smi_begin(struct recorded_smi *smi, const struct recorded_lines *lines, char *header);

int recorded_smi_row(struct recorded_smi *smi, const struct recorded_lines *lines, char *text);

#endif
