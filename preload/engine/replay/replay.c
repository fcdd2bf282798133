/* SPDX-License-Identifier: MIT */
#include "preload/engine/replay/replay.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "preload/common/clock.h"
#include "preload/common/conf.h"
#include "preload/common/log.h"
#include "preload/engine/core/guard.h"
#include "preload/engine/core/tp_emit.h"
#include "preload/engine/gpu/gpu_write.h"
#include "preload/engine/gpu/rounds.h"
#include "preload/engine/replay/budget.h"
#include "preload/engine/replay/bursts.h"
#include "preload/engine/replay/cache.h"
#include "preload/engine/replay/class.h"
#include "preload/engine/replay/classes.h"
#include "preload/engine/replay/counters.h"
#include "preload/engine/replay/known.h"
#include "preload/engine/replay/names.h"
#include "preload/engine/replay/outcomes.h"
#include "preload/engine/replay/pace.h"
#include "preload/engine/replay/program_state.h"
#include "preload/engine/replay/reach.h"
#include "preload/engine/replay/sizes.h"
#include "preload/engine/replay/snapshot.h"

#define LONGEST_NS PWRTRACE_NS_PER_S
#define BATCH_MAX 512
/* A repetition that takes so many times as long as usual does other work than the first one: it
 * depends on the state that the first one has left. */
#define SLOWER 10
#define TRIES 3                         /* the host may have been busy */
#define UNCERTAIN_NS PWRTRACE_NS_PER_MS /* of a time that the host measures */

static uint64_t length_ns;

/* ---- settings ---- */

static void note_time(const struct gpu_work *work, uint64_t time_ns)
{
	if (work->kernel.id && work->stream && work->enqueue_ns != PWRTRACE_UNKNOWN_U64)
		classes_ran(work->kernel.id, gpu_stream(work->stream)->device, work->enqueue_ns,
			time_ns);
}

/* A forked child cannot use the device any more. */
static void after_fork_in_child(void)
{
	length_ns = 0;
	gpu_observe_kernels(NULL);
	replay_forget_program();
}

bool replay_start(void)
{
	bursts_start();
	length_ns = bursts_launches() ? bursts_idle_ns()
				      : (uint64_t)(conf_number(conf.replay) * PWRTRACE_NS_PER_S);
	if (length_ns)
		known_start();
	class_set_length(length_ns);
	budget_start(*conf.replay_budget
			     ? (uint64_t)(conf_number(conf.replay_budget) * PWRTRACE_NS_PER_S)
			     : BUDGET_GROWS);
	if (length_ns) {
		pthread_atfork(NULL, NULL, after_fork_in_child);
		gpu_observe_kernels(note_time);
	}
	return length_ns != 0;
}

/* ---- outcomes ---- */

static const char at_work[] = "the device does not come to rest";

/* Ends a replay before anything was launched or copied for it. */
static void refuse(struct replay *replay, const char *reason)
{
	replay->begin_ns = clock_now_ns();
	if (classes_refuse(replay))
		outcomes_write(replay, replay->begin_ns, reason);
	replay->step = REPLAY_DONE;
}

/* Ends a replay whose memory is as it was before. */
static void end_replay(struct replay *replay, const char *reason)
{
	uint64_t now_ns = clock_now_ns();

	budget_spend(now_ns - replay->begin_ns);
	if (*reason)
		classes_refuse(replay);
	classes_choose_again();
	outcomes_write(replay, now_ns, reason);
	log_progress_end();
	replay->step = REPLAY_DONE;
}

/* Restores memory, then ends the replay.  Returns whether all went well. */
static bool finish(struct replay *replay, const char *reason)
{
	if (!replay->api->wait(replay->place) && !*reason)
		reason = at_work;
	cache_release(replay);
	if (!snapshot_restore(replay)) {
		log_error("device memory cannot be restored after a replay: what the program "
			  "computes from now on may be wrong");
		reason = "device memory could not be restored";
	}
	end_replay(replay, reason);
	return !*reason;
}

/* ---- one launch ---- */

static bool may_replay(struct replay *replay)
{
	return length_ns && !guard_depth && tp_enabled() && gpu_launches_wanted() &&
	       !replay_is_capture_running() &&
	       replay->api->place(replay->stream, &replay->device, &replay->place) &&
	       !replay->api->is_capturing(replay->stream);
}

/* Suspends the rest of the program for this launch.  Returns false if it cannot; if it never will,
 * the class is refused. */
static bool take_device(struct replay *replay)
{
	const char *why_not = replay_obstacle();
	uint64_t now_ns = clock_now_ns();
	bool suspended = !why_not && replay_suspend_program(replay->step == REPLAY_TRY);

	budget_spend(clock_now_ns() - now_ns);
	if (suspended) {
		if (classes_still_due(replay))
			return true;
		replay_resume_program();
		return false;
	}
	if (!why_not && classes_tried_in_vain(replay))
		why_not = "another thread stays in a call, or captures";
	if (why_not)
		refuse(replay, why_not);
	return false;
}

static bool begin(struct replay *replay)
{
	uint32_t kernel = replay->kernel;
	const char *name = kernel ? gpu_name(gpu_kernel(kernel)->name) : "";

	if (name_is_collective(name))
		replay_forbid("kernels work together with those of other devices");
	if (kernel && name_is_chosen(name) && may_replay(replay))
		replay->step = classes_step(replay);
	if (replay->step != REPLAY_NOTHING && take_device(replay)) {
		reach_begin();
		counters_forget();
		return true;
	}
	replay->step = REPLAY_NOTHING;
	replay_call_begin();
	return false;
}

bool replay_begin(
	struct replay *replay, const struct replay_api *api, void *stream, uint32_t kernel)
{
	*replay = (struct replay){
		.api = api, .kernel = kernel, .stream = stream, .errno_before = errno};
	return begin(replay);
}

bool replay_begin_node(
	struct replay *replay, const struct replay_api *api, void *stream, uint32_t kernel)
{
	*replay = (struct replay){.api = api,
		.kernel = kernel,
		.of_graph = true,
		.stream = stream,
		.errno_before = errno};
	return begin(replay);
}

/* Saves memory, so that the launch can be repeated; if it cannot, the step is REPLAY_DONE
 * afterwards. */
static void begin_replay(struct replay *replay)
{
	uint64_t left_ns = budget_left_ns(), alone_ns, copies_ns;
	enum copy_target target;
	const char *why_not;

	replay->begin_ns = clock_now_ns();
	why_not = reach_follow(replay) ?: snapshot_reserve(replay);
	if (why_not) {
		refuse(replay, why_not);
		return;
	}
	target = snapshot_target(replay);
	alone_ns = class_without_copies_ns(replay->usual_ns);
	copies_ns = 2 * budget_copy_ns(target, replay->snapshot.bytes);
	/* When it was chosen, the memory was expected to be saved elsewhere. */
	if (alone_ns > left_ns || (budget_is_measured(target) && copies_ns > left_ns - alone_ns)) {
		snapshot_drop(replay);
		classes_choose_again();
		replay->step = REPLAY_DONE;
		return;
	}
	outcomes_announce(replay, length_ns, alone_ns + copies_ns);
	outcomes_show(replay);
	classes_set_done(replay);
	outcomes_write_begin(replay->begin_ns);
	why_not = snapshot_save(replay, left_ns - alone_ns);
	if (why_not) {
		replay->api->wait(replay->place);
		if (why_not == snapshot_too_slow)
			replay->needed_ns =
				alone_ns + 2 * budget_copy_ns(target, replay->snapshot.bytes);
		snapshot_drop(replay);
		end_replay(replay, why_not);
	}
}

void replay_prepare(struct replay *replay, const char *why_not)
{
	if (why_not)
		refuse(replay, why_not);
	else if (!replay->api->wait(replay->place))
		refuse(replay, at_work);
	else if (replay->step == REPLAY_TRY)
		begin_replay(replay);
	replay->passed_ns = clock_now_ns();
	replay->until_ns = replay->passed_ns + (bursts_launches() ? budget_left_ns() : length_ns);
	errno = replay->errno_before;
}

/* Puts the device into the state that the next repetition is to find, or ends the replay. */
static void make_ready(struct replay *replay)
{
	if (!cache_displace(replay))
		finish(replay, "the device's cache could not be filled with other data");
	else if (!replay_repeat_fills())
		finish(replay, "what the program fills right before it could not be filled again");
	else if (!counters_put_back(replay))
		finish(replay, "its counters in memory could not be put back");
}

void replay_first_fills(struct replay *replay)
{
	if (!replay_is_own(replay))
		make_ready(replay);
}

static const char too_long[] = "it takes more than a second";

static void take_usual(struct replay *replay, bool ok)
{
	uint64_t usual_ns;

	if (!ok || !replay->api->wait(replay->place))
		return;
	usual_ns = clock_now_ns() - replay->passed_ns;
	if (usual_ns > LONGEST_NS)
		refuse(replay, too_long);
	else
		classes_set_usual(replay, usual_ns);
}

/* After one of the first repetitions, which are made one at a time. */
static void try_it(struct replay *replay)
{
	uint64_t took_ns;

	if (!replay->api->wait(replay->place)) {
		finish(replay, at_work);
		return;
	}
	took_ns = clock_now_ns() - replay->passed_ns;
	if (replay->count == 1 && !counters_find(replay)) {
		finish(replay, "device memory cannot be read after its first run");
		return;
	}
	replay->passed_ns = clock_now_ns();
	if (replay->usual_ns == CLASSES_ASSUMED_NS && took_ns > LONGEST_NS) {
		finish(replay, too_long);
	} else if (replay->usual_ns == CLASSES_ASSUMED_NS) {
		replay->usual_ns = took_ns;
	} else if (took_ns <= SLOWER * replay->usual_ns + UNCERTAIN_NS) {
		replay->step = REPLAY_REPEAT;
		replay->tried = replay->count;
		replay->batch = REPLAY_BATCH_NS / (took_ns + 1) + 1;
		if (replay->batch > BATCH_MAX)
			replay->batch = BATCH_MAX;
		if (bursts_launches()) {
			replay->batch = bursts_launches();
			bursts_idle(0);
		}
	} else if (++replay->tries == TRIES || took_ns > LONGEST_NS) {
		finish(replay, "its second run takes much longer than its first");
	}
}

/* After a batch of a class that was replayed before.  Returns whether the replay goes on. */
static bool is_wanted(struct replay *replay)
{
	enum size_met met = classes_meet(replay);

	replay->awaits_size = met == SIZE_UNKNOWN;
	if (met == SIZE_WANTED_COLD)
		replay->until_ns = replay->passed_ns;
	if (met != SIZE_UNWANTED)
		return true;
	if (finish(replay, ""))
		classes_missed(replay);
	return false;
}

/* After a batch.  Returns whether another one follows. */
static bool goes_on(struct replay *replay, uint64_t batch_ns)
{
	uint64_t batches = (replay->count - replay->tried) / replay->batch;

	return cache_go_on(replay, batch_ns) && (!bursts_launches() || bursts_idle(batches));
}

static void repeat_it(struct replay *replay)
{
	uint64_t batch_ns;

	if ((replay->count - replay->tried) % replay->batch)
		return;
	if (!replay->api->wait(replay->place)) {
		finish(replay, at_work);
		return;
	}
	batch_ns = clock_now_ns() - replay->passed_ns;
	if (!replay->each_ns) {
		replay->each_ns = batch_ns / replay->batch;
		replay->awaits_size = replay->of_size;
		classes_begin(replay);
	}
	if (replay->awaits_size && !is_wanted(replay))
		return;
	if (replay->awaits_size || goes_on(replay, batch_ns)) {
		if (classes_await_times(replay))
			gpu_want_times();
		outcomes_show(replay);
		pace_keep(replay, batch_ns);
	} else if (finish(replay, "")) {
		classes_replayed(replay);
	}
	replay->passed_ns = clock_now_ns();
}

/* Does what follows a call.  Returns whether to make it once more. */
static bool go_on(struct replay *replay, bool ok)
{
	switch (replay->step) {
	case REPLAY_NOTHING:
		replay_call_end();
		return false;
	case REPLAY_TIME:
		take_usual(replay, ok);
		replay_resume_program();
		return false;
	case REPLAY_DONE:
		replay_resume_program();
		return false;
	case REPLAY_TRY:
	case REPLAY_REPEAT:
		break;
	}
	replay->count += ok;
	if (!ok)
		finish(replay, "it cannot be launched again");
	else if (replay->step == REPLAY_TRY)
		try_it(replay);
	else
		repeat_it(replay);
	if (replay->step != REPLAY_DONE)
		make_ready(replay);
	return true;
}

bool replay_again(struct replay *replay, bool ok)
{
	int errno_of_call = errno;
	bool again = go_on(replay, ok);

	/* The program sees the errno of its own call. */
	errno = again ? replay->errno_before : errno_of_call;
	return again;
}

void replay_end(void)
{
	static bool ended;

	if (!length_ns || !tp_enabled() || __atomic_exchange_n(&ended, true, __ATOMIC_RELAXED))
		return;
	classes_left(outcomes_write_left);
	known_end();
	outcomes_log();
}
