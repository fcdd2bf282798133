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
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "preload/common/clock.h"
#include "preload/common/deadline.h"
#include "preload/record/claim.h"
#include "preload/record/rundir.h"

#define LINGER_S 10
#define END_MS 5000
#define ANSWER_NS (3 * PWRTRACE_NS_PER_S)

/* The process that answers at a socket in the daemon's directory, which has files of pids, too, but
 * empty ones where there was no room; 0: none. */
static pid_t process_at(const char *socket_name)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	struct ucred peer = {0};
	socklen_t size = sizeof(peer);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	snprintf(
		address.sun_path, sizeof(address.sun_path), "%.80s/%s", rundir_path(), socket_name);
	if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address)) ||
		getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size))
		peer.pid = 0;
	if (fd >= 0)
		close(fd);
	return peer.pid;
}

static pid_t daemon_process(void)
{
	return process_at("client-lttng-sessiond");
}

/* ---- whether the daemon is ours ---- */

static const char *mark_path(void)
{
	static char path[PATH_MAX + 32];

	snprintf(path, sizeof(path), "%s/pwrtrace-daemon.pid", rundir_path());
	return path;
}

/* A link needs no room but its name's. */
static void mark_as_ours(void)
{
	char pid[32];

	snprintf(pid, sizeof(pid), "%d", (int)daemon_process());
	unlink(mark_path());
	if (symlink(pid, mark_path()))
		unlink(mark_path());
}

static bool is_marked(pid_t daemon)
{
	char pid[32] = "";

	return daemon > 0 && readlink(mark_path(), pid, sizeof(pid) - 1) > 0 &&
	       atoi(pid) == (int)daemon;
}

/* ---- beginning ---- */

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
	claims_end_orphans(rundir_path());
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
	if (rundir_choose()) {
		snprintf(why, why_size, "no directory for the LTTng session daemon: %s: %s",
			rundir_path(), strerror(errno));
		return -1;
	}
	snprintf(home, home_size, "%s", rundir_private_home());
	rundir_lock();
	if (lttng_session_daemon_alive())
		within_deadline(end_orphans, NULL, ANSWER_NS);
	else
		result = start_daemon(why, why_size);
	if (result)
		rundir_unlock();
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

/* The next recording must not meet a daemon that is on its way out, which removes the next one's
 * files as well: where its end cannot be waited for, it stays, and false is returned.  A pidfd,
 * because nobody may be there to reap it. */
static bool end_daemon(pid_t daemon)
{
	struct pollfd ended = {.fd = (int)syscall(SYS_pidfd_open, daemon, 0), .events = POLLIN};

	if (ended.fd < 0)
		return false;
	kill(daemon, SIGTERM);
	unlink(mark_path());
	if (poll(&ended, 1, END_MS) == 0) {
		kill(daemon, SIGKILL);
		poll(&ended, 1, END_MS);
	}
	close(ended.fd);
	return true;
}

/* ---- sick daemons ---- */

/* A session daemon whose consumer daemon has died goes on answering, and records nothing ever
 * again. */
int daemon_open_consumer(void)
{
	pid_t consumer = process_at("ustconsumerd64/health");

	return consumer > 0 ? (int)syscall(SYS_pidfd_open, consumer, 0) : -1;
}

int daemon_replace_sick(char *why, size_t why_size)
{
	pid_t daemon = daemon_process();
	int consumer = daemon_open_consumer();

	if (consumer >= 0)
		close(consumer);
	if (consumer >= 0 || daemon <= 0)
		return -1;
	if (is_marked(daemon) && end_daemon(daemon))
		return start_daemon(why, why_size);
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

	claims_end_orphans(rundir_path());
	/* Stopping takes the daemon a second in which no recording can begin; those that follow one
	 * another closely shall find it running. */
	sleep(LINGER_S);
	if (rundir_lock())
		return;
	claims_end_orphans(rundir_path());
	daemon = daemon_process();
	if (is_marked(daemon) && count_sessions() == 0)
		end_daemon(daemon);
	rundir_unlock();
}

void daemon_release(void)
{
	if (rundir_choose())
		return;
	if (lttng_session_daemon_alive())
		end_our_daemon();
	if (*rundir_private_home() && !lttng_session_daemon_alive())
		rundir_remove_private();
}
