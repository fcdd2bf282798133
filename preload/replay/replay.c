/* SPDX-License-Identifier: MIT */
#include "preload/replay/replay.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload/clock.h"
#include "preload/conf.h"
#include "preload/guard.h"
#include "preload/intern.h"
#include "preload/log.h"
#include "preload/replay/program.h"
#include "preload/tp_emit.h"

#define LONGEST_NS PWRTRACE_NS_PER_S
#define BATCH_NS (20 * PWRTRACE_NS_PER_MS)
#define BATCH_MAX 512
#define SLOWER 10 /* times as long as usual: what it does depends on what it did before */
#define TRIES 3   /* the host may have been busy */
#define UNCERTAIN_NS PWRTRACE_NS_PER_MS

static uint64_t length_ns;

/* ---- settings ---- */

/* The device cannot be used there any more. */
static void after_fork_in_child(void)
{
	length_ns = 0;
	program_forget();
}

bool replay_start(void)
{
	length_ns = (uint64_t)(strtod(conf.replay, NULL) * PWRTRACE_NS_PER_S);
	if (length_ns)
		pthread_atfork(NULL, NULL, after_fork_in_child);
	return length_ns != 0;
}

/* Whether a kernel is among those of the setting: a part of its name is. */
static bool is_chosen(const char *name)
{
	const char *list = conf.replay_kernels;

	if (!*list)
		return true;
	for (const char *word = list; *word; word += strspn(word, ",")) {
		size_t length = strcspn(word, ",");

		if (length && memmem(name, strlen(name), word, length))
			return true;
		word += length;
	}
	return false;
}

/* Kernels that wait for others of their kind, on other devices.  Once there is one, a device that
 * is waited for may not come to rest before this process goes on. */
static bool is_collective(const char *name)
{
	static const char *const words[] = {"nccl", "rccl", "mscclpp", "msccl", "nvshmem"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strstr(name, words[i]))
			return true;
	return false;
}

/* ---- classes ---- */

struct class_key {
	uint32_t kernel, device;
};

struct class
{
	uint32_t launches;
	uint32_t tried; /* how often the program was not to be suspended */
	uint64_t usual_ns;
	bool done;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct intern keys;
static struct class *classes;
static uint32_t classes_room;

/* The class of an id, with lock held; NULL where memory runs out. */
static struct class *class_of(uint32_t id)
{
	if (id >= classes_room) {
		uint32_t room = 2 * id;
		struct class *more = realloc(classes, room * sizeof(*more));

		if (!more)
			return NULL;
		memset(more + classes_room, 0, (room - classes_room) * sizeof(*more));
		classes = more;
		classes_room = room;
	}
	return &classes[id];
}

/* What a launch of the class is to be, and counts it. */
static enum replay_step step_of(struct replay *replay)
{
	struct class_key key = {replay->kernel, replay->device};
	enum replay_step step = REPLAY_NOTHING;
	struct class *class;

	replay->class_id = intern(&keys, &key, sizeof(key));
	pthread_mutex_lock(&lock);
	class = replay->class_id ? class_of(replay->class_id) : NULL;
	if (class && !class->done && class->launches++) {
		step = class->usual_ns ? REPLAY_TRIES : REPLAY_TIMES;
		replay->usual_ns = class->usual_ns;
	}
	pthread_mutex_unlock(&lock);
	return step;
}

/* Whether no other thread was faster, while this one waited. */
static bool still_due(const struct replay *replay)
{
	bool due;

	pthread_mutex_lock(&lock);
	due = !classes[replay->class_id].done &&
	      classes[replay->class_id].usual_ns == replay->usual_ns;
	pthread_mutex_unlock(&lock);
	return due;
}

static void set_usual(const struct replay *replay, uint64_t usual_ns)
{
	pthread_mutex_lock(&lock);
	classes[replay->class_id].usual_ns = usual_ns;
	pthread_mutex_unlock(&lock);
}

/* Returns whether it was not before. */
static bool set_done(const struct replay *replay)
{
	bool first;

	pthread_mutex_lock(&lock);
	first = !classes[replay->class_id].done;
	classes[replay->class_id].done = true;
	pthread_mutex_unlock(&lock);
	return first;
}

static bool tried_in_vain(const struct replay *replay)
{
	bool enough;

	pthread_mutex_lock(&lock);
	enough = ++classes[replay->class_id].tried >= TRIES;
	pthread_mutex_unlock(&lock);
	return enough;
}

/* ---- outcomes ---- */

static void write_outcome(const struct replay *replay, uint64_t end_ns, const char *reason)
{
	if (!set_done(replay))
		return;
	if (*reason)
		log_debug("%s is not replayed: %s", gpu_name(gpu_kernel(replay->kernel)->name),
			reason);
	tp_replay(&(struct pwrtrace_replay){.pid = (uint32_t)getpid(),
		.device = replay->device,
		.kernel = replay->kernel,
		.begin_ns = replay->begin_ns,
		.end_ns = end_ns,
		.count = replay->count,
		.reason = reason});
}

/* Nothing was launched that is not the program's. */
static void refuse(struct replay *replay, const char *reason)
{
	replay->begin_ns = clock_now_ns();
	write_outcome(replay, replay->begin_ns, reason);
	replay->step = REPLAY_IS_DONE;
}

/* Leaves everything as it was before. */
static void finish(struct replay *replay, const char *reason)
{
	if (!replay->api->wait(replay->place))
		reason = "the device does not come to rest";
	if (!program_restore(replay)) {
		log_error("device memory cannot be restored after a replay: what the program "
			  "computes from now on may be wrong");
		reason = "device memory could not be restored";
	}
	write_outcome(replay, clock_now_ns(), reason);
	replay->step = REPLAY_IS_DONE;
}

/* ---- one launch ---- */

static bool may_replay(struct replay *replay)
{
	return length_ns && !guard_depth && tp_enabled() && gpu_launches_wanted() &&
	       !program_captures() &&
	       replay->api->place(replay->stream, &replay->device, &replay->place) &&
	       !replay->api->is_capturing(replay->stream);
}

/* Has the device for itself, for this launch; where it cannot, and never will, says why. */
static bool take_device(struct replay *replay)
{
	const char *why_not = program_forbids();

	if (!why_not && program_suspend()) {
		if (still_due(replay))
			return true;
		program_resume();
		return false;
	}
	if (!why_not && tried_in_vain(replay))
		why_not = "another thread stays in a call, or captures";
	if (why_not)
		refuse(replay, why_not);
	return false;
}

bool replay_begin(
	struct replay *replay, const struct replay_api *api, void *stream, uint32_t kernel)
{
	const char *name = kernel ? gpu_name(gpu_kernel(kernel)->name) : "";

	*replay = (struct replay){
		.api = api, .kernel = kernel, .stream = stream, .errno_before = errno};
	if (is_collective(name))
		replay_forbid("kernels work together with those of other devices");
	if (kernel && is_chosen(name) && may_replay(replay))
		replay->step = step_of(replay);
	if (replay->step != REPLAY_NOTHING && take_device(replay))
		return true;
	replay->step = REPLAY_NOTHING;
	replay_hold();
	return false;
}

void replay_prepare(struct replay *replay, const char *why_not)
{
	if (why_not) {
		refuse(replay, why_not);
	} else if (!replay->api->wait(replay->place)) {
		refuse(replay, "the device does not come to rest");
	} else if (replay->step == REPLAY_TRIES) {
		replay->begin_ns = clock_now_ns();
		why_not = program_save(replay);
		if (why_not)
			refuse(replay, why_not);
	}
	replay->passed_ns = clock_now_ns();
	replay->until_ns = replay->passed_ns + length_ns;
	errno = replay->errno_before;
}

static void take_usual(struct replay *replay, bool ok)
{
	uint64_t usual_ns;

	if (!ok || !replay->api->wait(replay->place))
		return;
	usual_ns = clock_now_ns() - replay->passed_ns;
	if (usual_ns > LONGEST_NS)
		refuse(replay, "it takes more than a second");
	else
		set_usual(replay, usual_ns);
}

/* The first passes, one at a time. */
static void try_it(struct replay *replay)
{
	uint64_t now_ns, took_ns;

	if (!replay->api->wait(replay->place)) {
		finish(replay, "the device does not come to rest");
		return;
	}
	now_ns = clock_now_ns();
	took_ns = now_ns - replay->passed_ns;
	replay->passed_ns = now_ns;
	if (took_ns <= SLOWER * replay->usual_ns + UNCERTAIN_NS) {
		replay->step = REPLAY_REPEATS;
		replay->batch = BATCH_NS / (took_ns + 1) + 1;
		if (replay->batch > BATCH_MAX)
			replay->batch = BATCH_MAX;
	} else if (++replay->tries == TRIES || took_ns > LONGEST_NS) {
		finish(replay, "its second run takes much longer than its first");
	}
}

static void repeat_it(struct replay *replay)
{
	if (replay->count % replay->batch)
		return;
	if (!replay->api->wait(replay->place))
		finish(replay, "the device does not come to rest");
	else if (clock_now_ns() >= replay->until_ns)
		finish(replay, "");
}

/* Returns whether the call is to be made once more. */
static bool go_on(struct replay *replay, bool ok)
{
	switch (replay->step) {
	case REPLAY_NOTHING:
		replay_release();
		return false;
	case REPLAY_TIMES:
		take_usual(replay, ok);
		program_resume();
		return false;
	case REPLAY_IS_DONE:
		program_resume();
		return false;
	case REPLAY_TRIES:
	case REPLAY_REPEATS:
		break;
	}
	replay->count += ok;
	if (!ok)
		finish(replay, "it cannot be launched again");
	else if (replay->step == REPLAY_TRIES)
		try_it(replay);
	else
		repeat_it(replay);
	if (replay->step != REPLAY_IS_DONE && !program_fills())
		finish(replay, "the device does not come to rest");
	return true;
}

bool replay_again(struct replay *replay, bool ok)
{
	int errno_of_call = errno;
	bool again = go_on(replay, ok);

	/* What the program sees is what its own call leaves. */
	errno = again ? replay->errno_before : errno_of_call;
	return again;
}
