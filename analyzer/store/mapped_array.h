/* SPDX-License-Identifier: MIT */
/*
 * An array for many millions of elements.  A large one lies in a temporary file without a name,
 * which is mapped, and of which only the parts used last are resident: any order of access works,
 * and orders that stay near some places for a while are fast.  A small one lies in memory.
 *
 * The file is in $TMPDIR, else in /var/tmp or /tmp, and gone when the array is, or the process.
 * Several threads may read an array that none changes.
 */
#ifndef PWRTRACE_MAPPED_ARRAY_H
#define PWRTRACE_MAPPED_ARRAY_H

#include <glib.h>
#include <stdatomic.h>
#include <stdbool.h>

#define MAPPED_ARRAY_HOT 32             /* chunks of a large array that are resident */
#define MAPPED_ARRAY_CHUNK (256 * 1024) /* bytes, about: elements of a chunk are a power of two */

struct mapped_array {
	guint len;
	gsize size; /* of an element, in bytes */
	char *elements;
	guint chunk_shift; /* a chunk has 2^chunk_shift elements */
	gsize room;        /* of elements, in bytes */
	int file;          /* -1: it lies in memory */
	bool unfailing;
	char *staged; /* the last elements, until they are written to the file: room for a chunk */
	guint staged_from, staged_count; /* elements */
	GMutex staging;
	atomic_bool *is_hot;               /* by chunk: whether it is resident */
	atomic_uint hot[MAPPED_ARRAY_HOT]; /* these chunks; UINT_MAX: none */
	atomic_uint heated;                /* how many chunks have been made resident */
};

/* An empty array of elements of `size` bytes; free with mapped_array_free, which takes NULL too. */
struct mapped_array *mapped_array_new(gsize size);
void mapped_array_free(struct mapped_array *array);

/* The same, but where its file has no room, it lies in memory: it can always be lengthened. */
struct mapped_array *mapped_array_new_unfailing(gsize size);

/* Makes it longer; new elements are 0 in each byte.  Returns false, with errno and without a
 * change, where there is no room for it, or len is UINT32_MAX, since indexes have 32 bits. */
bool mapped_array_lengthen(struct mapped_array *array, guint len);

/* Adds a copy of an element at the end; fails like mapped_array_lengthen. */
bool mapped_array_append(struct mapped_array *array, const void *element);

/* Sorts it; equal elements stay in their order.  It is fast where elements are nearly in order. */
void mapped_array_sort(struct mapped_array *array, GCompareFunc compare);

/* The directory of temporary files; a static string, or one of the environment. */
const char *mapped_array_directory(void);

/* For mapped_array_at: makes a chunk resident instead of the one that has been so for longest. */
void mapped_array_heat(struct mapped_array *array, guint chunk);

/* Element i, which must be below len.  The pointer is valid until the array is lengthened. */
static inline void *mapped_array_at(struct mapped_array *array, guint i)
{
	guint chunk = i >> array->chunk_shift;

	if (!atomic_load_explicit(&array->is_hot[chunk], memory_order_relaxed))
		mapped_array_heat(array, chunk);
	return array->elements + (gsize)i * array->size;
}

#endif
