/* SPDX-License-Identifier: MIT */
#include "preload/hook.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>

#include "preload/conf.h"
#include "preload/gpu/opencl_abi.h"
#include "preload/open.h"

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

static dlsym_function *real_dlsym(void)
{
	static dlsym_function *found;
	const struct link_map *object;

	if (found)
		return found;
	for (object = _r_debug.r_map; object && object->l_ld != _DYNAMIC; object = object->l_next)
		;
	for (object = object ? object->l_next : NULL; object && !found; object = object->l_next)
		found = (dlsym_function *)defined_in(object, "dlsym");
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

/* What stands behind each hook by symbol, as far as the program has told us. */
static void *next_by_symbol[HOOK_COUNT];

static int hooked_name(const char *name)
{
	if (name[0] != 'c' || name[1] != 'l')
		return -1;
	for (int id = 0; id < HOOK_COUNT; id++)
		if (hook_rows[id].trampoline[HOOK_BY_SYMBOL] && same_name(hook_rows[id].name, name))
			return id;
	return -1;
}

struct route {
	void *jump;   /* where to go on, with the arguments as they came; or NULL and ... */
	void *answer; /* ... what dlsym returns */
};

struct route hook_route_dlsym(void *handle, const char *name);

__attribute__((used)) struct route hook_route_dlsym(void *handle, const char *name)
{
	struct route on = {.jump = real_dlsym()};
	int id = name && open_wanted() ? hooked_name(name) : -1;
	void *own, *real;

	if (id < 0)
		return on;
	own = hook_rows[id].trampoline[HOOK_BY_SYMBOL];
	/* Our own export must not make a library seem loaded that is not. */
	real = hook_real_dlsym(handle == RTLD_DEFAULT ? RTLD_NEXT : handle, name);
	if (handle == RTLD_NEXT && real)
		return on;
	if (real == own)
		real = hook_real_dlsym(RTLD_NEXT, name);
	if (!real)
		return (struct route){.answer = NULL};
	if (!next_by_symbol[id])
		next_by_symbol[id] = real;
	return (struct route){.answer = next_by_symbol[id] == real ? own : real};
}

#if defined(__x86_64__)
__asm__(".text\n"
	".globl dlsym\n"
	".type dlsym, @function\n"
	"dlsym:\n"
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

/* ---- the first call of a hook ---- */

static void *const *layer_dispatch;
static size_t layer_entries;

bool hook_layer_attach(void *const *dispatch, size_t entries)
{
	if (layer_dispatch)
		return false;
	layer_entries = entries;
	layer_dispatch = dispatch;
	return true;
}

static void *next_of(enum hook_path path, enum hook_id id)
{
	const struct hook_row *row = &hook_rows[id];

	if (path == HOOK_BY_LAYER)
		return row->dispatch_index < layer_entries ? layer_dispatch[row->dispatch_index]
							   : NULL;
	if (!next_by_symbol[id])
		next_by_symbol[id] = hook_real_dlsym(RTLD_NEXT, row->name);
	return next_by_symbol[id];
}

/* The engine calls real functions of the one library whose hook came first. */
static void fill_real(enum hook_path path, void *first_real)
{
	void *library = NULL;
	Dl_info info;

	if (path == HOOK_BY_SYMBOL && dladdr(first_real, &info))
		library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
	for (int id = 0; id < HOOK_COUNT; id++) {
		if (path == HOOK_BY_LAYER)
			open_host.real[id] = next_of(path, id);
		else if (library)
			open_host.real[id] = hook_real_dlsym(library, hook_rows[id].name);
	}
}

static int missing_status(void)
{
	return CL_INVALID_OPERATION;
}

static void *missing_object(void)
{
	return NULL;
}

/* Whether calls by path are the engine's; the first path to ask is. */
static bool path_is_ours(enum hook_path path, void *real)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static int owner = -1;

	pthread_mutex_lock(&lock);
	if (owner < 0) {
		owner = path;
		fill_real(path, real);
	}
	pthread_mutex_unlock(&lock);
	return owner == (int)path;
}

void *hook_first(enum hook_path path, enum hook_id id)
{
	const struct hook_row *row = &hook_rows[id];
	void *real = next_of(path, id);
	void *target = real;

	if (!real)
		return row->returns_status ? (void *)missing_status : (void *)missing_object;
	/* By symbol only where it is allowed, and no loader brings the call to our layer. */
	if (path == HOOK_BY_LAYER || (!layer_dispatch && conf_lists(conf.opencl, "symbols"))) {
		enum open_state state = open_engine(row->opens);

		if (state == OPEN_NOT_YET)
			return real;
		if (state == OPEN_READY && path_is_ours(path, real) && open_host.real[id] == real)
			target = open_host.engine->wrappers[id];
	}
	__atomic_store_n(&hook_target[path][id], target, __ATOMIC_RELAXED);
	return target;
}
