/* SPDX-License-Identifier: MIT */
/* Layers of programs that name none, by the rules of a user. */
#ifndef PWRTRACE_LAYER_RULES_H
#define PWRTRACE_LAYER_RULES_H

#include "analyzer/load/call_paths.h"
#include "analyzer/load/loader.h"
#include "analyzer/name/rules.h"

/* Gives the executions that are in no layer those that the rules make of their call stacks and
 * kernels.  Warns where no rule fits any. */
void layer_rules_apply(const struct rules *rules, struct loader *loader, struct call_paths *paths);

#endif
