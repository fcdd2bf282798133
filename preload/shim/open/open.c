/* SPDX-License-Identifier: MIT */
#include "preload/shim/open/open.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload/api/hooks.h"
#include "preload/common/clock.h"
#include "preload/common/conf.h"
#include "preload/common/log.h"
#include "preload/common/rendezvous.h"
#include "preload/shim/base/tool.h"
#include "preload/shim/open/participant.h"

/* What the program waits, once, and longer than its recorder does for a daemon that is frozen.  A
 * fifth of a second is usual; on a busy machine, or while the daemon of a recording that has ended
 * stops, it is seconds. */
#define LAUNCH_WAIT_NS (6 * PWRTRACE_NS_PER_S)
#define END_WAIT_NS (2 * PWRTRACE_NS_PER_S) /* where it ends before */
#define TRACE_WAIT_NS (5 * PWRTRACE_NS_PER_S)
#define FLUSH_WAIT_NS (200 * PWRTRACE_NS_PER_MS)

static void settled(bool recorded);
static void reopen(void);

static void *real[HOOK_COUNT];
static uint64_t launches_missed;

struct engine_host open_host = {
	.real = real,
	.launches_missed = &launches_missed,
	.settled = settled,
	.flush = open_flush,
	.reopen = reopen,
};

static bool wanted;
static char recording_id[PARTICIPANT_ID_MAX];
static int process_id;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static enum open_state state = OPEN_NOT_YET;
static __thread bool is_opener; /* what it calls itself is no use of a GPU by the program */
static bool opening, is_settled;
static bool given_up; /* at the end, which a process may reach twice: by exit, then _exit */
static uint64_t launch_deadline_ns;

/* While dlopen runs constructors, it lets no other thread open a library: where one of them uses a
 * GPU, it must open the engine itself.  So who waits for the engine does so, and the opener where
 * nobody waits. */
static struct {
	void (*load)(void *data); /* NULL: none */
	void *data;
	bool is_awaited;
} request;

static void let_in(void (*load)(void *data), void *data)
{
	pthread_mutex_lock(&lock);
	request.load = load;
	request.data = data;
	pthread_cond_broadcast(&changed);
	while (request.load && request.is_awaited)
		pthread_cond_wait(&changed, &lock);
	load = request.load;
	request.load = NULL;
	pthread_mutex_unlock(&lock);
	if (load)
		load(data);
}

/* On the thread that waits, whose signals wait, too; the lock is held. */
static void run_request(void)
{
	sigset_t all, saved;

	pthread_mutex_unlock(&lock);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &saved);
	is_opener = true;
	request.load(request.data);
	is_opener = false;
	pthread_sigmask(SIG_SETMASK, &saved, NULL);
	pthread_mutex_lock(&lock);
	request.load = NULL;
	pthread_cond_broadcast(&changed);
}

static void set_state(enum open_state new_state, bool settle)
{
	pthread_mutex_lock(&lock);
	state = new_state;
	is_settled |= settle;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

static void settled(bool recorded)
{
	if (recorded)
		participant_recorded();
	else
		log_error("%s is not recorded: the LTTng session daemon does not answer",
			program_invocation_short_name);
	set_state(OPEN_READY, true);
}

static void *opener(void *unused)
{
	const char *why = "";
	const struct engine *engine;

	is_opener = true;
	pthread_setname_np(pthread_self(), "pwrtrace");
	engine = participant_join(recording_id, &open_host, let_in, &why);
	if (engine) {
		__atomic_store_n(&open_host.engine, engine, __ATOMIC_RELEASE);
		set_state(OPEN_READY, false);
		engine->collect(&open_host);
	} else {
		log_error("%s is not recorded: %s", program_invocation_short_name, why);
		set_state(OPEN_NEVER, true);
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

/* Returns whether it runs. */
static bool start_opener(void)
{
	static bool registered;
	sigset_t all, saved;
	pthread_attr_t detached;
	pthread_t thread;
	int error;

	/* Now, because handlers run in reverse: ours before those of the GPU's runtime, which was
	 * loaded before its first use. */
	if (!registered)
		registered = atexit(open_flush) == 0;
	opening = true;
	is_settled = given_up = false;
	launch_deadline_ns = clock_now_ns() + LAUNCH_WAIT_NS;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &saved);
	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	error = pthread_create(&thread, &detached, opener, NULL);
	if (error) {
		log_error("%s is not recorded: no thread could be made: %s",
			program_invocation_short_name, strerror(error));
		state = OPEN_NEVER;
		is_settled = true;
	}
	pthread_attr_destroy(&detached);
	pthread_sigmask(SIG_SETMASK, &saved, NULL);
	return !is_settled;
}

enum open_state open_engine(bool may_open)
{
	int saved_errno = errno, cancellable;
	bool awaits = false;
	enum open_state now;

	if (!wanted)
		return OPEN_NEVER;
	if (is_opener)
		return OPEN_NOT_YET;
	/* A thread that is cancelled while it waits would keep the lock. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellable);
	pthread_mutex_lock(&lock);
	if (!opening && may_open)
		request.is_awaited = awaits = start_opener();
	while (opening && !is_settled && clock_now_ns() < launch_deadline_ns) {
		struct timespec until = clock_timespec(launch_deadline_ns);

		if (awaits && request.load)
			run_request();
		else
			pthread_cond_timedwait(&changed, &lock, &until);
	}
	if (awaits) {
		request.is_awaited = false;
		pthread_cond_broadcast(&changed);
	}
	now = state;
	pthread_mutex_unlock(&lock);
	pthread_setcancelstate(cancellable, NULL);
	errno = saved_errno;
	return now;
}

/* A program that is shorter than what it takes to open the engine under load. */
static void wait_for_settling(void)
{
	uint64_t deadline_ns = clock_now_ns() + END_WAIT_NS;

	while (opening && !given_up && !__atomic_load_n(&is_settled, __ATOMIC_ACQUIRE)) {
		if (clock_now_ns() > deadline_ns) {
			given_up = true;
			log_error("%s is not recorded: no answer came before it ended",
				program_invocation_short_name);
			return;
		}
		nanosleep(&(struct timespec){.tv_nsec = PWRTRACE_NS_PER_MS}, NULL);
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
			participant_leave();
			/* The kernel ends a container with its first process. */
			if (process_id == 1)
				participant_await_trace(clock_now_ns() + TRACE_WAIT_NS);
		}
	}
	errno = saved_errno;
}

static void reopen(void)
{
	open_engine(true);
}

static void init_changed(void)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&changed, &attributes);
	pthread_condattr_destroy(&attributes);
}

/* The child of a fork has no opener and no collector; its first launch makes them anew.  A thread
 * of the parent may have waited for its opener meanwhile. */
static void after_fork_in_child(void)
{
	pthread_mutex_init(&lock, NULL);
	init_changed();
	process_id = getpid();
	opening = false;
	request.load = NULL;
	if (state != OPEN_READY)
		state = OPEN_NOT_YET;
	participant_after_fork();
}

void open_init(bool for_children)
{
	process_id = getpid();
	wanted = strcmp(conf.disable, "1") != 0 && strcmp(conf.output, "none") != 0 &&
		 !tool_is_second();
	if (!wanted)
		return;
	init_changed();
	pthread_atfork(NULL, NULL, after_fork_in_child);
	if (!*conf.recording) {
		rendezvous_new_id(recording_id, sizeof(recording_id));
		if (for_children)
			setenv("PWRTRACE_RECORDING", recording_id, 1);
	} else {
		snprintf(recording_id, sizeof(recording_id), "%s", conf.recording);
	}
}
