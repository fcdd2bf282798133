/* SPDX-License-Identifier: MIT */
/*
 * What pages need of executions, gathered in one visit: the energy of each origin, and the lanes of
 * streams, in which executions are joined to blocks where they are too many to draw.
 *
 * Times of lanes are nanoseconds since the first recording or execution of their machine.
 */
#ifndef PWRTRACE_HTML_GATHER_H
#define PWRTRACE_HTML_GATHER_H

#include "analyzer/ledger/kernel_names.h"
#include "analyzer/ledger/ledger.h"

/* One execution, or several that follow each other. */
struct html_block {
	uint64_t begin_ns, end_ns;
	uint64_t energy_nj;
	uint32_t executions;
	uint32_t label; /* what drew most of it, in html_gathering.labels */
	double lead_nj; /* by how much that label drew more than others */
};

/* A stream of a process on a device. */
struct html_lane {
	uint32_t origin;        /* one of it */
	struct model_span span; /* from its first execution to its last, on the clock of traces */
	uint64_t energy_nj;
	GArray *blocks; /* struct html_block, in the order of time */
};

struct html_gathering {
	const struct ledger *ledger;
	struct kernel_names *names;
	uint64_t *energy_nj; /* by origin */
	GPtrArray *labels;   /* const char *, those with the most energy first */
	guint *label;        /* by origin, in labels */
	GHashTable *rank;    /* index in labels + 1, by label */
	GHashTable *times;   /* struct model_span *, by machine: from where all begin to its end */
	uint64_t span_ns;    /* the longest time from there to an end; above 0 */
	uint64_t joined_ns;  /* executions so close together are one block; 0: none is */
	GArray *lanes;       /* struct html_lane */
	guint *lane_of;      /* by origin */
};

/* Gathers.  The ledger must outlive the result; free with html_gathering_free. */
struct html_gathering *html_gather(const struct ledger *ledger);
void html_gathering_free(struct html_gathering *gathering);

/* Where times of a machine begin in the page: with those of the others, by the time of day where
 * all know it, which may be before its clock began. */
int64_t html_begin_ns(const struct html_gathering *gathering, const char *machine);

/* The index of a label in labels; G_MAXUINT: there is none. */
guint html_label_of(const struct html_gathering *gathering, const char *label);

#endif
