/* SPDX-License-Identifier: MIT */
/*
 * Rules that give layers to programs that name none themselves.  A file has a rule per line: what
 * to match, a pattern with * and ?, and the layers, outermost first, separated by slashes:
 *
 *	function  train_*         training
 *	module    libcublas*      linear algebra
 *	file      *attention.cpp  block/attention
 *	kernel    *softmax*       &
 *
 * "&" stands for the text that matched.  pwrtrace-report(1) describes them.
 */
#ifndef PWRTRACE_RULES_H
#define PWRTRACE_RULES_H

/* What a rule matches: a function on the call stack, the file that its code is in (module) or its
 * source (file), or the kernel that was launched. */
enum rule_kind { RULE_FUNCTION, RULE_MODULE, RULE_FILE, RULE_KERNEL, RULE_KINDS };

struct rule;
struct rules;

/* Reads a file of rules; free with rules_free.  Returns NULL after an error message with the number
 * of the line that is wrong. */
struct rules *rules_read(const char *path);
void rules_free(struct rules *rules); /* NULL is fine */

/* The file that the rules were read from. */
const char *rules_path(const struct rules *rules);

/* The first rule whose pattern matches the text of its kind, or NULL; *text is set to that text.
 * texts has one text per kind, NULL or "" where there is none. */
const struct rule *rules_find(
	const struct rules *rules, const char *const texts[RULE_KINDS], const char **text);

/* The names of a rule's layers, outermost first, for a text that matched.  Free with g_strfreev. */
char **rule_layers(const struct rule *rule, const char *text);

#endif
