/* SPDX-License-Identifier: MIT */
/* Where CUPTI is looked for: in the library path, and where CUDA installs it. */
#ifndef PWRTRACE_CUPTI_PLACES_H
#define PWRTRACE_CUPTI_PLACES_H

static const char *const cupti_places[] = {"", "/usr/local/cuda/extras/CUPTI/lib64/",
	"/usr/local/cuda/lib64/", "/opt/cuda/extras/CUPTI/lib64/"};

#define CUPTI_NEWEST 19 /* majors that are yet to come are tried, too */
#define CUPTI_PLACES (sizeof(cupti_places) / sizeof(*cupti_places))

#endif
