/* SPDX-License-Identifier: MIT */
#include "preload/power/core/sysfs.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int sysfs_open(const char *directory, const char *file)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", directory, file);
	return open(path, O_RDONLY | O_CLOEXEC);
}

int sysfs_reread(int fd, void *bytes, size_t size)
{
	ssize_t length = pread(fd, bytes, size, 0);

	if (length == 0)
		errno = ENODATA;
	return length > 0 ? (int)length : -1;
}

static int parse(const char *text, uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 10);
	if (end == text || *text == '-')
		errno = EINVAL;
	return errno ? -1 : 0;
}

static int reread_text(int fd, char *text, size_t size)
{
	int length = sysfs_reread(fd, text, size - 1);

	if (length < 0)
		return -1;
	text[length] = 0;
	if (text[length - 1] == '\n')
		text[length - 1] = 0;
	return 0;
}

int sysfs_reread_number(int fd, uint64_t *value)
{
	char text[32];

	return reread_text(fd, text, sizeof(text)) ? -1 : parse(text, value);
}

int sysfs_text(char *text, size_t size, const char *directory, const char *file)
{
	int fd = sysfs_open(directory, file);
	int result, error;

	if (fd < 0)
		return -1;
	result = reread_text(fd, text, size);
	error = errno;
	close(fd);
	errno = error;
	return result;
}

int sysfs_number(uint64_t *value, const char *directory, const char *file)
{
	char text[32];

	return sysfs_text(text, sizeof(text), directory, file) ? -1 : parse(text, value);
}

void sysfs_each(const char *directory, const char *pattern,
	void (*found)(void *data, const char *path), void *data)
{
	char path[PATH_MAX];
	glob_t matches = {0};

	if (snprintf(path, sizeof(path), "%s/%s", directory, pattern) >= (int)sizeof(path))
		return;
	glob(path, 0, NULL, &matches);
	for (size_t i = 0; i < matches.gl_pathc; i++)
		found(data, matches.gl_pathv[i]);
	globfree(&matches);
}

static void open_first(void *data, const char *path)
{
	int *fd = data;

	if (*fd < 0)
		*fd = open(path, O_RDONLY | O_CLOEXEC);
}

int sysfs_open_match(const char *directory, const char *pattern)
{
	int fd = -1;

	sysfs_each(directory, pattern, open_first, &fd);
	return fd;
}

bool sysfs_gone(int error)
{
	return error == ENODEV || error == ENXIO || error == ENOENT || error == ENODATA;
}

void sysfs_problem(char *problem, size_t size, const char *directory, const char *file, int error)
{
	if (error == EACCES || error == EPERM)
		snprintf(problem, size,
			"%s/%s is for root only; run as root or: sudo chmod a+r %s/%s", directory,
			file, directory, file);
	else
		snprintf(problem, size, "%s/%s: %s", directory, file, strerror(error));
}
