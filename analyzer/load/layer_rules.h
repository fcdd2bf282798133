/* SPDX-License-Identifier: MIT */
/* Makes layers for programs that name none, by the user's rules (name/rules.h). */
#ifndef PWRTRACE_LAYER_RULES_H
#define PWRTRACE_LAYER_RULES_H

#include "analyzer/load/call_paths.h"
#include "analyzer/load/loader.h"
#include "analyzer/name/rules.h"

/* Puts executions without a layer into layers that the rules make from their call stacks and
 * kernels. Warns where no rule matches anything. */
void layer_rules_apply(const struct rules *rules, struct loader *loader, struct call_paths *paths);

#endif
