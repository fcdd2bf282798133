/* SPDX-License-Identifier: MIT */
/*
 * The real dlsym is wanted before any constructor of ours has run, in processes where libc's string
 * functions are still unresolved (sanitizers): what finds it calls nothing outside this file.
 */
#include "preload/shim/base/real_dlsym.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>

static uint32_t gnu_hash(const char *name)
{
	uint32_t hash = 5381;

	for (; *name; name++)
		hash = hash * 33 + (unsigned char)*name;
	return hash;
}

static void *defined_in(const struct link_map *object, const char *name)
{
	const ElfW(Sym) *symbols = NULL;
	const char *strings = NULL;
	const uint32_t *table = NULL;
	uint32_t hash = gnu_hash(name);

	for (const ElfW(Dyn) *entry = object->l_ld; entry->d_tag != DT_NULL; entry++) {
		if (entry->d_tag == DT_SYMTAB)
			symbols = (const void *)entry->d_un.d_ptr;
		else if (entry->d_tag == DT_STRTAB)
			strings = (const void *)entry->d_un.d_ptr;
		else if (entry->d_tag == DT_GNU_HASH)
			table = (const void *)entry->d_un.d_ptr;
	}
	/* The vDSO's addresses are not relocated. */
	if (!symbols || !strings || !table || (uintptr_t)table < object->l_addr)
		return NULL;

	uint32_t buckets = table[0], first = table[1], bloom_words = table[2];
	const uint32_t *bucket = table + 4 + bloom_words * (sizeof(ElfW(Addr)) / 4);
	const uint32_t *chain = bucket + buckets;
	uint32_t i = buckets ? bucket[hash % buckets] : 0;

	if (i < first)
		return NULL;
	for (;; i++) {
		uint32_t entry = chain[i - first];

		if ((entry | 1) == (hash | 1) && symbols[i].st_shndx != SHN_UNDEF &&
			same_name(strings + symbols[i].st_name, name))
			return (void *)(object->l_addr + symbols[i].st_value);
		if (entry & 1)
			return NULL;
	}
}

/* Where we are not preloaded, but opened as a layer of OpenCL's, as CUDA's injection or in a
 * namespace of dlmopen's, none of our definitions hides another one. */
static const struct link_map *first_of_namespace(void)
{
	struct link_map *object = NULL;
	Dl_info self;

	if (!dladdr1(_DYNAMIC, &self, (void **)&object, RTLD_DL_LINKMAP))
		return NULL;
	while (object->l_prev)
		object = object->l_prev;
	return object;
}

static void *first_definition(const struct link_map *object, const char *name)
{
	void *found = NULL;

	for (; object && !found; object = object->l_next)
		found = object->l_ld == _DYNAMIC ? NULL : defined_in(object, name);
	return found;
}

/* NULL where we are not preloaded: what was loaded when we were opened stands before us. */
static void *preloaded_before(const char *name)
{
	const struct link_map *object = _r_debug.r_map;

	while (object && object->l_ld != _DYNAMIC)
		object = object->l_next;
	return object ? first_definition(object->l_next, name) : NULL;
}

void *real_definition(const char *name)
{
	void *found = preloaded_before(name);

	return found ? found : first_definition(first_of_namespace(), name);
}

bool program_defines(const char *name)
{
	return _r_debug.r_map && defined_in(_r_debug.r_map, name);
}

bool shim_preloaded(void)
{
	static int known; /* 1: preloaded, 2: not */

	if (!known)
		known = preloaded_before("dlsym") ? 1 : 2;
	return known == 1;
}

dlsym_function *real_dlsym_function(void)
{
	static dlsym_function *found;

	if (!found)
		found = (dlsym_function *)real_definition("dlsym");
	return found;
}

void *real_dlsym(void *handle, const char *name)
{
	return real_dlsym_function()(handle, name);
}
