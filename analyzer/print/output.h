/* SPDX-License-Identifier: MIT */
/* The output of a command, to a file (-o FILE) or the standard output.  A file is written under a
 * temporary name and renamed at the end, so that it is never there in part. */
#ifndef PWRTRACE_OUTPUT_H
#define PWRTRACE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

struct output {
	FILE *file;
	const char *path; /* as given; NULL: the standard output */
	char *target;     /* the regular file to replace, symbolic links resolved; NULL: none */
	char *temporary;  /* what is written until then; NULL: none */
};

/* Opens an output for path, or for the standard output where path is NULL.  path must live until
 * output_close().  Returns false, after an error message, where that fails. */
bool output_open(struct output *output, const char *path);

/* Closes the output, moves the file to its place and frees the names.  Returns false, after an
 * error message, where something could not be written; the old file is then unchanged. */
bool output_close(struct output *output);

/* Flushes the standard output.  Returns false, after an error message, where something could not be
 * written. */
bool output_finish(void);

#endif
