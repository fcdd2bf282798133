/* SPDX-License-Identifier: MIT */
/* What commands write with -o FILE: a file is whole or is not there. */
#ifndef PWRTRACE_OUTPUT_H
#define PWRTRACE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

struct output {
	FILE *file;
	const char *path; /* as given; NULL: the standard output */
	char *target;     /* the regular file that is to be replaced; NULL: written in place */
	char *temporary;
};

/* Opens what is written in place of path, or the standard output where path is NULL.  Returns false
 * after saying why it cannot be. */
bool output_open(struct output *output, const char *path);

/* Closes it and puts it in its place.  Returns false after saying why it could not be written
 * whole; what lay there before is then unchanged. */
bool output_close(struct output *output);

/* Writes what is left of the standard output.  Returns false after saying why it could not be
 * written whole. */
bool output_finish(void);

#endif
