/* SPDX-License-Identifier: MIT */
#include "preload/record/family.h"

#include <dirent.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pwrtrace/units.h"

static FILE *open_proc(pid_t pid, const char *file)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, file);
	return fopen(path, "re");
}

int family_open(pid_t pid)
{
	struct pollfd process = {.fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN};

	/* A zombie has ended, too. */
	if (process.fd >= 0 && poll(&process, 1, 0) == 1) {
		close(process.fd);
		return -1;
	}
	return process.fd;
}

/* Its parent, and when it was started, in clock ticks since the machine was; false where it has
 * ended. */
static bool read_stat(pid_t pid, pid_t *parent, unsigned long long *start_ticks)
{
	char line[1024] = "";
	FILE *file = open_proc(pid, "stat");
	const char *behind_name = NULL;
	int number = 0;

	if (file && fgets(line, sizeof(line), file))
		behind_name = strrchr(line, ')');
	if (file)
		fclose(file);
	if (!behind_name ||
		sscanf(behind_name,
			") %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d "
			"%*d %llu",
			&number, start_ticks) != 2)
		return false;
	*parent = number;
	return true;
}

/* Whether one of the NUL-terminated words of the file is this one. */
static bool has_word(FILE *file, const char *word)
{
	char *read = NULL;
	size_t size = 0;
	bool found = false;

	while (!found && getdelim(&read, &size, 0, file) > 0)
		found = strcmp(read, word) == 0;
	free(read);
	return found;
}

int family_open_any(const char *id, pid_t *pid)
{
	DIR *proc = opendir("/proc");
	const struct dirent *entry;
	char word[128];
	int fd = -1;

	snprintf(word, sizeof(word), "PWRTRACE_RECORDING=%s", id);
	while (proc && fd < 0 && (entry = readdir(proc))) {
		FILE *environment;

		*pid = atoi(entry->d_name);
		environment = *pid > 0 ? open_proc(*pid, "environ") : NULL;
		if (environment && has_word(environment, word))
			fd = family_open(*pid);
		if (environment)
			fclose(environment);
	}
	if (proc)
		closedir(proc);
	return fd;
}

static bool is_preloaded(pid_t pid)
{
	char line[4352];
	FILE *maps = open_proc(pid, "maps");
	bool found = false;

	while (maps && !found && fgets(line, sizeof(line), maps))
		found = strstr(line, "/libpwrtrace.so") != NULL;
	if (maps)
		fclose(maps);
	return found;
}

int family_open_root(const char *id)
{
	pid_t root = atoi(id), parent;
	const char *dash = strchr(id, '-');
	unsigned long long ticks, begin_ns = dash ? strtoull(dash + 1, NULL, 16) : 0;

	if (!is_preloaded(root) || !read_stat(root, &parent, &ticks) ||
		ticks > begin_ns / (PWRTRACE_NS_PER_S / (unsigned long long)sysconf(_SC_CLK_TCK)))
		return -1;
	return family_open(root);
}

int family_open_eldest(pid_t of, pid_t *pid)
{
	unsigned long long ticks;
	pid_t parent;

	*pid = 0;
	while (read_stat(of, &parent, &ticks) && parent > 1 && is_preloaded(parent))
		*pid = of = parent;
	return *pid ? family_open(*pid) : -1;
}
