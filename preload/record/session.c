/* SPDX-License-Identifier: MIT */
#include "preload/record/session.h"

#include <errno.h>
#include <fcntl.h>
#include <lttng/lttng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preload/common/clock.h"
#include "preload/common/deadline.h"
#include "preload/common/log.h"
#include "preload/record/claim.h"
#include "preload/record/daemon.h"
#include "preload/record/rundir.h"
#include "preload/record/space.h"
#include "preload/record/torn.h"

#define START_NS (5 * PWRTRACE_NS_PER_S)
#define STOP_NS (10 * PWRTRACE_NS_PER_S)
/* Metadata that are new when the session stops cost a fifth of a second: LTTng sleeps until they
 * are on disk.  Written so often, they are old by then, even of a program that lives for 0.1 s. */
#define METADATA_PERIOD_US 50000
/* So old are events at most before they can be seen by who follows the trace (pwrtrace top).  The
 * consumer daemon sees to it, and not the program. */
#define FLUSH_PERIOD_US 1000000

static const struct {
	const char *event;
	const char *channel;
} events[] = {
#define EVENT(name, channel, fields) {"pwrtrace:" #name, #channel},
#include "pwrtrace/events.def"
#undef EVENT
};

static int add_channel(struct lttng_handle *handle, struct lttng_domain *domain, const char *name,
	const struct buffers *buffers, unsigned flush_period_us)
{
	struct lttng_channel *channel = lttng_channel_create(domain);
	int result;

	if (!channel)
		return -LTTNG_ERR_NOMEM;
	snprintf(channel->name, sizeof(channel->name), "%s", name);
	channel->attr.overwrite = 0;
	channel->attr.subbuf_size = buffers->bytes;
	channel->attr.num_subbuf = buffers->count;
	channel->attr.switch_timer_interval = flush_period_us;
	result = lttng_enable_channel(handle, channel);
	lttng_channel_destroy(channel);
	return result;
}

static int add_events(struct lttng_handle *handle)
{
	struct lttng_event *event = lttng_event_create();
	int result = event ? 0 : -LTTNG_ERR_NOMEM;

	for (size_t i = 0; result == 0 && i < sizeof(events) / sizeof(*events); i++) {
		memset(event->name, 0, sizeof(event->name));
		snprintf(event->name, sizeof(event->name), "%s", events[i].event);
		event->type = LTTNG_EVENT_TRACEPOINT;
		event->loglevel_type = LTTNG_EVENT_LOGLEVEL_ALL;
		event->loglevel = -1;
		result = lttng_enable_event(handle, event, events[i].channel);
	}
	if (event)
		lttng_event_destroy(event);
	return result;
}

static struct lttng_process_attr_tracker_handle *tracker_of(const struct session *session)
{
	struct lttng_process_attr_tracker_handle *tracker = NULL;

	lttng_session_get_tracker_handle(
		session->name, LTTNG_DOMAIN_UST, LTTNG_PROCESS_ATTR_VIRTUAL_PROCESS_ID, &tracker);
	return tracker;
}

/* Two recordings on one daemon must not mix: each tracks its own processes, at first none. */
static int track_nobody(const struct session *session)
{
	struct lttng_process_attr_tracker_handle *tracker = tracker_of(session);
	int result = -LTTNG_ERR_UNK;

	if (tracker && lttng_process_attr_tracker_handle_set_tracking_policy(
			       tracker, LTTNG_TRACKING_POLICY_INCLUDE_SET) ==
			       LTTNG_PROCESS_ATTR_TRACKER_HANDLE_STATUS_OK)
		result = 0;
	lttng_process_attr_tracker_handle_destroy(tracker);
	return result;
}

static int place_buffers(struct session *session, struct buffers *flow, struct buffers *state)
{
	unsigned cpus = (unsigned)sysconf(_SC_NPROCESSORS_CONF);
	uint64_t memory = space_free_bytes("/dev/shm"), disk = space_free_bytes(session->dir);
	char buffers[PATH_MAX];

	/* What they hold at the end shall fit on the disk, and something before it.  Programs share
	 * memory by /dev/shm as well, and die where it is full: a container has 64 MiB of it. */
	session->buffer_bytes =
		space_fit_buffers((memory < disk ? memory : disk) / 2, cpus, flow, state);
	if (session->buffer_bytes)
		return 0;
	session->buffer_bytes = space_fit_buffers(disk / 3, cpus, flow, state);
	snprintf(buffers, sizeof(buffers), "%.4000s/" SPACE_BUFFERS, session->dir);
	log_notice("/dev/shm is too small for the buffers of LTTng: they are in %s meanwhile",
		buffers);
	return lttng_set_session_shm_path(session->name, buffers);
}

static int start(void *argument)
{
	struct session *session = argument;
	struct lttng_domain domain = {.type = LTTNG_DOMAIN_UST, .buf_type = LTTNG_BUFFER_PER_UID};
	struct lttng_handle *handle;
	struct buffers flow, state, metadata = {.bytes = 4096, .count = 2};
	int result;

	session->claim = claim_take(rundir_path(), session->name, session->dir);
	result = lttng_create_session(session->name, session->dir);
	/* A session of this name is of an earlier recorder with our id, whose trace is complete. */
	if (result == -LTTNG_ERR_EXIST_SESS && lttng_destroy_session(session->name) >= 0)
		result = lttng_create_session(session->name, session->dir);
	if (result)
		return result;
	handle = lttng_create_handle(session->name, &domain);
	result = handle ? place_buffers(session, &flow, &state) : -LTTNG_ERR_NOMEM;
	/* Some file systems cannot; session_spare_bytes counts what is reserved. */
	fallocate(session->lock_fd, 0, 0,
		(off_t)MIN(session->buffer_bytes, SPACE_RESERVED_MAX_BYTES));
	if (result == 0)
		result = add_channel(handle, &domain, "flow", &flow, FLUSH_PERIOD_US);
	if (result == 0)
		result = add_channel(handle, &domain, "state", &state, FLUSH_PERIOD_US);
	if (result == 0)
		result = add_channel(handle, &domain, "metadata", &metadata, METADATA_PERIOD_US);
	if (result == 0)
		result = add_events(handle);
	if (result == 0)
		result = track_nobody(session);
	if (result == 0)
		result = lttng_start_tracing(session->name);
	lttng_destroy_handle(handle);
	return result < 0 ? result : 0;
}

int session_start(struct session *session, const char *id, const char *dir, char *why)
{
	char lock[PATH_MAX + 16];
	int result;

	snprintf(session->name, sizeof(session->name), SESSION_PREFIX "%s", id);
	snprintf(session->dir, sizeof(session->dir), "%s", dir);
	session->claim = -1;
	snprintf(lock, sizeof(lock), "%s/" SPACE_LOCK, dir);
	session->lock_fd = open(lock, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (session->lock_fd >= 0)
		flock(session->lock_fd, LOCK_EX);
	result = within_deadline(start, session, START_NS);
	session->running = result == 0;
	if (result == -ETIMEDOUT)
		snprintf(why, SESSION_WHY_MAX, DAEMON_IS_SILENT);
	else if (result)
		snprintf(why, SESSION_WHY_MAX, "LTTng cannot record to %s: %s", dir,
			lttng_strerror(result));
	return result == -ETIMEDOUT ? result : result ? -1 : 0;
}

typedef enum lttng_process_attr_tracker_handle_status change_of_tracker(
	const struct lttng_process_attr_tracker_handle *tracker, pid_t pid);

struct tracking_call {
	const struct session *session;
	change_of_tracker *change;
	pid_t pid;
};

static int change_tracker(void *argument)
{
	struct tracking_call *call = argument;
	struct lttng_process_attr_tracker_handle *tracker = tracker_of(call->session);
	int status = LTTNG_PROCESS_ATTR_TRACKER_HANDLE_STATUS_ERROR;

	if (tracker)
		status = call->change(tracker, call->pid);
	lttng_process_attr_tracker_handle_destroy(tracker);
	free(call);
	return status == LTTNG_PROCESS_ATTR_TRACKER_HANDLE_STATUS_OK ||
			       status == LTTNG_PROCESS_ATTR_TRACKER_HANDLE_STATUS_EXISTS
		       ? 0
		       : -1;
}

/* Returns 0, -ETIMEDOUT or another number. */
static int track_by(struct session *session, change_of_tracker *change, pid_t pid)
{
	struct tracking_call *call = session->running ? malloc(sizeof(*call)) : NULL;

	if (!call)
		return -1;
	*call = (struct tracking_call){session, change, pid};
	return within_deadline(change_tracker, call, START_NS);
}

int session_track(struct session *session, pid_t pid)
{
	return track_by(session, lttng_process_attr_virtual_process_id_tracker_handle_add_pid, pid)
		       ? -1
		       : 0;
}

void session_untrack(struct session *session, pid_t pid)
{
	if (!session->silent)
		session->silent =
			track_by(session,
				lttng_process_attr_virtual_process_id_tracker_handle_remove_pid,
				pid) == -ETIMEDOUT;
}

int64_t session_spare_bytes(const struct session *session)
{
	uint64_t free_bytes = session->running ? space_free_bytes(session->dir) : UINT64_MAX;
	struct stat reserve = {0};

	if (free_bytes > INT64_MAX)
		return INT64_MAX;
	fstat(session->lock_fd, &reserve);
	return (int64_t)free_bytes + reserve.st_blocks * 512 -
	       (int64_t)(session->buffer_bytes + SPACE_TO_GO_ON_BYTES);
}

static int stop(void *argument)
{
	struct session *session = argument;
	int result;

	ftruncate(session->lock_fd, 0);
	result = lttng_stop_tracing_no_wait(session->name);

	while (result >= 0 && lttng_data_pending(session->name) == 1)
		usleep(2000);
	return result;
}

void session_stop(struct session *session)
{
	uint64_t torn_bytes;

	if (!session->running)
		return;
	session->running = false;
	if (within_deadline(stop, session, STOP_NS) < 0) {
		log_error("the LTTng session daemon did not finish %s; its end may be missing",
			session->dir);
		return;
	}
	torn_bytes = session->may_be_torn ? torn_cut_off(session->dir) : 0;
	if (torn_bytes)
		log_error("LTTng could not write the last %.1f kB of %s whole: they are left out",
			(double)torn_bytes / 1e3, session->dir);
	else if (!session->may_be_torn && torn_is_any(session->dir))
		log_error("LTTng could not write all of %s (is there a quota, or a limit on file "
			  "sizes?): reports say what is torn, and other readers may refuse it",
			session->dir);
}

void session_finish(struct session *session)
{
	if (session->lock_fd < 0)
		return;
	space_clear(session->dir);
	close(session->lock_fd);
	session->lock_fd = -1;
	claim_give_up(&session->claim);
}
