/* SPDX-License-Identifier: MIT */
/* Which kernel a user means: the one whose whole name was given, else the only one whose name it is
 * a part of. */
#ifndef PWRTRACE_CHOOSE_H
#define PWRTRACE_CHOOSE_H

#include <glib.h>

/* A kernel that may be meant. */
struct choose_name {
	const char *label; /* what no other is called, as "gemm [65536×4 /128×1]" */
	const char *name, *short_name;
};

/* Returns which of count kernels a text means.  Where it means none, or more than one, returns
 * count, and one line in *why, which names the nearest by edit distance; the caller frees it. */
guint choose_kernel(const struct choose_name *kernels, guint count, const char *text, char **why);

/* A name with the shape behind it, where there is one; the caller frees it with g_free. */
char *choose_shaped(const char *name, const char *shape);

/* The edit distance between a text and that part of a name which is most like it, in bytes. */
guint choose_distance(const char *text, const char *name);

#endif
