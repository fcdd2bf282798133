/* SPDX-License-Identifier: MIT */
/*
 * Torn stream files: a full disk or a power cut ends a file in the middle of a packet, and
 * libbabeltrace2 then refuses the whole trace.
 */
#ifndef PWRTRACE_TRACE_SALVAGE_H
#define PWRTRACE_TRACE_SALVAGE_H

/* Returns the directory to read in place of directory: itself where all is whole, else a temporary
 * one with copies of the whole packets of torn files and links to the others, after saying so.
 * g_free it.  NULL where nothing can be read, after saying why. */
char *salvage_open(const char *directory);

/* Removes what salvage_open made. */
void salvage_close(const char *directory, const char *opened);

#endif
