/* SPDX-License-Identifier: MIT */
#include "preload/record/daemon.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <lttng/lttng.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "preload/common/clock.h"
#include "preload/common/log.h"
#include "preload/record/claim.h"
#include "preload/record/deadline.h"

#define LINGER_S 10
#define END_MS 5000
/* Others have the lock while they start a daemon, or end one. */
#define LOCK_NS (END_MS * PWRTRACE_NS_PER_MS + 3 * PWRTRACE_NS_PER_S)
#define LOCK_AGAIN_US 10000
#define ANSWER_NS (3 * PWRTRACE_NS_PER_S)
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

/* The home that one of us has made for the daemon and set in the environment, else "". */
static const char *private_home(void)
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

/* Where the daemon lives; makes the folder. */
static int choose_rundir(void)
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

static int open_in_rundir(const char *name, int flags)
{
	char path[PATH_MAX + 32];

	snprintf(path, sizeof(path), "%s/%s", rundir, name);
	return open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0600);
}

const char *daemon_rundir(void)
{
	return rundir;
}

void daemon_unlock(void)
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

/* Returns 0, or -1 where it could not be had in time, which need not be waited for again. */
static int lock_rundir(void)
{
	static bool given_up;
	uint64_t deadline_ns = clock_now_ns() + LOCK_NS;

	if (lock_fd >= 0 || given_up)
		return given_up ? -1 : 0;
	lock_fd = open_in_rundir(LOCK, O_RDWR | O_CREAT);
	while (lock_fd >= 0 && flock(lock_fd, LOCK_EX | LOCK_NB)) {
		if (clock_now_ns() > deadline_ns) {
			say_who_locks();
			daemon_unlock();
			given_up = true;
			return -1;
		}
		usleep(LOCK_AGAIN_US);
	}
	return 0;
}

static pid_t read_pid(const char *name)
{
	char text[32] = "";
	int fd = open_in_rundir(name, O_RDONLY);

	if (fd < 0)
		return 0;
	if (read(fd, text, sizeof(text) - 1) < 0)
		text[0] = 0;
	close(fd);
	return (pid_t)atoi(text);
}

static void mark_as_ours(void)
{
	int fd = open_in_rundir("pwrtrace-daemon.pid", O_WRONLY | O_CREAT | O_TRUNC);

	if (fd < 0)
		return;
	dprintf(fd, "%d\n", (int)read_pid("lttng-sessiond.pid"));
	close(fd);
}

void daemon_raise_descriptor_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* Returns 0 once the daemon takes connections. */
static int start_daemon(char *why, size_t why_size)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		int null = open("/dev/null", O_RDWR);
		sigset_t none;

		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		signal(SIGPIPE, SIG_DFL);
		for (int fd = 0; fd <= 2; fd++)
			dup2(null, fd);
		close_range(3, ~0U, 0);
		daemon_raise_descriptor_limit();
		unsetenv("LD_PRELOAD");
		execlp("lttng-sessiond", "lttng-sessiond", "--no-kernel", "--daemonize", NULL);
		execl("/usr/bin/lttng-sessiond", "lttng-sessiond", "--no-kernel", "--daemonize",
			NULL);
		_exit(127);
	}
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
		mark_as_ours();
		return 0;
	}
	if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 127)
		snprintf(why, why_size, "lttng-sessiond is not found; install lttng-tools");
	else
		snprintf(why, why_size,
			"lttng-sessiond could not be started; run it by hand to see why");
	return -1;
}

static int end_orphans(void *unused)
{
	(void)unused;
	claims_end_orphans(rundir);
	return 0;
}

int daemon_ensure(char *home, size_t home_size, char *why, size_t why_size)
{
	int result = 0;

	if (access("/dev/shm", W_OK)) {
		snprintf(why, why_size, "LTTng needs /dev/shm, which cannot be written to: %s",
			strerror(errno));
		return -1;
	}
	if (choose_rundir()) {
		snprintf(why, why_size, "no directory for the LTTng session daemon: %s: %s", rundir,
			strerror(errno));
		return -1;
	}
	snprintf(home, home_size, "%s", private_home());
	lock_rundir();
	if (lttng_session_daemon_alive())
		within_deadline(end_orphans, NULL, ANSWER_NS);
	else
		result = start_daemon(why, why_size);
	if (result)
		daemon_unlock();
	return result;
}

static bool is_ours(const struct lttng_session *session)
{
	return strncmp(session->name, SESSION_PREFIX, strlen(SESSION_PREFIX)) == 0;
}

/* ---- sessions of the user's ---- */

static bool names_ours(const char *pattern)
{
	static const char *const names[] = {
#define EVENT(name, channel, fields) "pwrtrace:" #name,
#include "pwrtrace/events.def"
#undef EVENT
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (fnmatch(pattern, names[i], 0) == 0)
			return true;
	return false;
}

static bool channel_has_ours(struct lttng_handle *handle, const char *channel)
{
	struct lttng_event *events = NULL;
	int count = lttng_list_events(handle, channel, &events);
	bool found = false;

	for (int i = 0; i < count; i++)
		found |= events[i].enabled && names_ours(events[i].name);
	free(events);
	return found;
}

static bool domain_has_ours(const char *session, struct lttng_domain *domain)
{
	struct lttng_handle *handle = lttng_create_handle(session, domain);
	struct lttng_channel *channels = NULL;
	int count = handle ? lttng_list_channels(handle, &channels) : 0;
	bool found = false;

	for (int i = 0; i < count; i++)
		found |= channels[i].enabled && channel_has_ours(handle, channels[i].name);
	free(channels);
	lttng_destroy_handle(handle);
	return found;
}

static bool session_has_ours(const char *session)
{
	struct lttng_domain *domains = NULL;
	int count = lttng_list_domains(session, &domains);
	bool found = false;

	for (int i = 0; i < count; i++)
		found |= domains[i].type == LTTNG_DOMAIN_UST &&
			 domain_has_ours(session, &domains[i]);
	free(domains);
	return found;
}

static int find_theirs(void *unused)
{
	struct lttng_session *sessions = NULL;
	int count = lttng_list_sessions(&sessions);
	int found = count < 0 ? -1 : 0;

	(void)unused;
	for (int i = 0; i < count; i++)
		if (sessions[i].enabled && !is_ours(&sessions[i]) &&
			session_has_ours(sessions[i].name))
			found = 1;
	free(sessions);
	return found;
}

int daemon_records_ours(void)
{
	return within_deadline(find_theirs, NULL, ANSWER_NS);
}

/* ---- ending it ---- */

/* The next recording must not meet a daemon that is on its way out.  A pidfd, because nobody may
 * be there to reap it. */
static void end_daemon(pid_t daemon)
{
	struct pollfd ended = {.fd = (int)syscall(SYS_pidfd_open, daemon, 0), .events = POLLIN};
	char mark[PATH_MAX + 32];

	kill(daemon, SIGTERM);
	snprintf(mark, sizeof(mark), "%s/pwrtrace-daemon.pid", rundir);
	unlink(mark);
	if (ended.fd < 0)
		return;
	if (poll(&ended, 1, END_MS) == 0) {
		kill(daemon, SIGKILL);
		poll(&ended, 1, END_MS);
	}
	close(ended.fd);
}

/* ---- sick daemons ---- */

/* A session daemon whose consumer daemon has died goes on answering, and records nothing ever
 * again. */
int daemon_open_consumer(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	struct ucred consumer;
	socklen_t size = sizeof(consumer);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), pidfd = -1;

	snprintf(address.sun_path, sizeof(address.sun_path), "%.80s/ustconsumerd64/health", rundir);
	if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0 &&
		getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &consumer, &size) == 0)
		pidfd = (int)syscall(SYS_pidfd_open, consumer.pid, 0);
	if (fd >= 0)
		close(fd);
	return pidfd;
}

int daemon_replace_sick(char *why, size_t why_size)
{
	pid_t daemon = read_pid("lttng-sessiond.pid");
	int consumer = daemon_open_consumer();

	if (consumer >= 0)
		close(consumer);
	if (consumer >= 0 || daemon <= 0)
		return -1;
	if (daemon == read_pid("pwrtrace-daemon.pid")) {
		end_daemon(daemon);
		return start_daemon(why, why_size);
	}
	snprintf(why, why_size,
		"the LTTng session daemon (process %d) has lost its consumer daemon and records "
		"nothing any more; end it, and with it its sessions: kill %d",
		(int)daemon, (int)daemon);
	return -1;
}

/* ---- leaving ---- */

/* Returns how many sessions there are, or a negative number. */
static int count_sessions(void)
{
	struct lttng_session *sessions = NULL;
	int count = lttng_list_sessions(&sessions);

	free(sessions);
	return count;
}

static void end_our_daemon(void)
{
	pid_t daemon;

	claims_end_orphans(rundir);
	/* Stopping takes the daemon a second in which no recording can begin; those that follow one
	 * another closely shall find it running. */
	sleep(LINGER_S);
	if (lock_rundir())
		return;
	claims_end_orphans(rundir);
	daemon = read_pid("pwrtrace-daemon.pid");
	if (daemon > 0 && daemon == read_pid("lttng-sessiond.pid") && count_sessions() == 0)
		end_daemon(daemon);
	daemon_unlock();
}

/* A daemon leaves nothing in it. */
static void remove_private_home(void)
{
	char lock[PATH_MAX + 32];

	if (!*private_home() || lttng_session_daemon_alive())
		return;
	snprintf(lock, sizeof(lock), "%s/" LOCK, rundir);
	unlink(lock);
	rmdir(rundir);
	rmdir(private_home());
}

void daemon_release(void)
{
	if (choose_rundir())
		return;
	if (lttng_session_daemon_alive())
		end_our_daemon();
	remove_private_home();
}
