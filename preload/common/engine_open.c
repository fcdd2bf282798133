/* SPDX-License-Identifier: MIT */
#include "preload/common/engine_open.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload/common/environment.h"

#define ENGINE_FILE "libpwrtrace-engine.so"

/* Writes the path of the object that holds this code; the main program's link map has no name. */
static bool own_path(char path[PATH_MAX])
{
	struct link_map *map = NULL;
	Dl_info info;
	ssize_t length;

	if (!dladdr1((void *)engine_dlopen, &info, (void **)&map, RTLD_DL_LINKMAP))
		return false;
	if (map && *map->l_name)
		return snprintf(path, PATH_MAX, "%s", map->l_name) < PATH_MAX;
	length = readlink("/proc/self/exe", path, PATH_MAX - 1);
	if (length < 0)
		return false;
	path[length] = 0;
	return true;
}

static bool find_engine(char path[PATH_MAX])
{
	static const char *const places[] = {"", "pwrtrace/"};
	static char directory[PATH_MAX];
	char *slash;

	if (!own_path(directory))
		return false;
	slash = strrchr(directory, '/');
	if (!slash)
		return false;
	slash[1] = 0;
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		int length = snprintf(path, PATH_MAX, "%s%s" ENGINE_FILE, directory, places[i]);

		if (length < PATH_MAX && access(path, R_OK) == 0)
			return true;
	}
	return false;
}

/* The environment with UST's settings in front of it.  Never freed: another thread may be walking
 * it in getenv long after we took it away.  How long UST waits, in ms, is also how long the session
 * daemon may take to answer for each event that its thread registers: after 0, that is 10, a busy
 * machine records nothing. */
static char **environment_for_ust(const char *lttng_home)
{
	static char wait_ms[] = "LTTNG_UST_REGISTER_TIMEOUT=500";
	const char *replaced[] = {
		"LTTNG_UST_REGISTER_TIMEOUT", *lttng_home ? "LTTNG_HOME" : NULL, NULL};
	char **copy = environment_copy(*lttng_home ? 2 : 1, replaced);

	if (!copy)
		return NULL;
	copy[0] = wait_ms;
	if (*lttng_home && asprintf(&copy[1], "LTTNG_HOME=%s", lttng_home) < 0) {
		free(copy);
		return NULL;
	}
	return copy;
}

/* The array is swapped, not edited: setenv may move what another thread's getenv is reading. */
static void *open_with_settings(const char *path, const char *lttng_home)
{
	char **before = environ;
	char **settings = environment_for_ust(lttng_home);
	void *handle;

	if (settings)
		environ = settings;
	handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	/* A setenv meanwhile in another thread has put its own array in place. */
	if (settings && environ == settings)
		environ = before;
	return handle;
}

/* Large variables are static, as a thread of the program's may have a small stack. */
void *engine_dlopen(const char *lttng_home, const char **why)
{
	static char path[PATH_MAX], problem[512];
	int saved_errno = errno;
	void *handle = NULL;

	if (!find_engine(path)) {
		*why = ENGINE_FILE " is not where it was installed";
	} else {
		handle = open_with_settings(path, lttng_home);
		if (!handle) {
			snprintf(problem, sizeof(problem), "%s", dlerror());
			*why = problem;
		}
	}
	errno = saved_errno;
	return handle;
}
