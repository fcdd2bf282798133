/* SPDX-License-Identifier: MIT */
/*
 * What sets the pace: the critical path through launches, streams, dependencies, waits and
 * collectives, and for how much longer each execution could take without the whole taking longer
 * (the total float of the critical path method, at measured durations).
 */
#ifndef PWRTRACE_CRITICAL_H
#define PWRTRACE_CRITICAL_H

#include "analyzer/critical/path.h"
#include "analyzer/ledger/ledger.h"

/* What rows are by: its name, ended by NULL.  The first is the default. */
extern const char *const critical_bys[];

/* Executions of one kernel, layer, stream or device; or one execution. */
struct critical_row {
	char *name;
	uint64_t critical_ns; /* on the path */
	uint64_t slack_ns;    /* the least of its executions' */
	uint64_t critical_nj, energy_nj;
	bool energy_known;
};

struct critical_question {
	const char *by;                    /* one of critical_bys */
	const struct tradeoffs *tradeoffs; /* tradeoffs.h; NULL: no bloat */
};

struct critical_answer {
	const struct ledger *ledger;
	struct model_span span;
	struct critical_pieces pieces;
	GArray *rows; /* struct critical_row: most of the path first, then least slack, most energy
		       */
	uint64_t critical_nj, energy_nj; /* of all rows */
	bool energy_known;
	double bloat_j; /* bloat.h; NaN: there are no tradeoffs */
};

/* Answers for the traces of a ledger, whose model was loaded with its order.  Returns NULL after an
 * error message.  The ledger must outlive the answer, which the caller frees with
 * critical_answer_free. */
struct critical_answer *critical_answer_new(
	const struct ledger *ledger, const struct critical_question *question);
void critical_answer_free(struct critical_answer *answer);

#endif
