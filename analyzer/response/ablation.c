/* SPDX-License-Identifier: MIT */
#include "analyzer/response/ablation.h"

#ifdef PWRTRACE_ABLATION
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[ABLATIONS] = {
#define ABLATION_ROW(id, name, without) [ABLATION_##id] = name,
	ABLATION_TABLE(ABLATION_ROW)
#undef ABLATION_ROW
};

/* The mechanism that the environment names, or ABLATIONS. */
static enum ablation chosen(void)
{
	const char *wanted = getenv("PWRTRACE_ABLATE");

	for (enum ablation i = 0; wanted && *wanted && i < ABLATIONS; i++)
		if (strcmp(wanted, names[i]) == 0)
			return i;
	if (wanted && *wanted) {
		fprintf(stderr, "PWRTRACE_ABLATE=%s: there is no such mechanism\n", wanted);
		exit(2);
	}
	return ABLATIONS;
}

bool ablated(enum ablation mechanism)
{
	static int known = -1;

	if (known < 0)
		known = (int)chosen();
	return known == (int)mechanism;
}
#endif
