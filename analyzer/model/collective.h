/* SPDX-License-Identifier: MIT */
/*
 * Collectives: what ranks of a communicator did together, and which executions that were.
 *
 * The same collective of all ranks, which may be threads or processes of one machine, is known by
 * its communicator and its sequence; a send and its receive by both ranks and their sequence.  A
 * rank that begins before the last one waits for it; the last one does not wait.
 */
#ifndef PWRTRACE_COLLECTIVE_H
#define PWRTRACE_COLLECTIVE_H

#include "analyzer/model/model.h"

/* What collectives may have in common; executions of one kernel in two exchanges are two classes.
 */
struct model_exchange {
	const char *kind; /* as in events.def; of a group of several "recv+send" */
	uint64_t bytes;   /* of a rank's larger buffer; of a group the sum */
	uint32_t ranks;   /* 0: not known */
};

/* A collective as one rank called it. */
struct model_collective {
	uint32_t process, tid;
	uint64_t communicator; /* 0: not known */
	uint32_t rank, ranks;  /* 0 ranks: not known */
	uint32_t sequence;     /* as in events.def; 0: not known */
	uint32_t peer;         /* the other rank, or the root; PWRTRACE_UNKNOWN_U32: none */
	uint64_t bytes;
	const char *kind;
	struct model_span call; /* of its launches, which all of a group have in common */
	struct model_span
		span;      /* from its first execution's begin to its last one's end; 0: none */
	guint execution;   /* the first one's index in executions, and ... */
	guint executions;  /* ... how many there are, which all of a group have in common */
	uint32_t exchange; /* that of its group: its number in exchanges, from 1 */
	/* When the last rank began; PWRTRACE_UNKNOWN_U64 where not all are known. */
	uint64_t met_ns;
	/* A number that all ranks that met have in common; 0 where not all are known. */
	uint32_t meeting;
};

/* An execution that belongs to a collective, or to all of a group. */
struct model_collective_run {
	guint execution, collective; /* the first of the group */
	uint64_t waited_ns; /* for ranks that began later; PWRTRACE_UNKNOWN_U64: not known */
};

struct collectives {
	GArray *list;      /* struct model_collective, by process, thread and time of the call */
	GArray *exchanges; /* struct model_exchange */
	GArray *runs;      /* struct model_collective_run, by execution */
	guint not_run;     /* collectives that launched nothing that was seen, as into a graph */
	guint not_met;     /* others, of which not all ranks are known */
};

struct collectives *collectives_new(void);
void collectives_free(struct collectives *collectives);

/* The exchange of an origin; NULL: it belongs to no collective. */
const struct model_exchange *collective_exchange_of(
	const struct model *model, const struct model_origin *origin);

/* "all_reduce 64 KiB".  g_free it. */
char *collective_name(const struct model_exchange *exchange);

#endif
