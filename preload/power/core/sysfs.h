/* SPDX-License-Identifier: MIT */
/* Reading the kernel's sensors: small files below /sys, or below PWRTRACE_SYSFS for tests. */
#ifndef PWRTRACE_SYSFS_H
#define PWRTRACE_SYSFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads a whole small file into text (size bytes, NUL-terminated, without the last line's end).
 * Returns 0, or -1 with errno. */
int sysfs_text(char *text, size_t size, const char *directory, const char *file);

/* Reads a file that holds one whole number.  Returns 0, or -1 with errno (EINVAL: no number). */
int sysfs_number(uint64_t *value, const char *directory, const char *file);

/* Opens a file to be read again and again.  Returns a descriptor, or -1 with errno. */
int sysfs_open(const char *directory, const char *file);

/* The same for the first file that matches a pattern below directory. */
int sysfs_open_match(const char *directory, const char *pattern);

/* Reads an open file anew from its beginning.  Returns how many bytes, or -1 with errno. */
int sysfs_reread(int fd, void *bytes, size_t size);

/* Reads an open file's number anew.  Returns 0, or -1 with errno. */
int sysfs_reread_number(int fd, uint64_t *value);

/* Calls found for each path below directory that matches the pattern ("hwmon/hwmon*"), in the order
 * of their names. */
void sysfs_each(const char *directory, const char *pattern,
	void (*found)(void *data, const char *path), void *data);

/* Whether an error of a read means that the device has gone for good. */
bool sysfs_gone(int error);

/* Writes one line: why a file cannot be used (an errno), and what to do. */
void sysfs_problem(char *problem, size_t size, const char *directory, const char *file, int error);

#endif
