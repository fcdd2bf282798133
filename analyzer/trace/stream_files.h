/* SPDX-License-Identifier: MIT */
/* Where sub-traces are, their stream files, and how packets begin. */
#ifndef PWRTRACE_TRACE_STREAM_FILES_H
#define PWRTRACE_TRACE_STREAM_FILES_H

#include <glib.h>
#include <stdint.h>

/* The beginning of a packet as LTTng-UST 2.x writes it on x86: packet header and packet context.
 * Sizes are in bits and include this; times are in the cycles of the trace's clock. */
struct packet_head {
	uint32_t magic;
	uint8_t uuid[16];
	uint32_t stream_class;
	uint64_t stream;
	uint64_t begin;
	uint64_t end; /* 0 in what lttng-crash saves */
	uint64_t content_bits;
	uint64_t packet_bits;
	uint64_t number;
	uint64_t discarded; /* events of this stream that were lost until now */
	uint32_t cpu;
} __attribute__((packed));

#define PACKET_MAGIC 0xC1FC1FC1u

/* Returns the directories at or below a directory that have a metadata file, in the order of their
 * names (char *).  The caller frees it with g_ptr_array_free(found, TRUE). */
GPtrArray *sub_traces(const char *directory);

/* Returns the paths of a sub-trace's stream files, its files but the metadata and hidden ones, in
 * the order of their names (char *).  The caller frees it with g_ptr_array_free(paths, TRUE). */
GPtrArray *stream_files(const char *directory);

#endif
