/* SPDX-License-Identifier: MIT */
#include "preload/record/rundir.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "preload/common/clock.h"
#include "preload/common/log.h"

/* Others have the lock while they start a daemon, or end one, which takes five seconds at most. */
#define LOCK_NS (8 * PWRTRACE_NS_PER_S)
#define LOCK_AGAIN_US 10000
/* AF_UNIX paths end at 108 bytes; the longest the daemon makes below its home is this much. */
#define SOCKET_PATH_MAX (107 - (int)sizeof("/.lttng/ustconsumerd64/command"))

#define LOCK "pwrtrace.lock"
/* Homes that we make for the daemon, and six characters that follow.  Some containers have no /tmp
 * that can be written to; without the other one LTTng does nothing. */
static const char *const private_homes[] = {"/tmp/pwrtrace-", "/dev/shm/pwrtrace-"};
#define PRIVATE_HOMES (sizeof(private_homes) / sizeof(*private_homes))

static char rundir[PATH_MAX];
static int lock_fd = -1;

static bool usable_home(const char *home)
{
	return home && *home == '/' && (int)strlen(home) <= SOCKET_PATH_MAX &&
	       access(home, W_OK | X_OK) == 0;
}

const char *rundir_private_home(void)
{
	const char *home = getenv("LTTNG_HOME");
	char pattern[64];

	for (size_t i = 0; home && getuid() != 0 && i < PRIVATE_HOMES; i++) {
		snprintf(pattern, sizeof(pattern), "%s??????", private_homes[i]);
		if (fnmatch(pattern, home, FNM_PATHNAME) == 0)
			return home;
	}
	return "";
}

/* Makes such a home.  Returns it, or NULL with errno. */
static const char *make_private_home(void)
{
	static char home[64];

	for (size_t i = 0; i < PRIVATE_HOMES; i++) {
		snprintf(home, sizeof(home), "%sXXXXXX", private_homes[i]);
		if (mkdtemp(home))
			return home;
	}
	return NULL;
}

int rundir_choose(void)
{
	const char *base = getenv("LTTNG_HOME") ? getenv("LTTNG_HOME") : getenv("HOME");

	if (getuid() == 0) {
		strcpy(rundir, "/var/run/lttng");
	} else {
		if (!usable_home(base)) {
			base = make_private_home();
			if (!base || setenv("LTTNG_HOME", base, 1))
				return -1;
		}
		snprintf(rundir, sizeof(rundir), "%s/.lttng", base);
	}
	return mkdir(rundir, 0755) && errno != EEXIST ? -1 : 0;
}

static int open_lock(void)
{
	char path[PATH_MAX + 32];

	snprintf(path, sizeof(path), "%s/%s", rundir, LOCK);
	return open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
}

const char *rundir_path(void)
{
	return rundir;
}

void rundir_unlock(void)
{
	if (lock_fd >= 0)
		close(lock_fd);
	lock_fd = -1;
}

/* Who has the lock, or 0 where that is not to be seen from here. */
static int lock_holder(void)
{
	FILE *locks = fopen("/proc/locks", "re");
	struct stat lock = {0};
	char line[256];
	unsigned long inode;
	unsigned int major_number, minor_number;
	int holder = 0, pid;

	fstat(lock_fd, &lock);
	while (locks && !holder && fgets(line, sizeof(line), locks))
		if (sscanf(line, "%*u: FLOCK %*s %*s %d %x:%x:%lu", &pid, &major_number,
			    &minor_number, &inode) == 4 &&
			makedev(major_number, minor_number) == lock.st_dev && inode == lock.st_ino)
			holder = pid;
	if (locks)
		fclose(locks);
	return holder;
}

static void say_who_locks(void)
{
	char who[32] = "another process";
	int holder = lock_holder();

	if (holder)
		snprintf(who, sizeof(who), "process %d", holder);
	log_error("%s does not let go of %s/" LOCK ": recording goes on without it", who, rundir);
}

int rundir_lock(void)
{
	static bool given_up;
	uint64_t deadline_ns = clock_now_ns() + LOCK_NS;

	if (lock_fd >= 0 || given_up)
		return given_up ? -1 : 0;
	lock_fd = open_lock();
	while (lock_fd >= 0 && flock(lock_fd, LOCK_EX | LOCK_NB)) {
		if (clock_now_ns() > deadline_ns) {
			say_who_locks();
			rundir_unlock();
			given_up = true;
			return -1;
		}
		usleep(LOCK_AGAIN_US);
	}
	return 0;
}

void rundir_remove_private(void)
{
	char lock[PATH_MAX + 32];

	snprintf(lock, sizeof(lock), "%s/" LOCK, rundir);
	unlink(lock);
	rmdir(rundir);
	rmdir(rundir_private_home());
}
