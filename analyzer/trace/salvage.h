/* SPDX-License-Identifier: MIT */
/*
 * Makes torn traces readable.  A full disk or a power cut ends a stream file in the middle of a
 * packet (the file is torn), and libbabeltrace2 then refuses the whole trace.
 */
#ifndef PWRTRACE_TRACE_SALVAGE_H
#define PWRTRACE_TRACE_SALVAGE_H

/* Returns the directory to read in place of a sub-trace's: the same where no file is torn, else a
 * temporary one with copies of the whole packets of torn files and links to the others, after a
 * warning for each.  Pass it to salvage_close() and free it with g_free.  Returns NULL, after a
 * warning, where nothing can be read. */
char *salvage_open(const char *directory);

/* Removes the temporary directory, where salvage_open(directory) made one. */
void salvage_close(const char *directory, const char *opened);

#endif
