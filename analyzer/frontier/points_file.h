/* SPDX-License-Identifier: MIT */
/*
 * Points of time and energy in a file: comma-separated values as in RFC 4180, whose first line has
 * the headings name, time_s and energy_j, in any order, and may have ci95_s, ci95_j and others,
 * which are ignored.  pwrtrace frontier --format csv writes such files.
 */
#ifndef PWRTRACE_POINTS_FILE_H
#define PWRTRACE_POINTS_FILE_H

#include "analyzer/frontier/frontier.h"

/* Reads the points of a file: names, times above 0 and energies of at least 0; their group is "".
 * An empty field is an energy that is not known: NaN, or an error where all must be known.  Returns
 * them, free with g_array_unref; NULL after an error message. */
GArray *points_file_read(const char *path, bool all_known);

#endif
