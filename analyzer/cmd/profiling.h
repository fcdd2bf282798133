/* SPDX-License-Identifier: MIT */
/* What pwrtrace profile is asked, and a profile with what it was made of. */
#ifndef PWRTRACE_CMD_PROFILING_H
#define PWRTRACE_CMD_PROFILING_H

#include "analyzer/cmd/analysis.h"
#include "analyzer/ledger/ledger.h"
#include "analyzer/profile/profile.h"

/* The options, for command_parse. */
struct profile_choice {
	struct analysis_options analysis;
	struct profile_options profile;
	const char *kernel, *layer; /* one of them */
	double budget_s;            /* of a campaign */
	bool by_command;
};

struct profiling {
	struct analysis analysis;
	struct ledger *ledger;
	struct profile *profile;
};

/* Profiles traces (paths, ended by NULL, which must outlive the result).  Returns false after an
 * error message; else free with profiling_end. */
bool profiling_begin(
	struct profiling *profiling, const struct profile_choice *choice, char *const *traces);
void profiling_end(struct profiling *profiling);

#endif
