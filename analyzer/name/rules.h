/* SPDX-License-Identifier: MIT */
/*
 * Rules that give layers to programs that name none: a file with a rule per line,
 *
 *	function  train_*         training
 *	module    libcublas*      linear algebra
 *	file      *attention.cpp  block/attention
 *	kernel    *softmax*       &
 *
 * described in pwrtrace-report(1).
 */
#ifndef PWRTRACE_RULES_H
#define PWRTRACE_RULES_H

#include "analyzer/model/model.h"

struct rules;

/* Returns NULL after saying, with the line's number, why the file cannot be used. */
struct rules *rules_read(const char *path);
void rules_free(struct rules *rules);

/* Gives the executions that are in no layer those that the rules make.  Says where no rule fits
 * any. */
void rules_apply(struct rules *rules, struct model *model);

#endif
