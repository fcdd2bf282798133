/* SPDX-License-Identifier: MIT */
#include "preload/record/recording.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "preload/common/clock.h"
#include "preload/common/conf.h"
#include "preload/common/deadline.h"
#include "preload/common/engine.h"
#include "preload/common/engine_open.h"
#include "preload/common/log.h"
#include "preload/common/rendezvous.h"
#include "preload/common/sampler.h"
#include "preload/common/watchable.h"
#include "preload/record/daemon.h"
#include "preload/record/rundir.h"
#include "preload/record/space.h"

#define ENABLED_NS (2 * PWRTRACE_NS_PER_S)

int recording_listen(struct recording *recording)
{
	recording->listen_fd = rendezvous_listen(recording->id);
	return recording->listen_fd < 0 ? -1 : 0;
}

static int open_engine(struct recording *recording, char *why)
{
	const char *reason = "it is of another version";
	void *library = engine_dlopen("", &reason);
	const struct engine *(*get)(void) =
		library ? (const struct engine *(*)(void))dlsym(library, ENGINE_ENTRY) : NULL;

	if (!get) {
		snprintf(why, SESSION_WHY_MAX, "the engine cannot be opened: %s", reason);
		return -1;
	}
	recording->engine = get();
	return 0;
}

/* A call to open the sampler, which a driver may let wait for ever. */
struct opening {
	const struct sampler_ops *ops;
	char *sources;
	struct sampler *sampler;
	char why[SESSION_WHY_MAX];
};

static int open_sources(void *argument)
{
	struct opening *opening = argument;

	opening->sampler = opening->ops->open(opening->sources, opening->why, SESSION_WHY_MAX);
	return opening->sampler ? 0 : -1;
}

static int open_sampler(struct recording *recording, char *why)
{
	bool counts = conf_number(conf.counters) > 0 && !conf_lists(recording->power, "counters");
	struct opening *opening = calloc(1, sizeof(*opening));
	int failed;

	snprintf(why, SESSION_WHY_MAX, "out of memory");
	if (!opening || asprintf(&opening->sources, "%s%s", recording->power,
				counts ? ",counters" : "") < 0) {
		free(opening);
		return -1;
	}
	opening->ops = recording->engine->sampler;
	failed = within_deadline(open_sources, opening, DEADLINE_DRIVERS_NS);
	if (failed == -ETIMEDOUT) {
		snprintf(why, SESSION_WHY_MAX, DEADLINE_DRIVERS_SILENT, opening->why);
		return -1;
	}
	recording->sampler = opening->sampler;
	snprintf(why, SESSION_WHY_MAX, "%s", opening->why);
	free(opening->sources);
	free(opening);
	return failed;
}

static void stop_sampler(struct recording *recording, const char *why)
{
	if (recording->sampler)
		recording->engine->sampler->stop(recording->sampler, why);
	recording->sampler = NULL;
}

static void say(const char *source, const char *line)
{
	log_notice("%s: %s", source, line);
}

/* The sampler's own events must be on before the program starts, or a short one has no power. */
static void start_sampler(struct recording *recording)
{
	struct sampler_recording about = {.begin_ns = clock_now_ns(),
		.command = recording->command,
		.tags = recording->tags,
		.tag_count = recording->tag_count,
		.say = say};
	uint64_t deadline_ns = about.begin_ns + ENABLED_NS;
	int error;

	session_track(&recording->session, getpid());
	while (!recording->engine->enabled() && clock_now_ns() < deadline_ns)
		usleep(500);
	error = recording->engine->sampler->start(recording->sampler, &about);
	if (error)
		log_error("power is not sampled: %s", strerror(error));
}

static int start_session(struct recording *recording, const char *dir, char *why)
{
	struct session *session = &recording->session;
	int failed = session_start(session, recording->id, dir, why);

	if (failed && failed != -ETIMEDOUT && daemon_replace_sick(why, SESSION_WHY_MAX) == 0) {
		session_finish(session);
		failed = session_start(session, recording->id, dir, why);
	}
	recording->consumer = failed ? -1 : daemon_open_consumer();
	if (failed) {
		session_finish(session);
		rmdir(dir);
	}
	return failed;
}

static int check_kernel(char *why)
{
	if (processes_are_watchable())
		return 0;
	snprintf(why, SESSION_WHY_MAX,
		"processes cannot be watched (pidfd_open: %s); this needs Linux 5.3, and a "
		"container that allows it",
		strerror(errno));
	return -1;
}

int recording_open(struct recording *recording, char *why)
{
	char dir[PATH_MAX];
	/* The engine looks for the daemon; drivers may take long. */
	int failed =
		check_kernel(why) ||
		daemon_ensure(recording->home, sizeof(recording->home), why, SESSION_WHY_MAX) ||
		open_engine(recording, why);

	rundir_unlock();
	failed = failed || open_sampler(recording, why) ||
		 daemon_ensure(recording->home, sizeof(recording->home), why, SESSION_WHY_MAX) ||
		 space_make_directory(recording->output, recording->output_chosen, dir, sizeof(dir),
			 why, SESSION_WHY_MAX) ||
		 start_session(recording, dir, why);

	rundir_unlock();
	/* The next process that uses a GPU has us try again. */
	if (failed) {
		stop_sampler(recording, why);
		return -1;
	}
	recording->opened = true;
	start_sampler(recording);
	return 0;
}

/* Destroying a session takes LTTng half a second, for which nobody need wait.  A program of its
 * own, not a bare fork: liblttng-ust has threads in this one. */
static void clean_up_in_background(void)
{
	pid_t child = fork();

	if (child == 0) {
		int null = open("/dev/null", O_RDWR);

		if (fork() != 0)
			_exit(0);
		setsid();
		for (int fd = 0; fd <= 2; fd++)
			dup2(null, fd);
		close_range(3, ~0U, 0);
		execl("/proc/self/exe", "pwrtrace-record", "--release", NULL);
		_exit(EXIT_FAILURE);
	}
	if (child > 0)
		waitpid(child, NULL, 0);
}

static void report_missing(const struct recording *recording)
{
	for (size_t i = 0; i < recording->participant_count; i++) {
		const struct participant *participant = &recording->participants[i];

		if (*participant->trouble)
			log_error("process %d (%s) used a GPU but was not recorded: %s",
				(int)participant->pid, participant->name, participant->trouble);
	}
}

void recording_cut_off(struct recording *recording, const char *why)
{
	recording->ended = why;
	recording->session.may_be_torn = true;
	/* Its last words are in the trace once the session has stopped. */
	stop_sampler(recording, why);
	session_stop(&recording->session);
}

void recording_close(struct recording *recording)
{
	stop_sampler(recording, recording->ended ? recording->ended : "end of the program");
	if (recording->opened) {
		session_stop(&recording->session);
		session_finish(&recording->session);
	}
	report_missing(recording);
	close(recording->listen_fd);
	clean_up_in_background();
}

/* Of a trace's files. */
static uint64_t all_bytes, metadata_bytes, stream_bytes;

static int add_size(const char *path, const struct stat *stat, int type, struct FTW *place)
{
	if (type != FTW_F)
		return 0;
	all_bytes += (uint64_t)stat->st_size;
	if (strcmp(path + place->base, "metadata") == 0)
		metadata_bytes += (uint64_t)stat->st_size;
	else if (!strstr(path, "/index/"))
		stream_bytes += (uint64_t)stat->st_size;
	return 0;
}

void recording_summarize(const struct recording *recording)
{
	const char *dir = recording->session.dir;

	nftw(dir, add_size, 8, FTW_PHYS);
	if (!metadata_bytes || !stream_bytes)
		log_error("nothing was recorded to %s that can be read%s%s; record again", dir,
			recording->ended ? ": " : "", recording->ended ? recording->ended : "");
	else
		log_notice("recorded to %s (%.1f kB%s%s); read it with: pwrtrace report %s", dir,
			(double)all_bytes / 1e3, recording->ended ? ", " : "",
			recording->ended        ? recording->ended
			: recording->used_a_gpu ? ""
						: ", no process used a GPU",
			dir);
}
