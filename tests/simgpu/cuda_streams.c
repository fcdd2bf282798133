/* SPDX-License-Identifier: MIT */
/* Streams and events: they determine when work runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/simgpu/cuda_parts.h"

#define FIRST_STREAM_ID 7
#define MODE_GLOBAL 0
#define CAPTURE_ACTIVE 1
#define CAPTURE_BROKEN 2

static __thread int capture_mode = MODE_GLOBAL;
static struct stream *capturing; /* at most one at a time */

static struct stream *new_stream(bool is_default)
{
	static uint32_t last = FIRST_STREAM_ID - 1;
	struct stream *stream = sim_new_object(OBJECT_STREAM, sizeof(*stream), ++last);

	stream->is_default = is_default;
	return stream;
}

/* A context has a default stream, and one for each thread that wants its own. */
static struct stream *default_stream(struct context *context, bool per_thread)
{
	static __thread struct stream *own;
	struct stream **place = per_thread ? &own : &context->default_stream;

	if (!*place || sim_check(*place, OBJECT_STREAM) || (*place)->object.context != context)
		*place = new_stream(true);
	return *place;
}

struct stream *sim_stream(CUstream handle)
{
	if (!sim_context())
		return NULL;
	if (handle == CU_STREAM_PER_THREAD || (!handle && sim_is_per_thread()))
		return default_stream(sim_context(), true);
	if ((uintptr_t)handle <= 1)
		return default_stream(sim_context(), false);
	if (sim_check(handle, OBJECT_STREAM) != CUDA_SUCCESS) {
		fputs("simgpu: a stream that is gone was used\n", stderr);
		abort();
	}
	return handle;
}

/* ---- work ---- */

static uint64_t copy_ns(uint64_t bytes)
{
	const char *gb_s = getenv("SIMGPU_COPY_GB_S");

	return (uint64_t)((double)bytes / (gb_s ? strtod(gb_s, NULL) : COPY_GB_S));
}

uint64_t sim_duration_ns(const struct sim_record *work)
{
	const char *number;

	if (work->asked_ns)
		return work->asked_ns;
	if (work->kind == SIM_MEMORY)
		return NS_PER_US + copy_ns(work->bytes);
	number = strstr(work->name, "ILm");
	return number ? strtoull(number + strlen("ILm"), NULL, 10) : DEFAULT_KERNEL_NS;
}

static __thread struct {
	uint64_t begin_ns, duration_ns;
} asked;

void simgpu_ask(uint64_t begin_ns, uint64_t duration_ns)
{
	asked.begin_ns = begin_ns;
	asked.duration_ns = duration_ns;
}

/* What simgpu_ask asks for holds for one piece of work. */
static uint64_t take_asked(struct sim_record *work)
{
	uint64_t begin_ns = asked.begin_ns;

	if (asked.duration_ns)
		work->asked_ns = asked.duration_ns;
	simgpu_ask(0, 0);
	return begin_ns;
}

/* Changes memory as the work does. */
static void do_work(struct sim_record *work)
{
	uint64_t asked_ns = work->kind == SIM_KERNEL ? sim_compute(work->name, work->values) : 0;

	if (asked_ns)
		work->asked_ns = asked_ns;
	work->asked_ns = sim_with_cache_ns(work, sim_duration_ns(work));
	if (work->kind == SIM_MEMORY && work->params)
		sim_copy(work->call, work->params);
}

void sim_place(struct stream *stream, struct sim_record *work, uint64_t earliest_ns)
{
	do_work(work);
	work->device = (uint32_t)stream->object.context->ordinal;
	work->context = stream->object.context_id;
	work->stream = stream->object.id;
	work->correlation = sim_correlation();
	work->begin_ns = stream->end_ns > earliest_ns ? stream->end_ns : earliest_ns;
	work->end_ns = work->begin_ns + sim_duration_ns(work);
	stream->end_ns = work->end_ns;
	sim_record(work);
}

CUresult sim_run(CUstream handle, struct sim_record *work, bool wait)
{
	struct stream *stream = sim_stream(handle);
	uint64_t earliest_ns = sim_now_ns() + LAUNCH_NS, asked_ns = take_asked(work);

	if (!stream)
		return CUDA_ERROR_INVALID_CONTEXT;
	if (stream->capture)
		return wait ? sim_unsafe(true) : sim_capture(stream, work);
	if (wait && sim_unsafe(false) != CUDA_SUCCESS)
		return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
	stream->last = (stream->last + 1) % QUEUE_DEPTH;
	sim_wait(stream->ends_ns[stream->last]);
	sim_place(stream, work, asked_ns > earliest_ns ? asked_ns : earliest_ns);
	stream->ends_ns[stream->last] = stream->end_ns;
	if (wait)
		sim_wait(work->end_ns);
	return CUDA_SUCCESS;
}

uint64_t sim_context_end_ns(const struct context *context)
{
	uint64_t end_ns = 0;

	for (struct object *object = context->objects; object; object = object->next)
		if (object->kind == OBJECT_STREAM && ((struct stream *)object)->end_ns > end_ns)
			end_ns = ((struct stream *)object)->end_ns;
	return end_ns;
}

/* ---- entry points ---- */

CUresult cuStreamCreate(CUstream *stream, unsigned flags)
{
	ENTER;
	(void)flags;
	if (!sim_context())
		return CUDA_ERROR_INVALID_CONTEXT;
	*stream = new_stream(false);
	return CUDA_SUCCESS;
}

CUresult cuStreamDestroy_v2(CUstream stream)
{
	ENTER;
	sim_stream(stream)->object.destroyed = true;
	return CUDA_SUCCESS;
}

CUresult cuStreamQuery(CUstream stream)
{
	ENTER;
	if (sim_unsafe(false) != CUDA_SUCCESS)
		return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
	return sim_stream(stream)->end_ns > sim_now_ns() ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS;
}

static uint64_t events;

uint64_t simgpu_events(void)
{
	return __atomic_load_n(&events, __ATOMIC_RELAXED);
}

CUresult cuEventCreate(CUevent *event, unsigned flags)
{
	ENTER;
	(void)flags;
	if (!sim_context())
		return CUDA_ERROR_INVALID_CONTEXT;
	__atomic_add_fetch(&events, 1, __ATOMIC_RELAXED);
	*event = sim_new_object(OBJECT_EVENT, sizeof(struct event), ++sim_context()->last_event);
	return CUDA_SUCCESS;
}

CUresult cuEventDestroy_v2(CUevent event)
{
	CUresult result;

	ENTER;
	result = sim_check(event, OBJECT_EVENT);
	if (result == CUDA_SUCCESS)
		((struct event *)event)->object.destroyed = true;
	return result;
}

CUresult cuEventQuery(CUevent handle)
{
	struct event *event = handle;
	CUresult result;

	ENTER;
	result = sim_check(handle, OBJECT_EVENT);
	if (result == CUDA_SUCCESS)
		result = sim_unsafe(false);
	if (result != CUDA_SUCCESS)
		return result;
	return event->time_ns > sim_now_ns() ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS;
}

static double drift_ppm(void)
{
	const char *drift = getenv("SIMGPU_CUDA_DRIFT_PPM");

	return drift ? atof(drift) : 0;
}

CUresult cuEventElapsedTime(float *ms, CUevent begin, CUevent end)
{
	struct event *first = begin, *last = end;
	CUresult result;

	ENTER;
	result = sim_check(begin, OBJECT_EVENT);
	if (result == CUDA_SUCCESS)
		result = sim_check(end, OBJECT_EVENT);
	if (result != CUDA_SUCCESS)
		return result;
	if (first->object.context != last->object.context || !first->recorded || !last->recorded)
		return CUDA_ERROR_INVALID_HANDLE;
	if (first->time_ns > sim_now_ns() || last->time_ns > sim_now_ns())
		return CUDA_ERROR_NOT_READY;
	*ms = (float)((double)(int64_t)(last->time_ns - first->time_ns) / 1e6 *
		      (1 + drift_ppm() / 1e6));
	return CUDA_SUCCESS;
}

CUresult sim_record_event(CUevent handle, CUstream stream_handle)
{
	struct stream *stream = sim_stream(stream_handle);
	CUresult result = sim_check(handle, OBJECT_EVENT);
	struct event *event = handle;
	uint64_t now_ns = sim_now_ns();

	if (!stream)
		return CUDA_ERROR_INVALID_CONTEXT;
	if (result != CUDA_SUCCESS)
		return result;
	if (stream->capture)
		return stream->capture_broken ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED
					      : CUDA_SUCCESS;
	if (event->object.context != stream->object.context)
		return CUDA_ERROR_INVALID_HANDLE;
	event->recorded = true;
	event->time_ns = stream->end_ns > now_ns ? stream->end_ns : now_ns;
	return CUDA_SUCCESS;
}

CUresult sim_wait_event(CUstream stream_handle, CUevent handle)
{
	struct stream *stream = sim_stream(stream_handle);
	CUresult result = sim_check(handle, OBJECT_EVENT);
	struct event *event = handle;

	if (!stream)
		return CUDA_ERROR_INVALID_CONTEXT;
	if (result != CUDA_SUCCESS)
		return result;
	if (event->time_ns > stream->end_ns)
		stream->end_ns = event->time_ns;
	return CUDA_SUCCESS;
}

CUresult sim_synchronize_stream(CUstream handle)
{
	struct stream *stream = sim_stream(handle);

	if (!stream)
		return CUDA_ERROR_INVALID_CONTEXT;
	if (stream->capture || sim_unsafe(false) != CUDA_SUCCESS)
		return sim_unsafe(true);
	sim_wait(stream->end_ns);
	return CUDA_SUCCESS;
}

CUresult sim_synchronize_event(CUevent handle)
{
	CUresult result = sim_check(handle, OBJECT_EVENT);
	struct event *event = handle;

	if (result == CUDA_SUCCESS)
		result = sim_unsafe(false);
	if (result != CUDA_SUCCESS)
		return result;
	sim_wait(event->time_ns);
	return CUDA_SUCCESS;
}

CUresult sim_synchronize_context(struct context *context)
{

	if (!context)
		return CUDA_ERROR_INVALID_CONTEXT;
	if (sim_unsafe(true) != CUDA_SUCCESS)
		return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
	sim_wait(sim_context_end_ns(context));
	return CUDA_SUCCESS;
}

/* ---- what a capture forbids ---- */

CUresult sim_unsafe(bool everywhere)
{
	bool concerned =
		capturing && capture_mode != CU_STREAM_CAPTURE_MODE_RELAXED &&
		capturing->capture_mode != CU_STREAM_CAPTURE_MODE_RELAXED &&
		(capturing->capture_mode == MODE_GLOBAL || capturing->capture_thread == gettid());

	if (!concerned && !(everywhere && capturing))
		return CUDA_SUCCESS;
	capturing->capture_broken = true;
	return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

CUresult cuThreadExchangeStreamCaptureMode(int *mode)
{
	int before = capture_mode;

	ENTER;
	capture_mode = *mode;
	*mode = before;
	return CUDA_SUCCESS;
}

CUresult cuStreamIsCapturing(CUstream handle, int *status)
{
	struct stream *stream;

	ENTER;
	stream = sim_stream(handle);
	if (!stream)
		return CUDA_ERROR_INVALID_CONTEXT;
	*status = !stream->capture         ? CU_STREAM_CAPTURE_STATUS_NONE
		  : stream->capture_broken ? CAPTURE_BROKEN
					   : CAPTURE_ACTIVE;
	return CUDA_SUCCESS;
}

CUresult sim_begin_capture(CUstream handle, int mode, struct graph *graph)
{
	struct stream *stream = sim_stream(handle);

	/* A default stream cannot be captured, and the simulation captures one stream at a time. */
	if (!stream || stream->is_default || capturing)
		return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
	capturing = stream;
	stream->capture = graph;
	stream->capture_mode = mode;
	stream->capture_thread = gettid();
	stream->capture_broken = false;
	return CUDA_SUCCESS;
}

CUresult sim_end_capture(CUstream handle, struct graph **graph)
{
	struct stream *stream = sim_stream(handle);

	if (!stream || !stream->capture)
		return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
	*graph = stream->capture;
	stream->capture = NULL;
	capturing = NULL;
	return stream->capture_broken ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : CUDA_SUCCESS;
}
