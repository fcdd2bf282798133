/* SPDX-License-Identifier: MIT */
/* From traces to the model: its facts, with all that follows from them. */
#ifndef PWRTRACE_LOAD_H
#define PWRTRACE_LOAD_H

#include "analyzer/model/model.h"
#include "analyzer/name/rules.h"

/* What not every command needs. */
struct load_options {
	bool layers; /* also when layers were open, and when each execution was launched */
	bool stacks; /* also the call path of each origin */
	const struct rules *rules; /* layers for what is in none; NULL: no rules */
};

/* Reads traces into one model, which the caller frees with model_free and nobody changes any more.
 * directories: their paths, ended by NULL, which outlive the model.  Returns NULL, after saying
 * why, when one of them cannot be used. */
struct model *load_traces(char *const *directories, const struct load_options *options);

#endif
