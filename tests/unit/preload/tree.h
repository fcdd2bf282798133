/* SPDX-License-Identifier: MIT */
/* A simulated sysfs: a directory that PWRTRACE_SYSFS names, empty before each test. */
#ifndef PWRTRACE_TESTS_TREE_H
#define PWRTRACE_TESTS_TREE_H

#include "tests/unit/unit.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preload/common/conf.h"

#define TREE_PATH_MAX 512

static char tree_root[] = "/tmp/pwrtrace-test-XXXXXX";

static inline void tree_vpath(char path[TREE_PATH_MAX], const char *format, va_list args)
{
	int used = snprintf(path, TREE_PATH_MAX, "%s/", tree_root);

	vsnprintf(path + used, TREE_PATH_MAX - (size_t)used, format, args);
}

__attribute__((format(printf, 2, 3))) static inline void tree_path(
	char path[TREE_PATH_MAX], const char *format, ...)
{
	va_list args;

	va_start(args, format);
	tree_vpath(path, format, args);
	va_end(args);
}

static inline void tree_write(const char *path, const void *bytes, size_t size)
{
	char parent[TREE_PATH_MAX];
	FILE *out;

	for (const char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
		snprintf(parent, sizeof(parent), "%.*s", (int)(slash - path), path);
		mkdir(parent, 0755);
	}
	out = fopen(path, "w");
	assert_non_null(out);
	assert_int_equal(fwrite(bytes, 1, size, out), size);
	fclose(out);
}

/* Makes a file of one line of text and the directories above it, or overwrites the file. */
__attribute__((format(printf, 2, 3))) static inline void tree_put(
	const char *text, const char *format, ...)
{
	char path[TREE_PATH_MAX], line[TREE_PATH_MAX];
	va_list args;
	int length = snprintf(line, sizeof(line), "%s\n", text);

	va_start(args, format);
	tree_vpath(path, format, args);
	va_end(args);
	tree_write(path, line, (size_t)length);
}

static inline void tree_remove(const char *file)
{
	char path[TREE_PATH_MAX];

	tree_path(path, "%s", file);
	assert_int_equal(unlink(path), 0);
}

/* From here on, reading the file that is open fails, as if its device had gone. */
static inline void tree_vanish(const char *file)
{
	char path[TREE_PATH_MAX];

	tree_path(path, "%s", file);
	assert_int_equal(truncate(path, 0), 0);
}

static inline int tree_make(void **state)
{
	(void)state;
	strcpy(tree_root + sizeof(tree_root) - sizeof("XXXXXX"), "XXXXXX");
	conf.sysfs = tree_root;
	return mkdtemp(tree_root) ? 0 : -1;
}

static inline int tree_remove_one(
	const char *path, const struct stat *stat, int type, struct FTW *place)
{
	(void)stat;
	(void)type;
	(void)place;
	return remove(path);
}

static inline int tree_free(void **state)
{
	(void)state;
	return nftw(tree_root, tree_remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

#define TREE_TEST(function) cmocka_unit_test_setup_teardown(function, tree_make, tree_free)

#endif
