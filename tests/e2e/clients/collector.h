/* SPDX-License-Identifier: MIT */
/* What pwrtrace's collector, a thread of the traced program, costs the program. */
#ifndef COLLECTOR_H
#define COLLECTOR_H

#include <dirent.h>

#include "common.h"

/* The name that preload/shim/open/ gives to the collector's thread. */
#define COLLECTOR_NAME "pwrtrace\n"

static double collector_before_ns;
static unsigned long collector_launches;

/* Reads the first line of /proc/self/task/TID/FILE; returns whether there is one. */
static inline bool read_of_thread(const char *tid, const char *file, char *text, size_t size)
{
	char path[300];
	FILE *stream;
	bool read;

	snprintf(path, sizeof(path), "/proc/self/task/%s/%s", tid, file);
	stream = fopen(path, "r");
	read = stream && fgets(text, (int)size, stream);
	if (stream)
		fclose(stream);
	return read;
}

/* CPU time of the collector's thread, user and system, in nanoseconds; 0 where there is none. */
static inline double collector_cpu_ns(void)
{
	DIR *threads = opendir("/proc/self/task");
	struct dirent *thread;
	char text[100];
	double cpu_ns = 0;

	while (threads && (thread = readdir(threads)))
		if (read_of_thread(thread->d_name, "comm", text, sizeof(text)) &&
			strcmp(text, COLLECTOR_NAME) == 0 &&
			read_of_thread(thread->d_name, "schedstat", text, sizeof(text)))
			cpu_ns += strtod(text, NULL);
	if (threads)
		closedir(threads);
	return cpu_ns;
}

static inline void print_collector(void)
{
	printf("collector_ns_per_launch=%.1f\n",
		(collector_cpu_ns() - collector_before_ns) / (double)collector_launches);
}

/* Prints collector_ns_per_launch when the process ends.  To be called before a GPU is used:
 * handlers run in reverse, and after pwrtrace's own the collector has done all. */
static inline void print_collector_at_end(void)
{
	atexit(print_collector);
}

/* From here on, where the collector has caught up, so many launches are made. */
static inline void begin_to_measure_collector(unsigned long launches)
{
	collector_before_ns = collector_cpu_ns();
	collector_launches = launches;
}

#endif
