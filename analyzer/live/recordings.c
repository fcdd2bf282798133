/* SPDX-License-Identifier: MIT */
#include "analyzer/live/recordings.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/trace/reader.h"

#define RECORDER "pwrtrace-record"

bool recording_is_under_way(const char *directory)
{
	return reader_is_recorded(directory);
}

static bool is_recorder(const char *pid)
{
	char *path = g_strdup_printf("/proc/%s/comm", pid), *name = NULL;
	bool is = g_ascii_isdigit(*pid) && g_file_get_contents(path, &name, NULL, NULL) &&
		  strcmp(g_strchomp(name), RECORDER) == 0;

	g_free(path);
	g_free(name);
	return is;
}

/* Adds the directories of which a process has the file .recording open. */
static void add_open(const char *pid, GPtrArray *found)
{
	char *path = g_strdup_printf("/proc/%s/fd", pid);
	GDir *dir = g_dir_open(path, 0, NULL);
	const char *fd;

	while (dir && (fd = g_dir_read_name(dir))) {
		char *link = g_build_filename(path, fd, NULL);
		char *file = g_file_read_link(link, NULL);

		g_free(link);
		if (file && g_str_has_suffix(file, "/.recording")) {
			*strrchr(file, '/') = 0;
			if (recording_is_under_way(file)) {
				g_ptr_array_add(found, file);
				file = NULL;
			}
		}
		g_free(file);
	}
	if (dir)
		g_dir_close(dir);
	g_free(path);
}

static int by_name(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

GPtrArray *recordings_under_way(pid_t recorder)
{
	GPtrArray *found = g_ptr_array_new_with_free_func(g_free);
	GDir *dir = g_dir_open("/proc", 0, NULL);
	const char *pid;

	while (dir && (pid = g_dir_read_name(dir)))
		if (is_recorder(pid) && (!recorder || atoi(pid) == recorder))
			add_open(pid, found);
	if (dir)
		g_dir_close(dir);
	g_ptr_array_sort(found, by_name);
	return found;
}
