/* SPDX-License-Identifier: MIT */
#include "analyzer/trace/stream_files.h"

#include <string.h>

static int by_name(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

GPtrArray *stream_files(const char *directory)
{
	GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
	GDir *dir = g_dir_open(directory, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		char *path = g_build_filename(directory, name, NULL);

		if (*name != '.' && strcmp(name, "metadata") != 0 &&
			g_file_test(path, G_FILE_TEST_IS_REGULAR))
			g_ptr_array_add(paths, path);
		else
			g_free(path);
	}
	if (dir)
		g_dir_close(dir);
	g_ptr_array_sort(paths, by_name);
	return paths;
}

static void add_sub_traces(const char *directory, GPtrArray *found)
{
	char *metadata = g_build_filename(directory, "metadata", NULL);
	GDir *dir = g_dir_open(directory, 0, NULL);
	const char *name;

	if (g_file_test(metadata, G_FILE_TEST_IS_REGULAR))
		g_ptr_array_add(found, g_strdup(directory));
	while (dir && (name = g_dir_read_name(dir))) {
		char *path = g_build_filename(directory, name, NULL);

		if (*name != '.' && g_file_test(path, G_FILE_TEST_IS_DIR) &&
			!g_file_test(path, G_FILE_TEST_IS_SYMLINK))
			add_sub_traces(path, found);
		g_free(path);
	}
	if (dir)
		g_dir_close(dir);
	g_free(metadata);
}

GPtrArray *sub_traces(const char *directory)
{
	GPtrArray *found = g_ptr_array_new_with_free_func(g_free);

	add_sub_traces(directory, found);
	g_ptr_array_sort(found, by_name);
	return found;
}
