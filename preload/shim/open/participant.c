/* SPDX-License-Identifier: MIT */
#include "preload/shim/open/participant.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "preload/common/clock.h"
#include "preload/common/conf.h"
#include "preload/common/engine_open.h"
#include "preload/common/log.h"
#include "preload/common/orphan.h"
#include "preload/common/rendezvous.h"
#include "preload/common/sampler.h"
#include "preload/common/watchable.h"
#include "preload/shim/base/layer_source.h"
#include "preload/shim/base/real_dlsym.h"
#include "preload/shim/base/tool.h"

#define ANSWER_WAIT_NS (10 * PWRTRACE_NS_PER_S) /* for the recorder */
#define NOBODY_WAIT_NS (PWRTRACE_NS_PER_S / 2)  /* where there is no recorder */
#define THEIRS_WAIT_NS (2 * PWRTRACE_NS_PER_S)  /* for a session of the user's to show */

static int recorder_fd = -1;
static struct stat recorder_socket; /* what recorder_fd was when it was opened */
static pid_t started_recorder;      /* 0: none by us */
static char trace_dir[PATH_MAX];
static const struct engine *sampling;
static struct sampler *sampler; /* ours, where there is no recorder to read the power */

/* A program that closes descriptors which are not its own may have a file with this number now. */
static bool recorder_is_open(void)
{
	struct stat now;

	return recorder_fd >= 0 && !fstat(recorder_fd, &now) &&
	       now.st_dev == recorder_socket.st_dev && now.st_ino == recorder_socket.st_ino;
}

static void close_recorder(void)
{
	if (recorder_is_open())
		close(recorder_fd);
	recorder_fd = -1;
}

static pid_t start_recorder(const char *recording_id)
{
	static const int nowhere[] = {-1, -1, -1};
	char path[PATH_MAX], id[PARTICIPANT_ID_MAX], pid[16];
	char *slash;

	if (!realpath(tool_path(), path) || !(slash = strrchr(path, '/')) ||
		slash + 32 >= path + sizeof(path))
		return 0;
	strcpy(slash, "/pwrtrace/pwrtrace-record");
	snprintf(id, sizeof(id), "%s", recording_id);
	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	return orphan_start(path,
		(char *[]){path, "--helper", "--id", id, "--app", program_invocation_short_name,
			"--pid", pid, NULL},
		nowhere);
}

/* Of several processes that begin a recording at once, one has started its recorder. */
static bool recorder_is_ours(void)
{
	pid_t recorder;

	return started_recorder && rendezvous_trusts(recorder_fd, &recorder) &&
	       recorder == started_recorder;
}

static void pause_ns(uint64_t ns)
{
	nanosleep(&(struct timespec){.tv_nsec = (long)ns}, NULL);
}

static uint64_t earlier(uint64_t a_ns, uint64_t b_ns)
{
	return a_ns < b_ns ? a_ns : b_ns;
}

static int meet_recorder(const char *recording_id, uint64_t deadline_ns)
{
	int fd = rendezvous_connect(recording_id);
	struct pollfd recorder = {.events = POLLIN};

	if (fd >= 0 || errno != ECONNREFUSED)
		return fd;
	started_recorder = start_recorder(recording_id);
	if (!started_recorder)
		return -1;
	recorder.fd = (int)syscall(SYS_pidfd_open, started_recorder, 0);
	while (fd < 0 && clock_now_ns() < deadline_ns) {
		/* Where it has ended, another process may just be starting one. */
		if (poll(&recorder, 1, 2) == 1) {
			deadline_ns = earlier(deadline_ns, clock_now_ns() + NOBODY_WAIT_NS);
			close(recorder.fd);
			recorder.fd = -1;
		}
		fd = rendezvous_connect(recording_id);
	}
	if (recorder.fd >= 0)
		close(recorder.fd);
	return fd;
}

/* The engine, and what it is opened with. */
struct opening {
	struct engine_host *host;
	const char *lttng_home, *why;
	const struct engine *engine;
};

static void open_library(void *data)
{
	struct opening *opening = data;
	void *library = engine_dlopen(opening->lttng_home, &opening->why);
	const struct engine *(*get)(void);

	if (!library)
		return;
	get = (const struct engine *(*)(void))real_dlsym(library, ENGINE_ENTRY);
	if (!get) {
		opening->why = "libpwrtrace-engine.so is of another version";
		return;
	}
	opening->host->log = log_state();
	opening->engine = get();
	opening->engine->attach(opening->host);
}

/* LTTng-UST keeps sockets, and two descriptors per CPU and channel; where they run out it aborts
 * the program.  The program needs some more for itself. */
static bool descriptors_suffice(void)
{
	enum { CHANNELS = 2, FIXED = 24, SPARE = 16 };
	rlim_t needed = FIXED + SPARE + (rlim_t)(CHANNELS * 2 * sysconf(_SC_NPROCESSORS_CONF));
	struct rlimit limit;
	DIR *open_now = opendir("/proc/self/fd");

	if (!open_now || getrlimit(RLIMIT_NOFILE, &limit)) {
		if (open_now)
			closedir(open_now);
		return errno != EMFILE;
	}
	while (readdir(open_now))
		needed++;
	closedir(open_now);
	return needed <= limit.rlim_cur;
}

static bool soon_recorded(const struct engine *engine, uint64_t wait_ns)
{
	uint64_t deadline_ns = clock_now_ns() + wait_ns;

	while (!engine->enabled()) {
		if (clock_now_ns() > deadline_ns)
			return false;
		pause_ns(PWRTRACE_NS_PER_MS);
	}
	return true;
}

static void say_of_power(const char *source, const char *line)
{
	log_notice("%s: %s", source, line);
}

/* In a session of the user's own there is no recorder to sample power: one of the recording's
 * processes does, the one that binds the address. */
static void sample_here(const char *recording_id, const struct engine *engine)
{
	struct sampler_recording recording = {
		.command = program_invocation_name, .say = say_of_power};
	char address[PARTICIPANT_ID_MAX + 8];
	char why[256];

	snprintf(address, sizeof(address), "%s-power", recording_id);
	if (rendezvous_listen(address) < 0)
		return;
	recording.begin_ns = clock_now_ns();
	sampling = engine;
	sampler = engine->sampler->open(conf.power, why, sizeof(why));
	if (!sampler || engine->sampler->start(sampler, &recording))
		log_error("power is not sampled: %s", sampler ? "no thread could be made" : why);
}

/* Asks the recorder at recorder_fd.  Returns the engine, or NULL with *why; *gone is set where the
 * recorder ended without an answer. */
static const struct engine *ask_recorder(const char *recording_id, struct engine_host *host,
	participant_let_in *let_in, uint64_t deadline_ns, const char **why, bool *gone)
{
	static char message[RENDEZVOUS_MESSAGE_MAX];
	const struct engine *engine = NULL;
	char number[16], *argument;
	int failed;

	*why = "its recorder does not answer";
	snprintf(number, sizeof(number), "%d", (int)getpid());
	failed = rendezvous_send(recorder_fd, "gpu", number);
	while (!failed && !rendezvous_receive(recorder_fd, message, &argument, deadline_ns)) {
		char *dir = strchr(argument, '\n');

		if (strcmp(message, "failed") == 0) {
			*why = argument;
			return NULL;
		}
		if (dir)
			*dir++ = 0;
		if (!engine) {
			struct opening opening = {host, argument, NULL, NULL};

			let_in(open_library, &opening);
			engine = opening.engine;
			*why = engine ? *why : opening.why;
		}
		if (!engine) {
			rendezvous_send(recorder_fd, "broken", *why);
			return NULL;
		}
		if (strcmp(message, "ours") == 0) {
			snprintf(trace_dir, sizeof(trace_dir), "%s", dir ? dir : "");
			return engine;
		}
		if (soon_recorded(engine, THEIRS_WAIT_NS)) {
			rendezvous_send(recorder_fd, "taken", "");
			sample_here(recording_id, engine);
			return engine;
		}
		failed = rendezvous_send(recorder_fd, "free", "");
	}
	*gone = !engine && (errno == EPIPE || errno == ECONNRESET);
	return NULL;
}

/* Where there is a recorder, it shall not believe that nobody used a GPU. */
static void stay_alone(const char *recording_id)
{
	int fd = rendezvous_connect(recording_id);

	if (fd < 0)
		return;
	rendezvous_send(fd, "alone", "");
	close(fd);
}

const struct engine *participant_join(const char *recording_id, struct engine_host *host,
	participant_let_in *let_in, const char **why)
{
	uint64_t deadline_ns = clock_now_ns() + ANSWER_WAIT_NS;
	const struct engine *engine = NULL;
	bool gone = true;

	*why = NULL;
	if (!descriptors_suffice())
		*why = "it may open too few files for LTTng; raise its limit (ulimit -n)";
	else if (!processes_are_watchable())
		*why = "processes cannot be watched (pidfd_open); this needs Linux 5.3, and a "
		       "container that allows it";
	if (*why) {
		stay_alone(recording_id);
		return NULL;
	}
	/* Twice, where we meet one that completes its trace because all other processes have ended:
	 * it takes nobody in any more. */
	for (int i = 0; gone && i < 2; i++) {
		gone = false;
		close_recorder();
		*why = "no recorder could be started (is pwrtrace installed whole?)";
		recorder_fd = meet_recorder(recording_id, deadline_ns);
		if (recorder_fd < 0 && errno == EPERM)
			*why = "another user's process stands in the place of its recorder";
		if (recorder_fd >= 0 && !fstat(recorder_fd, &recorder_socket))
			engine = ask_recorder(recording_id, host, let_in, deadline_ns, why, &gone);
	}
	return engine;
}

static void say_what_is_hidden(void)
{
	if (!shim_preloaded())
		log_notice("%s runs without libpwrtrace.so in LD_PRELOAD: layers that it names by "
			   "pwrtrace.h or ROCTX are not seen, nor its last launches when it ends "
			   "by _exit or abort",
			program_invocation_short_name);
}

void participant_recorded(void)
{
	rendezvous_send(recorder_fd, "recording", "");
	layer_sources_say_other_tools();
	say_what_is_hidden();
	if (*trace_dir && recorder_is_ours())
		log_notice("recording to %s; read it with: pwrtrace report %s (it waits until the "
			   "trace is complete)",
			trace_dir, trace_dir);
}

void participant_leave(void)
{
	if (sampler)
		sampling->sampler->stop(sampler, "end of the process");
	sampler = NULL;
}

void participant_await_trace(uint64_t deadline_ns)
{
	char message[RENDEZVOUS_MESSAGE_MAX], *argument;
	pid_t recorder;

	/* One outside of our pid namespace has no number here, and lives on. */
	if (!recorder_is_open() || !rendezvous_trusts(recorder_fd, &recorder) || !recorder ||
		rendezvous_send(recorder_fd, "last", ""))
		return;
	while (rendezvous_receive(recorder_fd, message, &argument, deadline_ns) == 0)
		;
}

void participant_after_fork(void)
{
	close_recorder();
	started_recorder = 0;
	sampler = NULL;
}
