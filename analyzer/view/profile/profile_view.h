/* SPDX-License-Identifier: MIT */
/* What pwrtrace profile prints, as pwrtrace-profile(1) and pwrtrace-json(5) describe it. */
#ifndef PWRTRACE_PROFILE_VIEW_H
#define PWRTRACE_PROFILE_VIEW_H

#include "analyzer/ledger/ledger.h"
#include "analyzer/profile/profile.h"

struct profile_view {
	const struct profile *profile;
	const struct ledger *ledger;
	bool verbose;
};

/* As in analysis.h; the result is a struct profile_view. */
void profile_put_text(FILE *out, const void *result);
void profile_put_json(FILE *out, const void *result);
void profile_put_csv(FILE *out, const void *result);

#endif
