/* SPDX-License-Identifier: MIT */
/* dlsym as the program sees it: its lookups of hooked functions find ours. */
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "preload/shim/hook.h"
#include "preload/shim/layer/python.h"
#include "preload/shim/layer/source.h"
#include "preload/shim/open.h"

/* ---- the real dlsym ----
 *
 * The first definition of dlsym behind our own in the global scope: libc's, or that of another
 * interposer.  It is wanted before any constructor of ours has run, in processes where libc's
 * string functions are still unresolved (sanitizers): nothing is called here. */

static bool same_name(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

static bool begins(const char *name, const char *beginning)
{
	while (*beginning && *name == *beginning)
		name++, beginning++;
	return !*beginning;
}

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

typedef void *dlsym_function(void *, const char *);

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

static void *defined_behind_us(const char *name)
{
	void *found = preloaded_before(name);

	return found ? found : first_definition(first_of_namespace(), name);
}

bool hook_preloaded(void)
{
	static int known; /* 1: preloaded, 2: not */

	if (!known)
		known = preloaded_before("dlsym") ? 1 : 2;
	return known == 1;
}

static dlsym_function *real_dlsym(void)
{
	static dlsym_function *found;

	if (!found)
		found = (dlsym_function *)defined_behind_us("dlsym");
	return found;
}

void *hook_real_dlsym(void *handle, const char *name)
{
	return real_dlsym()(handle, name);
}

/* ---- the dlsym override ----
 *
 * glibc resolves RTLD_NEXT and RTLD_DEFAULT from its return address, so the override must jump to
 * the real dlsym with the program's own return address on the stack: dlsym itself is assembly
 * that asks route_dlsym() and either jumps or returns the answer. */

static int hooked_name(const char *name)
{
	static const char *const beginnings[] = {"cl", "cu", "hip", "_Z", "__hip", "nvtx", "roctx"};
	bool may_be = false;

	for (size_t i = 0; i < sizeof(beginnings) / sizeof(*beginnings); i++)
		may_be |= begins(name, beginnings[i]);
	for (int id = 0; may_be && id < HOOK_COUNT; id++)
		if (hook_rows[id].trampoline[HOOK_BY_SYMBOL] && same_name(hook_rows[id].name, name))
			return id;
	return -1;
}

/* Drivers look for their own functions, and our engine for the real ones. */
static bool caller_is_exempt(void *return_address)
{
	static const char *const exempt[] = {"libpwrtrace", "libcuda.so", "libcupti.so",
		"libnvidia-", "libnvperf", "libamdhip64.so", "librocprofiler", "libroctracer",
		"libhsa-runtime"};
	const char *name;
	Dl_info caller;

	if (!dladdr(return_address, &caller) || !caller.dli_fname)
		return false;
	name = strrchr(caller.dli_fname, '/');
	name = name ? name + 1 : caller.dli_fname;
	for (size_t i = 0; i < sizeof(exempt) / sizeof(*exempt); i++)
		if (strncmp(name, exempt[i], strlen(exempt[i])) == 0)
			return true;
	return false;
}

/* ---- dlerror: a lookup that failed in our name shall read as the program's own ---- */

static __thread const char *failed_for;

static const char *name_of(void *address)
{
	const struct link_map *map = NULL;
	Dl_info info;

	if (!dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) || !map || !*map->l_name)
		return program_invocation_name;
	return map->l_name;
}

__attribute__((visibility("default"))) char *dlerror(void)
{
	static __thread char text[512];
	static char *(*next)(void);
	char *real;
	const char *own = name_of((void *)dlerror);
	size_t length = strlen(own);

	/* Not by dlsym, which would forget the error. */
	if (!next)
		next = (char *(*)(void))defined_behind_us("dlerror");
	real = next();
	if (!real || !failed_for || strncmp(real, own, length) != 0 ||
		strncmp(real + length, ": undefined symbol: ", 20) != 0)
		return real;
	snprintf(text, sizeof(text), "%s%s", failed_for, real + length);
	return text;
}

struct route {
	void *jump;   /* where to go on, with the arguments as they came; or NULL and ... */
	void *answer; /* ... what dlsym returns */
};

struct route hook_route_dlsym(void *handle, const char *name, void *return_address);

__attribute__((used)) struct route hook_route_dlsym(
	void *handle, const char *name, void *return_address)
{
	struct route on = {.jump = real_dlsym()};
	int id = name && open_wanted() ? hooked_name(name) : -1;
	void *own, *real;

	if (name && layer_wanted[LAYER_torch] && begins(name, "PyInit_"))
		python_imports(name);

	if (id < 0 || caller_is_exempt(return_address))
		return on;
	own = hook_rows[id].trampoline[HOOK_BY_SYMBOL];
	/* Our own export must not make a library seem loaded that is not. */
	real = hook_real_dlsym(handle == RTLD_DEFAULT ? RTLD_NEXT : handle, name);
	if (handle == RTLD_NEXT && real)
		return on;
	if (real == own)
		real = hook_real_dlsym(RTLD_NEXT, name);
	if (!real)
		failed_for = name_of(return_address);
	return (struct route){.answer = real ? hook_bind(id, real) : NULL};
}

#if defined(__x86_64__)
__asm__(".text\n"
	".globl dlsym\n"
	".type dlsym, @function\n"
	"dlsym:\n"
	"	movq (%rsp), %rdx\n"
	"	pushq %rdi\n"
	"	pushq %rsi\n"
	"	subq $8, %rsp\n"
	"	call hook_route_dlsym\n"
	"	addq $8, %rsp\n"
	"	popq %rsi\n"
	"	popq %rdi\n"
	"	testq %rax, %rax\n"
	"	jz 1f\n"
	"	jmp *%rax\n"
	"1:	movq %rdx, %rax\n"
	"	ret\n"
	".size dlsym, .-dlsym\n");
#elif defined(__aarch64__)
__asm__(".text\n"
	".globl dlsym\n"
	".type dlsym, %function\n"
	"dlsym:\n"
	"	stp x0, x1, [sp, #-32]!\n"
	"	str x30, [sp, #16]\n"
	"	mov x2, x30\n"
	"	bl hook_route_dlsym\n"
	"	mov x16, x0\n"
	"	mov x17, x1\n"
	"	ldr x30, [sp, #16]\n"
	"	ldp x0, x1, [sp], #32\n"
	"	cbz x16, 1f\n"
	"	br x16\n"
	"1:	mov x0, x17\n"
	"	ret\n"
	".size dlsym, .-dlsym\n");
#else
#error "dlsym needs its jump written for this processor"
#endif
