/* SPDX-License-Identifier: MIT */
/*
 * HIP's streams, and its events for event pairs.  (The events that hipExtLaunchKernel takes would
 * be exact, but can be compared only with each other, not with a clock: see hipEventElapsedTime in
 * hip_runtime_api.h.)
 */
#include "preload/engine/gpu/hip/hip.h"

static unsigned long long resets;

void hip_events_gone(void)
{
	__atomic_add_fetch(&resets, 1, __ATOMIC_RELAXED);
}

static struct event_home home_of(void *stream)
{
	if (!HIP(hipEventCreateWithFlags) || !HIP(hipEventDestroy) || !HIP(hipEventRecord) ||
		!HIP(hipEventQuery) || !HIP(hipEventElapsedTime) || !HIP(hipSetDevice))
		return (struct event_home){NULL, 0};
	return (struct event_home){(void *)(intptr_t)(hip_ordinal(stream) + 1),
		__atomic_load_n(&resets, __ATOMIC_RELAXED)};
}

static int ordinal_of(struct event_home home)
{
	return (int)(intptr_t)home.handle - 1;
}

_Static_assert(hipStreamCaptureModeRelaxed == CAPTURE_MODE_RELAXED, "as event_pairs.h says");

static int exchange_capture_mode(int mode)
{
	if (HIP(hipThreadExchangeStreamCaptureMode))
		HIP(hipThreadExchangeStreamCaptureMode)(&mode);
	return mode;
}

/* An event belongs to the device that is current when it is created. */
static void *create(struct event_home home)
{
	int before = -1;
	hipEvent_t event = NULL;

	HIP(hipGetDevice)(&before);
	if (before != ordinal_of(home))
		HIP(hipSetDevice)(ordinal_of(home));
	if (HIP(hipEventCreateWithFlags)(&event, hipEventDefault) != hipSuccess)
		event = NULL;
	if (before != ordinal_of(home))
		HIP(hipSetDevice)(before);
	return event;
}

static void destroy(void *event)
{
	HIP(hipEventDestroy)(event);
}

static bool record(void *event, void *stream)
{
	return HIP(hipEventRecord)(event, stream) == hipSuccess;
}

static enum gpu_progress query(void *event)
{
	hipError_t state = HIP(hipEventQuery)(event);

	return state == hipSuccess                   ? GPU_FINISHED
	       : state == hipErrorNotReady           ? GPU_RUNNING
	       : state == hipErrorContextIsDestroyed ? GPU_GONE
						     : GPU_FAILED;
}

static int elapsed_ms(float *ms, void *begin, void *end)
{
	return HIP(hipEventElapsedTime)(ms, begin, end);
}

static bool enter(struct event_home home)
{
	return HIP(hipSetDevice)(ordinal_of(home)) == hipSuccess;
}

/* Nothing to restore: the collector's thread has no device of its own. */
static void leave(void)
{
}

static void *new_stream(void)
{
	hipStream_t stream;

	return HIP(hipStreamCreateWithFlags) && HIP(hipStreamCreateWithFlags)(
							&stream, hipStreamNonBlocking) == hipSuccess
		       ? stream
		       : NULL;
}

static const struct event_api events = {
	.name = "HIP",
	.home = home_of,
	.create = create,
	.destroy = destroy,
	.record = record,
	.query = query,
	.elapsed_ms = elapsed_ms,
	.enter = enter,
	.leave = leave,
	.new_stream = new_stream,
	.exchange_capture_mode = exchange_capture_mode,
};

/* ---- streams ---- */

static bool place(void *stream, uint32_t *device, void **default_of)
{
	int ordinal = hip_ordinal(stream);

	if (ordinal < 0)
		return false;
	*device = hip_device(ordinal);
	*default_of = hip_place(ordinal);
	return true;
}

static bool is_capturing(void *stream)
{
	hipStreamCaptureStatus status = hipStreamCaptureStatusNone;

	return HIP(hipStreamIsCapturing) &&
	       (!hip_succeeded(HIP(hipStreamIsCapturing)(stream, &status)) ||
		       status != hipStreamCaptureStatusNone);
}

/* The node is the one on which the next work in the stream will depend, if it is only one. */
static void *captured_node(void *stream)
{
	hipStreamCaptureStatus status;
	const hipGraphNode_t *after = NULL;
	unsigned long long id;
	size_t count = 0;
	hipGraph_t graph;

	return HIP(hipStreamGetCaptureInfo_v2) &&
			       HIP(hipStreamGetCaptureInfo_v2)(stream, &status, &id, &graph, &after,
				       &count) == hipSuccess &&
			       count == 1
		       ? after[0]
		       : NULL;
}

static struct handles streams;

const struct stream_api hip_streams = {
	.events = &events,
	.place = place,
	.is_capturing = is_capturing,
	.recorded_as = roctracer_call_id,
	.captured_node = captured_node,
	.streams = &streams,
};
