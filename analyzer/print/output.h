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

/* A directory that a command writes (-o DIR), under a temporary name beside it until the end. */
struct output_directory {
	char *path;      /* without slashes at its end */
	char *temporary; /* what to write into */
};

/* Makes the temporary directory for path.  Returns false, after an error message, where that fails,
 * or something is there that is no empty directory. */
bool output_directory_open(struct output_directory *directory, const char *path);

/* Moves the directory to its place where written says that all is in it, else removes it, and frees
 * the names.  Returns false, after an error message, where it is not there whole. */
bool output_directory_close(struct output_directory *directory, bool written);

/* Removes a directory and all in it, as far as that can be. */
void output_directory_remove(const char *path);

/* Flushes the standard output.  Returns false, after an error message, where something could not be
 * written. */
bool output_finish(void);

#endif
