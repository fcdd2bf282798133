/* SPDX-License-Identifier: MIT */
#include "preload/record/space.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define FLOW_BYTES_MIN (64ULL << 10)
#define TO_START_BYTES_MIN (16ULL << 20)

uint64_t space_free_bytes(const char *path)
{
	struct statvfs fs;

	return statvfs(path, &fs) ? UINT64_MAX : (uint64_t)fs.f_bavail * fs.f_frsize;
}

/* LTTng adds one sub-buffer for the reader; a tenth is for what else it needs. */
static uint64_t needed_bytes(unsigned cpus, const struct buffers *flow, const struct buffers *state)
{
	return cpus * (flow->bytes * (flow->count + 1) + state->bytes * (state->count + 1)) / 10 *
	       11;
}

uint64_t space_fit_buffers(
	uint64_t available, unsigned cpus, struct buffers *flow, struct buffers *state)
{
	*flow = (struct buffers){1ULL << 20, 8};
	*state = (struct buffers){64ULL << 10, 4};
	while (needed_bytes(cpus, flow, state) > available) {
		if (flow->bytes <= FLOW_BYTES_MIN)
			return 0;
		flow->bytes /= 2;
	}
	return needed_bytes(cpus, flow, state);
}

/* The smallest buffers fit four times: beside the trace (session.c), with their content at the end,
 * and something is recorded. */
static uint64_t to_start_bytes(void)
{
	struct buffers flow, state;
	unsigned cpus = (unsigned)sysconf(_SC_NPROCESSORS_CONF);
	uint64_t buffers_bytes;

	space_fit_buffers(0, cpus, &flow, &state);
	buffers_bytes = 4 * needed_bytes(cpus, &flow, &state);
	return buffers_bytes > TO_START_BYTES_MIN ? buffers_bytes : TO_START_BYTES_MIN;
}

static int remove_entry(const char *path, const struct stat *stat, int type, struct FTW *place)
{
	(void)stat;
	(void)type;
	(void)place;
	return remove(path);
}

void space_clear(const char *dir)
{
	static const char *const names[] = {SPACE_BUFFERS, SPACE_LOCK};
	char path[PATH_MAX + 16];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, names[i]);
		nftw(path, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
	}
}

static bool is_empty(const char *path)
{
	DIR *dir = opendir(path);
	int entries = 0;

	while (dir && readdir(dir))
		entries++;
	if (dir)
		closedir(dir);
	return dir && entries <= 2;
}

/* mkdir -p, but that path itself must be new.  Returns 0, or -1 with errno. */
static int make_path(const char *path, mode_t mode)
{
	char partial[PATH_MAX];

	if (snprintf(partial, sizeof(partial), "%s", path) >= (int)sizeof(partial)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	for (char *slash = strchr(partial + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		mkdir(partial, mode);
		*slash = '/';
	}
	return mkdir(partial, mode);
}

/* Returns 0 when path is now a directory to write to, or -1 with errno: EEXIST where it is taken.
 */
static int make_chosen(const char *path)
{
	if (make_path(path, 0777) == 0)
		return 0;
	if (errno == EEXIST && is_empty(path))
		return access(path, W_OK);
	return -1;
}

/* Another user may have prepared a directory that is there already. */
static int make_with_suffix(const char *wanted, char *path, size_t size)
{
	int result = -1;

	for (int i = 1; i < 1000; i++) {
		if (i == 1)
			snprintf(path, size, "%s", wanted);
		else
			snprintf(path, size, "%s-%d", wanted, i);
		result = make_path(path, 0700);
		if (result == 0 || errno != EEXIST)
			break;
	}
	return result;
}

static int make_in_state_directory(const char *wanted, char *path, size_t size)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	const char *name = strrchr(wanted, '/') ? strrchr(wanted, '/') + 1 : wanted;
	char other[PATH_MAX] = "";

	if (state && *state == '/')
		snprintf(other, sizeof(other), "%s/pwrtrace/%s", state, name);
	else if (home)
		snprintf(other, sizeof(other), "%s/.local/state/pwrtrace/%s", home, name);
	if (*other && make_with_suffix(other, path, size) == 0)
		return 0;
	snprintf(other, sizeof(other), "/tmp/%s", name);
	return make_with_suffix(other, path, size);
}

int space_make_directory(
	const char *wanted, bool chosen, char *dir, size_t dir_size, char *why, size_t why_size)
{
	char path[PATH_MAX], full[PATH_MAX];
	int result = chosen ? make_chosen(wanted) : make_with_suffix(wanted, path, sizeof(path));

	if (chosen)
		snprintf(path, sizeof(path), "%s", wanted);
	if (result && errno == EEXIST) {
		snprintf(why, why_size,
			"%s exists and is not empty; name another directory with -o", wanted);
		return -1;
	}
	if (result && !chosen)
		result = make_in_state_directory(wanted, path, sizeof(path));
	if (result || !realpath(path, full)) {
		snprintf(why, why_size, "cannot write to %s: %s; name another directory with -o",
			wanted, strerror(errno));
		return -1;
	}
	if (space_free_bytes(full) < to_start_bytes()) {
		rmdir(full);
		snprintf(why, why_size,
			"no space: less than %llu MiB are free where %s lies; name another "
			"directory with -o",
			(unsigned long long)to_start_bytes() >> 20, wanted);
		return -1;
	}
	snprintf(dir, dir_size, "%s", full);
	return 0;
}
