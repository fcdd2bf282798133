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

/* What a rule looks at: a function on the call stack, the file that its code or its source is in,
 * or the kernel that was launched. */
enum rule_kind { RULE_FUNCTION, RULE_MODULE, RULE_FILE, RULE_KERNEL, RULE_KINDS };

struct rule;
struct rules;

/* Returns NULL after saying, with the line's number, why the file cannot be used. */
struct rules *rules_read(const char *path);
void rules_free(struct rules *rules); /* NULL is fine */

/* The file that they are from. */
const char *rules_path(const struct rules *rules);

/* The first rule whose pattern fits the text of its kind, and *text, which that is; NULL where none
 * does.  texts may be NULL or "" where there is nothing of a kind. */
const struct rule *rules_find(
	const struct rules *rules, const char *const texts[RULE_KINDS], const char **text);

/* The names of the layers that it makes of the text, the outermost first; g_strfreev. */
char **rule_layers(const struct rule *rule, const char *text);

#endif
