/* SPDX-License-Identifier: MIT */
#include "preload/record/claim.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <lttng/lttng.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preload/common/log.h"
#include "preload/record/space.h"

#define SUFFIX ".recorder"

static int open_claim(const char *rundir, const char *name, int flags)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", rundir, name);
	return open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0600);
}

/* Who ends orphans removes the file, perhaps between our opening and locking it. */
static bool is_removed(int claim)
{
	struct stat stat_of;

	return fstat(claim, &stat_of) == 0 && stat_of.st_nlink == 0;
}

int claim_take(const char *rundir, const char *session, const char *dir)
{
	char name[NAME_MAX];
	int claim;

	snprintf(name, sizeof(name), "%s" SUFFIX, session);
	while ((claim = open_claim(rundir, name, O_CREAT)) >= 0) {
		flock(claim, LOCK_EX);
		if (!is_removed(claim))
			break;
		close(claim);
	}
	if (claim >= 0 && (ftruncate(claim, 0) || dprintf(claim, "%s", dir) < 0))
		log_debug("no room for the claim of %s", session);
	return claim;
}

void claim_give_up(int *claim)
{
	if (*claim < 0)
		return;
	ftruncate(*claim, 0);
	close(*claim);
	*claim = -1;
}

/* Returns whether the daemon has the session no longer. */
static bool end_orphan(const char *session, int claim)
{
	char dir[PATH_MAX] = "";
	bool complete = pread(claim, dir, sizeof(dir) - 1, 0) <= 0;
	int result = lttng_destroy_session(session);

	if (result >= 0 && !complete) {
		space_clear(dir);
		log_notice("the recorder of %s was killed: its LTTng session is ended now, and "
			   "what it recorded is kept",
			dir);
	}
	return result >= 0 || result == -LTTNG_ERR_SESS_NOT_FOUND;
}

void claims_end_orphans(const char *rundir)
{
	DIR *files = opendir(rundir);
	const struct dirent *entry;

	while (files && (entry = readdir(files))) {
		char session[NAME_MAX + 1];
		char *suffix;
		int claim;

		snprintf(session, sizeof(session), "%s", entry->d_name);
		suffix = strstr(session, SUFFIX);
		claim = suffix ? open_claim(rundir, entry->d_name, 0) : -1;
		if (claim < 0)
			continue;
		if (flock(claim, LOCK_EX | LOCK_NB) == 0 && !is_removed(claim)) {
			*suffix = 0;
			if (end_orphan(session, claim))
				unlinkat(dirfd(files), entry->d_name, 0);
		}
		close(claim);
	}
	if (files)
		closedir(files);
}
