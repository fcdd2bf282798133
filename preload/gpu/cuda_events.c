/* SPDX-License-Identifier: MIT */
#include "preload/gpu/cuda_events.h"

#include <stdlib.h>

#include "preload/clock.h"
#include "preload/device_clock.h"
#include "preload/gpu/gpu_write.h"
#include "preload/handles.h"
#include "preload/log.h"

/* The driver crashes on events of a context that is no more, and the next context may have its
 * address: the id tells them apart (CUDA 12; 0 before). */
struct life {
	CUcontext context;
	unsigned long long id;
};

static bool same_life(struct life a, struct life b)
{
	return a.context == b.context && a.id == b.id;
}

static struct life current_life(void)
{
	struct life now = {NULL, 0};

	if (CUDA(cuCtxGetCurrent)(&now.context) != CUDA_SUCCESS)
		return (struct life){NULL, 0};
	if (CUDA(cuCtxGetId))
		CUDA(cuCtxGetId)(now.context, &now.id);
	return now;
}

/* Pairs go back to the thread that made them, each context's apart: it takes them from its own
 * chain, and all that the collector gave back at once, so that neither side needs a lock. */
struct owner {
	struct owner *next;
	struct life life;
	struct cuda_pair *spare;
	struct cuda_pair *returned;
};

struct cuda_pair {
	struct cuda_pair *next;
	struct owner *owner;
	CUevent begin, end;
	uint32_t device;
	uint64_t enqueue_ns;
};

static __thread struct owner *owners;

/* While one of its threads captures a stream, calls like ours would spoil the program's graph, from
 * any thread that has not said that it is not a part of it.  Returns the mode to go back to. */
static int exchange_capture_mode(int mode)
{
	if (CUDA(cuThreadExchangeStreamCaptureMode))
		CUDA(cuThreadExchangeStreamCaptureMode)(&mode);
	return mode;
}

/* ---- the launching threads' side ---- */

static CUevent new_event(void)
{
	int mode = exchange_capture_mode(CU_STREAM_CAPTURE_MODE_RELAXED);
	CUevent event = NULL;

	if (CUDA(cuEventCreate)(&event, CU_EVENT_DEFAULT) != CUDA_SUCCESS)
		event = NULL;
	exchange_capture_mode(mode);
	return event;
}

static void free_pair(struct cuda_pair *pair)
{
	if (pair->begin)
		CUDA(cuEventDestroy_v2)(pair->begin);
	if (pair->end)
		CUDA(cuEventDestroy_v2)(pair->end);
	free(pair);
}

static struct cuda_pair *new_pair(struct owner *owner)
{
	struct cuda_pair *pair = calloc(1, sizeof(*pair));

	if (!pair)
		return NULL;
	pair->owner = owner;
	pair->begin = new_event();
	pair->end = new_event();
	if (pair->begin && pair->end)
		return pair;
	free_pair(pair);
	return NULL;
}

static struct owner *current_owner(void)
{
	struct life now = current_life();
	struct owner *owner = owners;

	if (!now.context)
		return NULL;
	while (owner && !same_life(owner->life, now))
		owner = owner->next;
	if (!owner && (owner = calloc(1, sizeof(*owner)))) {
		owner->life = now;
		owner->next = owners;
		owners = owner;
	}
	return owner;
}

static struct cuda_pair *take_pair(void)
{
	struct owner *owner = current_owner();
	struct cuda_pair *pair;

	if (!owner)
		return NULL;
	if (!owner->spare)
		owner->spare = __atomic_exchange_n(&owner->returned, NULL, __ATOMIC_ACQUIRE);
	pair = owner->spare;
	if (!pair)
		return new_pair(owner);
	owner->spare = pair->next;
	if (!pair->begin && !(pair->begin = new_event())) {
		free_pair(pair);
		return NULL;
	}
	return pair;
}

static void put_back(struct cuda_pair *pair)
{
	pair->next = pair->owner->spare;
	pair->owner->spare = pair;
}

struct cuda_pair *cuda_pair_begin(CUstream stream, uint32_t device, uint64_t enqueue_ns)
{
	struct cuda_pair *pair = take_pair();

	if (!pair) {
		log_debug("no event pair can be had");
		return NULL;
	}
	pair->device = device;
	pair->enqueue_ns = enqueue_ns;
	if (CUDA(cuEventRecord)(pair->begin, stream) == CUDA_SUCCESS)
		return pair;
	put_back(pair);
	return NULL;
}

bool cuda_pair_end(struct cuda_pair *pair, CUstream stream, bool ok)
{
	if (ok && CUDA(cuEventRecord)(pair->end, stream) == CUDA_SUCCESS)
		return true;
	put_back(pair);
	return false;
}

/* ---- the collector's side ---- */

/* Events only tell the time since another one: each context has one that all are counted from,
 * anew each second because that time is a float of milliseconds. */
#define BASES_MAX 64
#define REBASE_MS 1000
#define BRACKET_NS_MAX (2 * PWRTRACE_NS_PER_MS)

static struct base {
	struct life life;
	CUevent event;
	uint64_t raw_ns; /* of the event, counted from the first launch */
	CUstream stream; /* of our own: what brackets the device's clock waits for nothing */
	CUevent mark;
	uint64_t marked_ns;
} bases[BASES_MAX];

/* A pair gives its first event away for the base of its context. */
static struct base *make_base(struct base *base, struct cuda_pair *pair)
{
	*base = (struct base){
		.life = pair->owner->life, .event = pair->begin, .raw_ns = pair->enqueue_ns};
	pair->begin = NULL;
	return base;
}

static struct base *base_of(struct cuda_pair *pair)
{
	const struct life *life = &pair->owner->life;

	for (int i = 0; i < BASES_MAX; i++) {
		if (same_life(bases[i].life, *life))
			return &bases[i];
		if (!bases[i].life.context || bases[i].life.context == life->context)
			return make_base(&bases[i], pair);
	}
	return NULL;
}

/* Less than 0 for what happened before, on another stream. */
static uint64_t elapsed_ns(float ms)
{
	return (uint64_t)(int64_t)((double)ms * 1e6);
}

static CUresult since(const struct base *base, CUevent event, float *ms)
{
	CUresult result = CUDA(cuEventElapsedTime)(ms, base->event, event);

	if (result != CUDA_SUCCESS)
		log_debug("an event tells no time: CUDA error %d", result);
	return result;
}

/* An event of our own happened on the device between c0 and c1: both clocks are known there. */
static void bracket(struct base *base, uint32_t device)
{
	CUresult state = CUDA_ERROR_NOT_READY;
	uint64_t c0_ns, c1_ns;
	float ms;

	c0_ns = c1_ns = clock_now_ns();
	if (CUDA(cuEventRecord)(base->mark, base->stream) != CUDA_SUCCESS)
		return;
	while (state == CUDA_ERROR_NOT_READY && c1_ns - c0_ns < BRACKET_NS_MAX) {
		state = CUDA(cuEventQuery)(base->mark);
		c1_ns = clock_now_ns();
	}
	if (state == CUDA_SUCCESS && since(base, base->mark, &ms) == CUDA_SUCCESS)
		device_clock_note(gpu_pid, device, c0_ns, c1_ns, base->raw_ns + elapsed_ns(ms));
}

static void look_at_clock(struct base *base, uint32_t device)
{
	enum { TRIES = 8 };
	uint64_t now_ns = clock_now_ns();

	if ((base->marked_ns && now_ns - base->marked_ns < PWRTRACE_NS_PER_S) ||
		CUDA(cuCtxPushCurrent_v2)(base->life.context) != CUDA_SUCCESS)
		return;
	base->marked_ns = now_ns;
	if (!base->stream &&
		CUDA(cuStreamCreate)(&base->stream, CU_STREAM_NON_BLOCKING) != CUDA_SUCCESS)
		base->stream = NULL;
	if (!base->mark)
		base->mark = new_event();
	for (int i = 0; i < TRIES && base->stream && base->mark; i++)
		bracket(base, device);
	CUDA(cuCtxPopCurrent_v2)(&(CUcontext){NULL});
}

/* Returns whether the times could be told. */
static bool read_pair(struct cuda_pair *pair, uint64_t seen_ns, struct gpu_times *times)
{
	struct base *base = base_of(pair);
	float begin_ms = 0, end_ms;

	if (!base)
		return false;
	if ((pair->begin && since(base, pair->begin, &begin_ms) != CUDA_SUCCESS) ||
		since(base, pair->end, &end_ms) != CUDA_SUCCESS)
		return false;
	if (end_ms < begin_ms) {
		log_debug("an event pair ends %g ms before it begins", begin_ms - end_ms);
		return false;
	}
	*times = (struct gpu_times){PWRTRACE_UNKNOWN_U64, PWRTRACE_UNKNOWN_U64,
		base->raw_ns + elapsed_ns(begin_ms), base->raw_ns + elapsed_ns(end_ms)};
	look_at_clock(base, pair->device);
	/* The device began between the launch and so long before the end was seen. */
	device_clock_note(gpu_pid, pair->device, pair->enqueue_ns,
		seen_ns - (times->end_ns - times->begin_ns), times->begin_ns);
	if (begin_ms > REBASE_MS) {
		CUevent old = base->event;

		base->event = pair->begin;
		base->raw_ns = times->begin_ns;
		pair->begin = old;
	}
	return true;
}

enum gpu_progress cuda_pair_poll(void *token, struct gpu_times *times)
{
	static __thread bool relaxed;
	struct cuda_pair *pair = token;
	CUresult state;

	if (!pair)
		return GPU_UNTIMED;
	if (!relaxed) {
		exchange_capture_mode(CU_STREAM_CAPTURE_MODE_RELAXED);
		relaxed = true;
	}
	state = CUDA(cuEventQuery)(pair->end);
	if (state == CUDA_ERROR_NOT_READY)
		return GPU_RUNNING;
	if (state == CUDA_ERROR_CONTEXT_IS_DESTROYED)
		return GPU_GONE;
	if (state != CUDA_SUCCESS)
		return GPU_FAILED;
	return read_pair(pair, clock_now_ns(), times) ? GPU_FINISHED : GPU_UNTIMED;
}

void cuda_pair_release(void *token)
{
	struct cuda_pair *pair = token;

	if (!pair)
		return;
	pair->next = __atomic_load_n(&pair->owner->returned, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&pair->owner->returned, &pair->next, pair, true,
		__ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}
