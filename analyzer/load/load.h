/* SPDX-License-Identifier: MIT */
/* Loads traces into a model. */
#ifndef PWRTRACE_LOAD_H
#define PWRTRACE_LOAD_H

#include "analyzer/model/model.h"
#include "analyzer/name/rules.h"

/* Parts of a model that not every command needs. */
struct load_options {
	bool layers;  /* when layers were open, and when marks were (ranges, mark_times) */
	bool order;   /* who waited for what (model->order) */
	bool waits;   /* the same without the calls of executions */
	bool stacks;  /* the call path of each origin (origin->call) */
	bool numbers; /* names of layers keep running numbers (running_numbers.h) */
	const struct rules *rules; /* rules for executions without a layer; NULL: none */
	/* Divides the executions of a kernel into parts that are classes of their own, when all
	 * else is known: sets parts[i] by execution, which is 0 at first.  Returns false after an
	 * error message, with which loading ends.  NULL: nothing is divided. */
	bool (*divide)(void *data, const struct model *model, uint32_t *parts);
	void *divide_data;
};

/* Reads all traces of some directories into one model.  directories: paths, ended by NULL, which
 * must outlive the model.  The caller frees the model with model_free.  Returns NULL, after an
 * error message, where a directory cannot be used. */
struct model *load_traces(char *const *directories, const struct load_options *options);

#endif
