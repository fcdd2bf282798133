/* SPDX-License-Identifier: MIT */
/*
 * One recording: its session and sampler, and the processes that take part (rendezvous.h).
 */
#ifndef PWRTRACE_RECORD_RECORDING_H
#define PWRTRACE_RECORD_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "preload/record/session.h"

/* A process that said it uses a GPU, and lives or is not recorded. */
struct participant {
	pid_t pid;
	int pidfd;    /* -1 once it has ended */
	bool tracked; /* by the session */
	char name[32];
	char trouble[256]; /* why it is not recorded, as far as known; "" once it is */
};

struct recording {
	char id[64];
	const char *output;      /* the directory wanted */
	bool output_chosen;      /* by the user: no other will do */
	const char *power;       /* sources, as the sampler takes them */
	const char *command;     /* what is recorded, for the trace */
	const char *const *tags; /* "KEY=VALUE" */
	size_t tag_count;
	int front; /* the socket of who waits in front (front.h), or -1 */

	/* The rest is the recording's own; zero at first. */
	int listen_fd;
	int *clients;
	size_t client_count;
	struct participant *participants;
	size_t participant_count;
	bool at_the_end; /* its last process says so */
	bool used_a_gpu; /* a process has said so; it may have ended since, and be no participant */
	char home[128];  /* LTTNG_HOME for the processes, or "" */
	bool opened;
	int consumer;      /* pidfd of the daemon that writes the trace, or -1; once opened */
	const char *ended; /* why nothing more is recorded, as in recording_cut_off, or NULL */
	const struct engine *engine;
	struct sampler *sampler;
	struct session session;
};

/* Becomes the recorder of recording->id.  Returns 0, or -1 with errno: EADDRINUSE where there is
 * one. */
int recording_listen(struct recording *recording);

/* Makes directory, daemon, session and sampler.  Returns 0, or -1 with one line in why
 * (SESSION_WHY_MAX bytes). */
int recording_open(struct recording *recording, char *why);

/* Serves for as long as the recording has a process: the first one (first_pidfd, -1 where it has
 * ended; closed here), one that uses a GPU or, for a minute more, any other.  Who waits in front is
 * let go a second after the first one's end.  lazily: the session is made when the first process
 * asks, and not where a session of the user's records it. */
void recording_serve(struct recording *recording, int first_pidfd, bool lazily);

/* Completes the trace before its processes have ended, and writes into it why: PWRTRACE_CUT_OFF and
 * some words, which stay valid. */
void recording_cut_off(struct recording *recording, const char *why);

/* Completes the trace.  Leaves the cleaning up to a process in the background. */
void recording_close(struct recording *recording);

/* Says where the trace is, or that nothing in it can be read. */
void recording_summarize(const struct recording *recording);

#endif
