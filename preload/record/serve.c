/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "preload/common/clock.h"
#include "preload/common/log.h"
#include "preload/common/rendezvous.h"
#include "preload/record/daemon.h"
#include "preload/record/ending_signals.h"
#include "preload/record/family.h"
#include "preload/record/front.h"
#include "preload/record/recording.h"
#include "preload/record/rundir.h"
#include "pwrtrace/events.h"

#define CHECK_MS 1000
#define CHECK_MS_MIN 5
#define MESSAGE_NS (100 * PWRTRACE_NS_PER_MS)
/* How long the front waits after the program's end: processes that it leaves often end right after
 * it. */
#define FRONT_WAITS_NS PWRTRACE_NS_PER_S
/* How long processes that use no GPU keep a recording alive after all others have ended: some live
 * for ever. */
#define FAMILY_WAIT_NS (60 * PWRTRACE_NS_PER_S)

static void read_name(pid_t pid, char *name, size_t size)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
	file = fopen(path, "re");
	if (!file || !fgets(name, (int)size, file))
		snprintf(name, size, "?");
	name[strcspn(name, "\n")] = 0;
	if (file)
		fclose(file);
}

/* The participant that sent a message, made where it is new.  A process may end before its last
 * message is read, so a message belongs to the latest participant with this pid, ended or not. Only
 * the word that begins a conversation, "gpu", may come from a new process that reuses the pid. */
static struct participant *participant_of(struct recording *recording, pid_t pid, bool first_word)
{
	struct participant *more;

	for (size_t i = recording->participant_count; i > 0; i--) {
		struct participant *known = &recording->participants[i - 1];

		if (known->pid == pid && (known->pidfd >= 0 || !first_word))
			return known;
	}
	more = realloc(recording->participants, (recording->participant_count + 1) * sizeof(*more));
	if (!more)
		return NULL;
	recording->participants = more;
	more += recording->participant_count++;
	*more = (struct participant){.pid = pid, .pidfd = family_open(pid)};
	recording->used_a_gpu = true;
	read_name(pid, more->name, sizeof(more->name));
	return more;
}

/* ---- the daemon that writes the trace ---- */

/* It may answer only after the session has begun; until then nothing tells of its death. */
static void watch_consumer(struct recording *recording)
{
	if (recording->opened && recording->session.running && recording->consumer < 0)
		recording->consumer = daemon_open_consumer();
}

static void lose_consumer(struct recording *recording)
{
	if (recording->consumer >= 0)
		close(recording->consumer);
	recording->consumer = -1;
	if (!recording->session.running)
		return;
	recording_cut_off(recording, PWRTRACE_CUT_OFF "LTTng's consumer daemon has died");
	log_error("recording has stopped: LTTng's consumer daemon (lttng-consumerd) has died, and "
		  "what it had not written yet is lost");
}

/* ---- answering ---- */

static void answer_failed(int client, struct participant *participant, const char *why)
{
	rendezvous_send(client, "failed", why);
	snprintf(participant->trouble, sizeof(participant->trouble), "%.250s", why);
}

static void answer_ours(struct recording *recording, int client, struct participant *participant)
{
	char why[SESSION_WHY_MAX], answer[RENDEZVOUS_MESSAGE_MAX];

	if (!recording->opened && recording_open(recording, why)) {
		answer_failed(client, participant, why);
		return;
	}
	if (session_track(&recording->session, participant->pid)) {
		watch_consumer(recording);
		if (recording->consumer < 0)
			lose_consumer(recording);
		answer_failed(client, participant,
			recording->ended ? recording->ended : "LTTng does not track it");
		return;
	}
	participant->tracked = true;
	snprintf(answer, sizeof(answer), "%s\n%s", recording->home, recording->session.dir);
	rendezvous_send(client, "ours", answer);
}

static void answer_gpu(
	struct recording *recording, int client, struct participant *participant, bool lazily)
{
	char why[SESSION_WHY_MAX];
	int theirs = 0;

	strcpy(participant->trouble, "the LTTng session daemon did not answer it");
	if (lazily && !recording->opened &&
		daemon_ensure(recording->home, sizeof(recording->home), why, sizeof(why)) == 0)
		theirs = daemon_records_ours();
	if (theirs == 1)
		rendezvous_send(client, "theirs", recording->home);
	else if (theirs == -ETIMEDOUT)
		answer_failed(client, participant, DAEMON_IS_SILENT);
	else
		answer_ours(recording, client, participant);
	rundir_unlock();
}

static void answer(struct recording *recording, int client, struct participant *participant,
	const char *word, const char *argument, bool lazily)
{
	if (strcmp(word, "gpu") == 0)
		answer_gpu(recording, client, participant, lazily);
	else if (strcmp(word, "free") == 0)
		answer_ours(recording, client, participant);
	else if (strcmp(word, "recording") == 0 || strcmp(word, "taken") == 0)
		participant->trouble[0] = 0;
	else if (strcmp(word, "last") == 0)
		recording->at_the_end = true;
	else if (strcmp(word, "broken") == 0)
		snprintf(participant->trouble, sizeof(participant->trouble), "%.250s", argument);
}

static void close_client(struct recording *recording, size_t index)
{
	close(recording->clients[index]);
	recording->clients[index] = recording->clients[--recording->client_count];
}

static void serve_client(struct recording *recording, size_t index, bool lazily)
{
	int client = recording->clients[index];
	char word[RENDEZVOUS_MESSAGE_MAX], *argument;
	struct participant *participant;
	pid_t peer;

	if (!rendezvous_trusts(client, &peer) ||
		rendezvous_receive(client, word, &argument, clock_now_ns() + MESSAGE_NS)) {
		close_client(recording, index);
		return;
	}
	if (strcmp(word, "alone") == 0) {
		recording->used_a_gpu = true;
		return;
	}
	participant = participant_of(recording, peer, strcmp(word, "gpu") == 0);
	if (participant)
		answer(recording, client, participant, word, argument, lazily);
}

static void accept_client(struct recording *recording)
{
	int client = accept4(recording->listen_fd, NULL, NULL, SOCK_CLOEXEC);
	int *more = NULL;
	pid_t peer;

	if (client < 0)
		return;
	if (rendezvous_trusts(client, &peer))
		more = realloc(recording->clients, (recording->client_count + 1) * sizeof(*more));
	if (!more) {
		close(client);
		return;
	}
	recording->clients = more;
	recording->clients[recording->client_count++] = client;
}

/* ---- the loop ---- */

/* So often that nothing which writes 1 GB/s, ours or another's, fills the disk in between. */
static int check_space_ms(struct recording *recording)
{
	int64_t spare_ms = session_spare_bytes(&recording->session) / 1000000;

	recording->session.may_be_torn |= spare_ms < CHECK_MS;
	return spare_ms < CHECK_MS_MIN ? CHECK_MS_MIN : spare_ms > CHECK_MS ? CHECK_MS : spare_ms;
}

static void check_space(struct recording *recording)
{
	if (session_spare_bytes(&recording->session) >= 0)
		return;
	log_error("recording has stopped: too little space is left where %s lies; what was "
		  "recorded until now is kept",
		recording->session.dir);
	recording_cut_off(recording, PWRTRACE_CUT_OFF "too little space");
}

/* ---- for how long the recording goes on ---- */

/* Besides participants and clients: the first process, and when that has ended, one at a time of
 * those that belong to the recording. */
struct family_watch {
	pid_t pid;
	int pidfd; /* -1: nobody */
	bool first_ended;
	uint64_t first_end_ns;
	uint64_t alone_ns; /* since when no participant lives, either; 0 where one does */
};

static const struct participant *living_participant(const struct recording *recording)
{
	for (size_t i = 0; i < recording->participant_count; i++)
		if (recording->participants[i].pidfd >= 0)
			return &recording->participants[i];
	return NULL;
}

/* Watches another process where none is watched: an ancestor of a participant, which may start
 * others, else any of the recording. */
static void watch_family(struct recording *recording, struct family_watch *watch)
{
	const struct participant *participant = living_participant(recording);

	if (watch->pidfd < 0 && participant)
		watch->pidfd = family_open_eldest(participant->pid, &watch->pid);
	else if (watch->pidfd < 0)
		watch->pidfd = family_open_any(recording->id, &watch->pid);
}

static bool goes_on(struct recording *recording, struct family_watch *watch)
{
	uint64_t now_ns = clock_now_ns();

	if (!watch->first_ended)
		return true;
	watch_family(recording, watch);
	if (living_participant(recording) || recording->client_count) {
		watch->alone_ns = 0;
		return true;
	}
	if (!watch->alone_ns)
		watch->alone_ns = now_ns;
	return watch->pidfd >= 0 && now_ns < watch->alone_ns + FAMILY_WAIT_NS;
}

static void note_end_of_watched(struct family_watch *watch)
{
	close(watch->pidfd);
	watch->pidfd = -1;
	if (!watch->first_ended)
		watch->first_end_ns = clock_now_ns();
	watch->first_ended = true;
}

static void let_front_go(struct recording *recording, const struct family_watch *watch)
{
	const struct participant *participant = living_participant(recording);
	pid_t who = participant ? participant->pid : watch->pid;
	char name[sizeof(participant->name)];

	if (recording->front < 0 || !watch->first_ended || (!participant && watch->pidfd < 0) ||
		clock_now_ns() < watch->first_end_ns + FRONT_WAITS_NS)
		return;
	read_name(who, name, sizeof(name));
	log_notice("%s (process %d) still runs: recording goes on in the background while a GPU is "
		   "used, and a minute more at most (to end it: kill %d); read it with: pwrtrace "
		   "report %s",
		name, (int)who, (int)getpid(), recording->session.dir);
	front_leave(&recording->front);
}

enum { CALLER, SIGNAL, WATCHED, CONSUMER, FIXED };

/* Fills in whom to wait for: the fixed descriptors, the clients, the participants that live.  No
 * others: poll takes no more entries than the process may open files. */
static struct pollfd *whom_to_wait_for(
	const struct recording *recording, const int fixed[FIXED], size_t *count)
{
	size_t most = FIXED + recording->client_count + recording->participant_count;
	struct pollfd *fds = calloc(most, sizeof(*fds));

	*count = 0;
	if (!fds)
		return NULL;
	for (size_t i = 0; i < FIXED; i++)
		fds[(*count)++].fd = fixed[i];
	for (size_t i = 0; i < recording->client_count; i++)
		fds[(*count)++].fd = recording->clients[i];
	for (size_t i = 0; i < recording->participant_count; i++)
		if (recording->participants[i].pidfd >= 0)
			fds[(*count)++].fd = recording->participants[i].pidfd;
	for (size_t i = 0; i < *count; i++)
		fds[i].events = POLLIN;
	return fds;
}

/* Keeps the participants that live, and those of whom something is still to be said; living are the
 * entries of the former.  A new process with the number of one that has ended is met only after
 * this, so that it is the old one that is no longer tracked. */
static void note_ends(struct recording *recording, const struct pollfd *living)
{
	size_t kept = 0;

	for (size_t i = 0; i < recording->participant_count; i++) {
		struct participant *participant = &recording->participants[i];

		if (participant->pidfd >= 0 && (living++)->revents) {
			close(participant->pidfd);
			participant->pidfd = -1;
		}
		if (participant->pidfd < 0 && participant->tracked) {
			session_untrack(&recording->session, participant->pid);
			participant->tracked = false;
		}
		if (participant->pidfd >= 0 || *participant->trouble)
			recording->participants[kept++] = *participant;
	}
	recording->participant_count = kept;
}

static void fail_to_wait(struct recording *recording)
{
	recording->ended = PWRTRACE_CUT_OFF "the recorder could not wait for processes";
	log_error("recording has stopped: the recorder cannot wait for processes (%s); what was "
		  "recorded until now is kept",
		strerror(errno));
}

/* Whether a signal to us ends the recording.  Not while the first process lives: who ends a service
 * or a job sends it a signal, too, and it may take its time to end. */
static bool is_to_end(struct recording *recording, const struct family_watch *watch, int signal_fd)
{
	struct signalfd_siginfo info;

	if (read(signal_fd, &info, sizeof(info)) != sizeof(info) || !watch->first_ended)
		return false;
	if (living_participant(recording)) {
		recording->ended = PWRTRACE_CUT_OFF "the recorder was told to end";
		log_notice("recording has stopped, as it was told to; what was recorded until now "
			   "is kept");
	}
	return true;
}

void recording_serve(struct recording *recording, int first_pidfd, bool lazily)
{
	struct family_watch watch = {.pidfd = first_pidfd,
		.first_ended = first_pidfd < 0,
		.first_end_ns = clock_now_ns()};
	int signal_fd = ending_signals_open();
	bool stop = false;

	while (!stop && goes_on(recording, &watch)) {
		size_t count, clients = recording->client_count;
		int fixed[] = {recording->listen_fd, signal_fd, watch.pidfd,
			recording->opened ? recording->consumer : -1};
		struct pollfd *fds = whom_to_wait_for(recording, fixed, &count);

		if (!fds || (poll(fds, count, check_space_ms(recording)) < 0 && errno != EINTR)) {
			fail_to_wait(recording);
			free(fds);
			break;
		}
		check_space(recording);
		if (fds[CONSUMER].revents)
			lose_consumer(recording);
		note_ends(recording, fds + FIXED + clients);
		for (size_t i = clients; i > 0; i--)
			if (fds[FIXED + i - 1].revents)
				serve_client(recording, i - 1, lazily);
		if (fds[CALLER].revents)
			accept_client(recording);
		stop = (fds[SIGNAL].revents && is_to_end(recording, &watch, signal_fd)) ||
		       recording->at_the_end;
		if (fds[WATCHED].revents)
			note_end_of_watched(&watch);
		free(fds);
		let_front_go(recording, &watch);
		watch_consumer(recording);
	}
	if (watch.pidfd >= 0)
		close(watch.pidfd);
	close(signal_fd);
}
