/* SPDX-License-Identifier: MIT */
#include "analyzer/store/mapped_array.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define ROOM_MIN (64 * (gsize)1024)
#define ROOM_IN_MEMORY (256 * (gsize)1024 * 1024) /* a file costs a third more time */
#define STEP (64 * (gsize)1024 * 1024)            /* by which a file grows, in bytes */
#define BLOCK (8 * (gsize)1024 * 1024)            /* sorted at once, in bytes */
#define PIECE (64 * (gsize)1024)                  /* written at once, in bytes */

struct mapped_array *mapped_array_new(gsize size)
{
	struct mapped_array *array = g_new0(struct mapped_array, 1);

	array->size = size;
	array->file = -1;
	g_mutex_init(&array->staging);
	while (size << (array->chunk_shift + 1) <= MAPPED_ARRAY_CHUNK)
		array->chunk_shift++;
	for (guint i = 0; i < MAPPED_ARRAY_HOT; i++)
		atomic_init(&array->hot[i], UINT_MAX);
	return array;
}

struct mapped_array *mapped_array_new_unfailing(gsize size)
{
	struct mapped_array *array = mapped_array_new(size);

	array->unfailing = true;
	return array;
}

static gsize chunk_bytes(const struct mapped_array *array)
{
	return array->size << array->chunk_shift;
}

void mapped_array_free(struct mapped_array *array)
{
	if (!array)
		return;
	if (array->elements)
		munmap(array->elements, array->room);
	if (array->file >= 0)
		close(array->file);
	g_free(array->is_hot);
	g_free(array->staged);
	g_mutex_clear(&array->staging);
	g_free(array);
}

/* ---- room ---- */

const char *mapped_array_directory(void)
{
	const char *wanted = getenv("TMPDIR");

	if (wanted && *wanted)
		return wanted;
	return access("/var/tmp", W_OK) == 0 ? "/var/tmp" : "/tmp";
}

/* Returns a descriptor, or -1 with errno. */
static int open_nameless(void)
{
	const char *directory = mapped_array_directory();
	int file = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	char *path;

	/* Not each file system knows O_TMPFILE; EISDIR is of kernels that do not. */
	if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR))
		return file;
	path = g_build_filename(directory, "pwrtrace-XXXXXX", NULL);
	file = g_mkstemp_full(path, O_RDWR | O_CLOEXEC, 0600);
	if (file >= 0)
		unlink(path);
	g_free(path);
	return file;
}

/* Makes room in a file; where it is full, it must not show only when a page is written (SIGBUS). */
static bool extend(int file, gsize room)
{
	errno = posix_fallocate(file, 0, (off_t)room);
	return errno == 0;
}

/* Writes to a file, since a copy to its mapping would fault on each page.  What is written at once,
 * a file system may later map at once: in pieces, few chunks stay resident. */
static bool write_in_pieces(int file, const char *from, gsize bytes, gsize to)
{
	for (gsize at = 0; at < bytes;) {
		ssize_t written = pwrite(file, from + at, MIN(bytes - at, PIECE), (off_t)(to + at));

		if (written < 0)
			return false;
		at += (gsize)written;
	}
	return true;
}

/* Writes the staged elements to their place in the file.  Threads that read wait for it. */
static void write_staged(struct mapped_array *array)
{
	gsize at, bytes;

	g_mutex_lock(&array->staging);
	at = (gsize)array->staged_from * array->size;
	bytes = (gsize)array->staged_count * array->size;
	if (!write_in_pieces(array->file, array->staged, bytes, at))
		memcpy(array->elements + at, array->staged, bytes);
	array->staged_count = 0;
	g_mutex_unlock(&array->staging);
}

/* Keeps element i, whose chunk is not resident, to write it together with others. */
static void stage(struct mapped_array *array, guint i, const void *element)
{
	guint most = 1u << array->chunk_shift;

	if (!array->staged)
		array->staged = g_malloc(chunk_bytes(array));
	if (array->staged_count == most || array->staged_from + array->staged_count != i) {
		write_staged(array);
		array->staged_from = i;
	}
	memcpy(array->staged + (gsize)array->staged_count++ * array->size, element, array->size);
}

/* Moves the elements into a mapping of a file that has them, which may be -1 for memory. */
static bool move(struct mapped_array *array, int file, gsize room)
{
	char *mapped = mmap(NULL, room, PROT_READ | PROT_WRITE,
		file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, file, 0);

	if (mapped == MAP_FAILED)
		return false;
	/* File systems that read ahead in large folios would map several chunks at once; memory is
	 * gone through again and again, which huge pages make a quarter faster. */
	madvise(mapped, room, file >= 0 ? MADV_RANDOM : MADV_HUGEPAGE);
	if (array->elements) {
		write_staged(array);
		if (file < 0)
			memcpy(mapped, array->elements, (gsize)array->len * array->size);
		munmap(array->elements, array->room);
	}
	if (array->file >= 0)
		close(array->file);
	array->elements = mapped;
	array->file = file;
	return true;
}

static bool move_to_file(struct mapped_array *array, gsize room)
{
	int file = open_nameless(), error;

	if (file >= 0 && extend(file, room) &&
		write_in_pieces(file, array->elements, (gsize)array->len * array->size, 0) &&
		move(array, file, room))
		return true;
	error = errno;
	if (file >= 0)
		close(file);
	errno = error;
	return false;
}

static bool extend_mapped(struct mapped_array *array, gsize room)
{
	char *mapped;

	if (array->file >= 0 && !extend(array->file, room))
		return false;
	mapped = mremap(array->elements, array->room, room, MREMAP_MAYMOVE);
	if (mapped == MAP_FAILED)
		return false;
	array->elements = mapped;
	return true;
}

static bool grow(struct mapped_array *array, gsize room)
{
	if (array->file < 0 && room > ROOM_IN_MEMORY ? move_to_file(array, room)
		: array->elements                    ? extend_mapped(array, room)
						     : move(array, -1, room))
		return true;
	return array->unfailing && move(array, -1, room);
}

static void lengthen_is_hot(struct mapped_array *array, gsize room)
{
	gsize bytes = chunk_bytes(array);
	gsize before = (array->room + bytes - 1) / bytes, after = (room + bytes - 1) / bytes;

	array->is_hot = g_renew(atomic_bool, array->is_hot, after);
	for (gsize i = before; i < after; i++)
		atomic_init(&array->is_hot[i], false);
}

static bool make_room(struct mapped_array *array, gsize needed)
{
	gsize room = MAX(array->room, ROOM_MIN);

	while (room < needed)
		room += MIN(room, STEP);
	if (room <= array->room)
		return true;
	if (!grow(array, room))
		return false;
	lengthen_is_hot(array, room);
	array->room = room;
	return true;
}

bool mapped_array_lengthen(struct mapped_array *array, guint len)
{
	errno = EOVERFLOW;
	if (len == UINT32_MAX || !make_room(array, (gsize)len * array->size)) {
		if (array->unfailing)
			g_error("no room for an array: %s", g_strerror(errno));
		return false;
	}
	array->len = MAX(array->len, len);
	return true;
}

bool mapped_array_append(struct mapped_array *array, const void *element)
{
	guint i = array->len;

	if ((i + 1 == UINT32_MAX || ((gsize)i + 1) * array->size > array->room) &&
		!mapped_array_lengthen(array, i + 1))
		return false;
	array->len = i + 1;
	if (array->file < 0 || atomic_load(&array->is_hot[i >> array->chunk_shift]))
		memcpy(mapped_array_at(array, i), element, array->size);
	else
		stage(array, i, element);
	return true;
}

/* The file keeps the chunk that makes way, so a thread that still uses it finds it there. */
void mapped_array_heat(struct mapped_array *array, guint chunk)
{
	gsize bytes = chunk_bytes(array);
	guint place, cold;

	write_staged(array);
	if (atomic_exchange(&array->is_hot[chunk], true))
		return;
	place = atomic_fetch_add(&array->heated, 1) % MAPPED_ARRAY_HOT;
	cold = atomic_exchange(&array->hot[place], chunk);
	if (cold == UINT_MAX)
		return;
	atomic_store(&array->is_hot[cold], false);
	if (array->file >= 0)
		madvise(array->elements + cold * bytes, MIN(bytes, array->room - cold * bytes),
			MADV_DONTNEED);
}

/* ---- sorting ---- */

static bool in_order(struct mapped_array *array, guint begin, guint end, GCompareFunc compare)
{
	for (guint i = MAX(begin, 1); i < end; i++)
		if (compare(mapped_array_at(array, i - 1), mapped_array_at(array, i)) > 0)
			return false;
	return true;
}

static int compare_with(gconstpointer a, gconstpointer b, gpointer compare)
{
	return (*(GCompareFunc *)compare)(a, b);
}

/* Merges count sorted elements of block into the first `begin` ones of the array, from the end; the
 * array has room for them behind these. */
static void merge(struct mapped_array *array, guint begin, const char *block, guint count,
	GCompareFunc compare)
{
	while (count > 0) {
		const char *last = block + (gsize)(count - 1) * array->size;
		char *to = mapped_array_at(array, begin + count - 1);
		const char *before = begin > 0 ? mapped_array_at(array, begin - 1) : NULL;
		bool is_before = before && compare(before, last) > 0;

		memcpy(to, is_before ? before : last, array->size);
		begin -= is_before;
		count -= !is_before;
	}
}

void mapped_array_sort(struct mapped_array *array, GCompareFunc compare)
{
	guint most = (guint)(BLOCK / array->size);
	char *block = NULL;

	for (guint begin = 0, count; begin < array->len; begin += count) {
		count = MIN(most, array->len - begin);
		if (in_order(array, begin, begin + count, compare))
			continue;
		if (!block)
			block = g_malloc((gsize)most * array->size);
		for (guint i = 0; i < count; i++)
			memcpy(block + (gsize)i * array->size, mapped_array_at(array, begin + i),
				array->size);
		g_qsort_with_data(block, (gint)count, array->size, compare_with, &compare);
		merge(array, begin, block, count, compare);
	}
	g_free(block);
}
