/* SPDX-License-Identifier: MIT */
/* A profile while it is made, in the order of these functions; for profile.c. */
#ifndef PWRTRACE_PROFILE_JOB_H
#define PWRTRACE_PROFILE_JOB_H

#include "analyzer/profile/profile.h"

struct profile_job {
	const struct attribution *attribution;
	const struct profile_options *options;
	struct profile *profile;
	struct runs *runs;
	bool *chosen;   /* by run */
	guint *part_of; /* by execution of the runs: its number, as points_powers takes it */
	const struct source *source; /* what tells the power of the whole device; NULL: nothing */
};

/* Sets the source, and the profile's period and window. */
void profile_find_sensor(struct profile_job *job);

/* Adds the points: of readings; or, of iterations, those of powers that are modelled.  The latter
 * returns false where no power is fitted. */
void profile_add_points(struct profile_job *job);
bool profile_add_folded(struct profile_job *job);

/* Sets the powers of positions: by points; or by the fits, which returns false where these do not
 * tell the numbers apart. */
void profile_set_measured(struct profile_job *job);
bool profile_set_modelled(struct profile_job *job);

/* Sets befores.  labels as in profile_make.  Returns false where the fits do not tell them apart.
 */
bool profile_set_befores(struct profile_job *job, const char *const *labels);

#endif
