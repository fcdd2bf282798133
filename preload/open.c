/* SPDX-License-Identifier: MIT */
#include "preload/open.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "preload/clock.h"
#include "preload/conf.h"
#include "preload/engine_open.h"
#include "preload/hook.h"
#include "preload/layer/kokkos.h"
#include "preload/layer/nvtx.h"
#include "preload/layer/stack.h"
#include "preload/log.h"
#include "preload/orphan.h"
#include "preload/power/sampler.h"
#include "preload/rendezvous.h"
#include "preload/tool.h"

/* A session daemon that is busy with the end of another recording answers after a second. */
#define LAUNCH_WAIT_NS (2000 * PWRTRACE_NS_PER_MS) /* what the program waits, once */
#define ANSWER_WAIT_NS (10 * PWRTRACE_NS_PER_S)    /* what our own thread waits */
#define THEIRS_WAIT_NS (250 * PWRTRACE_NS_PER_MS)  /* for a session of the user's to show */
#define FLUSH_WAIT_NS (200 * PWRTRACE_NS_PER_MS)

static void settled(bool recorded);
static void reopen(void);

static void *real[HOOK_COUNT];

struct engine_host open_host = {
	.real = real,
	.layer_stack = layer_stack,
	.layer_tree = &layer_tree,
	.layer_lost = &layer_lost,
	.launches_missed = &hook_launches_missed,
	.settled = settled,
	.flush = open_flush,
	.reopen = reopen,
};

static bool wanted;
static char recording_id[64];
static int process_id;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static enum open_state state = OPEN_NOT_YET;
static __thread bool is_opener; /* what it calls itself is no use of a GPU by the program */
static bool opening, is_settled;
static uint64_t launch_deadline_ns;

/* The opener's own. */
static int recorder_fd = -1;
static pid_t started_recorder; /* 0: none by us */
static char trace_dir[PATH_MAX];
static struct sampler *sampler;

/* ---- meeting the recorder ---- */

static pid_t start_recorder(void)
{
	static const int nowhere[] = {-1, -1, -1};
	char path[PATH_MAX], pid[16], root_pid[16];
	char *slash;

	if (!realpath(tool_path(), path) || !(slash = strrchr(path, '/')) ||
		slash + 32 >= path + sizeof(path))
		return 0;
	strcpy(slash, "/pwrtrace/pwrtrace-record");
	snprintf(pid, sizeof(pid), "%d", process_id);
	snprintf(root_pid, sizeof(root_pid), "%d", atoi(recording_id));
	return orphan_start(path,
		(char *[]){path, "--helper", "--id", recording_id, "--app",
			program_invocation_short_name, "--pid", pid, "--root-pid", root_pid, NULL},
		nowhere);
}

/* Of several processes that begin a recording at once, one has started its recorder. */
static bool recorder_is_ours(void)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	return started_recorder &&
	       getsockopt(recorder_fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
	       peer.pid == started_recorder;
}

static void pause_ns(uint64_t ns)
{
	nanosleep(&(struct timespec){.tv_nsec = (long)ns}, NULL);
}

static int meet_recorder(uint64_t deadline_ns)
{
	int fd = rendezvous_connect(recording_id);

	if (fd >= 0 || errno != ECONNREFUSED)
		return fd;
	started_recorder = start_recorder();
	if (!started_recorder)
		return -1;
	while (fd < 0 && clock_now_ns() < deadline_ns) {
		pause_ns(2 * PWRTRACE_NS_PER_MS);
		fd = rendezvous_connect(recording_id);
	}
	return fd;
}

/* ---- the opener ---- */

static const struct engine *load(const char *lttng_home, const char **why)
{
	void *library = engine_dlopen(lttng_home, why);
	const struct engine *(*get)(void);

	if (!library)
		return NULL;
	get = (const struct engine *(*)(void))hook_real_dlsym(library, ENGINE_ENTRY);
	if (!get) {
		*why = "libpwrtrace-engine.so is of another version";
		return NULL;
	}
	open_host.log = log_state();
	get()->attach(&open_host);
	return get();
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
static void sample_here(const struct engine *engine)
{
	struct sampler_recording recording = {
		.command = program_invocation_name, .say = say_of_power};
	char address[sizeof(recording_id) + 8];
	char why[256];

	snprintf(address, sizeof(address), "%s-power", recording_id);
	if (rendezvous_listen(address) < 0)
		return;
	recording.begin_ns = clock_now_ns();
	sampler = engine->sampler->open(conf.power, why, sizeof(why));
	if (!sampler || engine->sampler->start(sampler, &recording))
		log_error("power is not sampled: %s", sampler ? "no thread could be made" : why);
}

/* Goes through the protocol of rendezvous.h.  Returns the engine, or NULL and why there is none;
 * message is where that text may lie. */
static const struct engine *meet_and_load(char *message, const char **why)
{
	uint64_t deadline_ns = clock_now_ns() + ANSWER_WAIT_NS;
	const struct engine *engine = NULL;
	char number[16], *argument;

	*why = "it may open too few files for LTTng; raise its limit (ulimit -n)";
	if (!descriptors_suffice())
		return NULL;
	*why = "no recorder could be started (is pwrtrace installed whole?)";
	recorder_fd = meet_recorder(deadline_ns);
	if (recorder_fd < 0)
		return NULL;
	*why = "its recorder does not answer";
	snprintf(number, sizeof(number), "%d", process_id);
	if (rendezvous_send(recorder_fd, "gpu", number))
		return NULL;
	while (rendezvous_receive(recorder_fd, message, &argument, deadline_ns) == 0) {
		char *dir = strchr(argument, '\n');

		if (strcmp(message, "failed") == 0) {
			*why = argument;
			return NULL;
		}
		if (dir)
			*dir++ = 0;
		if (!engine)
			engine = load(argument, why);
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
			sample_here(engine);
			return engine;
		}
		rendezvous_send(recorder_fd, "free", "");
	}
	return NULL;
}

static void set_state(enum open_state new_state, bool settle)
{
	pthread_mutex_lock(&lock);
	state = new_state;
	is_settled |= settle;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

static void say_other_tools(void)
{
	const char *nvtx = nvtx_other_tool(), *kokkos = kokkos_other_tool();

	if (nvtx)
		log_notice(
			"NVTX_INJECTION64_PATH is another tool's (%s): NVTX makes no layers", nvtx);
	if (kokkos)
		log_notice(
			"KOKKOS_TOOLS_LIBS is another tool's (%s): Kokkos makes no layers", kokkos);
}

static void settled(bool recorded)
{
	if (recorded) {
		rendezvous_send(recorder_fd, "recording", "");
		say_other_tools();
		if (*trace_dir && recorder_is_ours())
			log_notice("recording to %s; read it with: pwrtrace report %s", trace_dir,
				trace_dir);
	} else {
		log_error("%s is not recorded: the LTTng session daemon does not answer",
			program_invocation_short_name);
	}
	set_state(OPEN_READY, true);
}

static void *opener(void *unused)
{
	char *message = malloc(RENDEZVOUS_MESSAGE_MAX);
	const char *why = "out of memory";
	const struct engine *engine;

	is_opener = true;
	engine = message ? meet_and_load(message, &why) : NULL;
	if (engine) {
		open_host.engine = engine;
		set_state(OPEN_READY, false);
		free(message);
		engine->collect(&open_host);
	} else {
		log_error("%s is not recorded: %s", program_invocation_short_name, why);
		set_state(OPEN_NEVER, true);
		free(message);
	}
	return unused;
}

/* ---- what the hooks ask ---- */

bool open_wanted(void)
{
	return wanted;
}

bool open_recording(void)
{
	return opening && __atomic_load_n(&is_settled, __ATOMIC_ACQUIRE) && state == OPEN_READY;
}

static void start_opener(void)
{
	static bool registered;
	sigset_t all, saved;
	pthread_attr_t detached;
	pthread_t thread;

	/* Now, because handlers run in reverse: ours before those of the GPU's runtime, which was
	 * loaded before its first use. */
	if (!registered)
		registered = atexit(open_flush) == 0;
	opening = true;
	is_settled = false;
	launch_deadline_ns = clock_now_ns() + LAUNCH_WAIT_NS;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &saved);
	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	if (pthread_create(&thread, &detached, opener, NULL)) {
		state = OPEN_NEVER;
		is_settled = true;
	}
	pthread_attr_destroy(&detached);
	pthread_sigmask(SIG_SETMASK, &saved, NULL);
}

enum open_state open_engine(bool may_open)
{
	int saved_errno = errno;
	enum open_state now;

	if (!wanted)
		return OPEN_NEVER;
	if (is_opener)
		return OPEN_NOT_YET;
	pthread_mutex_lock(&lock);
	if (!opening && may_open)
		start_opener();
	while (opening && !is_settled && clock_now_ns() < launch_deadline_ns) {
		struct timespec until = {.tv_sec = (time_t)(launch_deadline_ns / PWRTRACE_NS_PER_S),
			.tv_nsec = (long)(launch_deadline_ns % PWRTRACE_NS_PER_S)};

		pthread_cond_timedwait(&changed, &lock, &until);
	}
	now = state;
	pthread_mutex_unlock(&lock);
	errno = saved_errno;
	return now;
}

/* A program that is shorter than what it takes to open the engine under load. */
static void wait_for_settling(void)
{
	uint64_t deadline_ns = clock_now_ns() + LAUNCH_WAIT_NS;

	while (opening && !__atomic_load_n(&is_settled, __ATOMIC_ACQUIRE)) {
		if (clock_now_ns() > deadline_ns) {
			log_error("%s is not recorded: no answer came before it ended",
				program_invocation_short_name);
			return;
		}
		pause_ns(PWRTRACE_NS_PER_MS);
	}
}

void open_flush(void)
{
	int saved_errno = errno;

	/* A vfork child shares our memory, but not our threads. */
	if (wanted && opening && getpid() == process_id) {
		wait_for_settling();
		if (open_host.engine) {
			open_host.engine->end(clock_now_ns() + FLUSH_WAIT_NS);
			if (sampler)
				open_host.engine->sampler->stop(sampler, "end of the process");
			sampler = NULL;
		}
	}
	errno = saved_errno;
}

static void reopen(void)
{
	open_engine(true);
}

/* The child of a fork has no opener and no collector; its first launch makes them anew. */
static void after_fork_in_child(void)
{
	pthread_mutex_init(&lock, NULL);
	layer_after_fork();
	process_id = getpid();
	opening = false;
	started_recorder = 0;
	if (state != OPEN_READY)
		state = OPEN_NOT_YET;
	if (recorder_fd >= 0)
		close(recorder_fd);
	recorder_fd = -1;
	sampler = NULL;
}

void open_init(void)
{
	pthread_condattr_t attributes;

	process_id = getpid();
	wanted = strcmp(conf.disable, "1") != 0 && strcmp(conf.output, "none") != 0;
	if (!wanted)
		return;
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&changed, &attributes);
	pthread_condattr_destroy(&attributes);
	pthread_atfork(NULL, NULL, after_fork_in_child);
	if (!*conf.recording) {
		rendezvous_new_id(recording_id, sizeof(recording_id));
		setenv("PWRTRACE_RECORDING", recording_id, 1);
	} else {
		snprintf(recording_id, sizeof(recording_id), "%s", conf.recording);
	}
}
