/* SPDX-License-Identifier: MIT */
#include "preload/engine/gpu/short_name.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A part of a name. */
struct part {
	const char *text;
	size_t length;
};

/* Takes a <source-name>, a number and as many characters, off *at.  Returns false where there is
 * none. */
static bool take_source_name(const char **at, struct part *part)
{
	char *text;

	if (!isdigit((unsigned char)**at))
		return false;
	part->length = strtoul(*at, &text, 10);
	part->text = text;
	if (part->length > strlen(text))
		return false;
	*at = text + part->length;
	return true;
}

/* Takes a <substitution>, as St or S1_, off *at.  Returns false where there is none. */
static bool take_substitution(const char **at)
{
	const char *end = *at;

	if (*end++ != 'S')
		return false;
	if (*end && strchr("tabsiod", *end)) {
		*at = end + 1;
		return true;
	}
	while (isdigit((unsigned char)*end) || isupper((unsigned char)*end))
		end++;
	if (*end != '_')
		return false;
	*at = end + 1;
	return true;
}

void short_name(char text[SHORT_NAME_MAX + 1], const char *name)
{
	struct part own = {name, strlen(name)}, part = {NULL, 0};
	const char *at = name;
	bool nested;

	if (strncmp(at, "_Z", 2) == 0) {
		at += 2;
		nested = *at == 'N';
		/* Qualifiers of a member, and L, for what is local to its file. */
		at += strspn(at, "NrVKROL");
		while (take_substitution(&at) || take_source_name(&at, &part)) {
			own = part.length ? part : own;
			if (!nested && part.length)
				break;
		}
	}
	if (own.length > SHORT_NAME_MAX)
		own.length = SHORT_NAME_MAX;
	memcpy(text, own.text, own.length);
	text[own.length] = 0;
}
