/* SPDX-License-Identifier: MIT */
/* dlsym as the program sees it: its lookups of hooked functions find ours. */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "preload/common/names.h"
#include "preload/shim/base/real_dlsym.h"
#include "preload/shim/hook/hook.h"
#include "preload/shim/layer/python.h"
#include "preload/shim/open/open.h"

/* ---- the dlsym override ----
 *
 * glibc resolves RTLD_NEXT and RTLD_DEFAULT from its return address, so the override must jump to
 * the real dlsym with the program's own return address on the stack: dlsym itself is assembly
 * that asks hook_route_dlsym() and either jumps or returns the answer. */

static int hooked_name(const char *name)
{
	static const char beginnings[] =
#define API(name, libraries, beginnings, missing_status) beginnings " "
#include "preload/api/apis.def"
		;
	bool may_be = name_begins(name, beginnings);

	for (int id = 0; may_be && id < HOOK_COUNT; id++)
		if (hook_rows[id].trampoline && same_name(hook_rows[id].name, name))
			return id;
	return -1;
}

/* Whose lookups are left alone, by how their file names begin: drivers look for their own
 * functions, and our engine for the real ones. */
static const char *const exempt_callers[] = {
	"libpwrtrace",
	"libcuda.so",
	"libcupti.so",
	"libnvidia-",
	"libnvperf",
	"libamdhip64.so",
	"librocprofiler",
	"libroctracer",
	"libhsa-runtime",
};

static bool caller_is_exempt(void *return_address)
{
	const char *name;
	Dl_info caller;

	if (!dladdr(return_address, &caller) || !caller.dli_fname)
		return false;
	name = name_of_file(caller.dli_fname);
	for (size_t i = 0; i < sizeof(exempt_callers) / sizeof(*exempt_callers); i++)
		if (name_begins(name, exempt_callers[i]))
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
		next = (char *(*)(void))real_definition("dlerror");
	real = next();
	if (!real || !failed_for || strncmp(real, own, length) != 0 ||
		strncmp(real + length, ": undefined symbol: ", 20) != 0)
		return real;
	snprintf(text, sizeof(text), "%s%s", failed_for, real + length);
	return text;
}

static bool in_program(void *address)
{
	const struct link_map *map = NULL;
	Dl_info info;

	return address && dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) &&
	       map == _r_debug.r_map;
}

struct dlsym_route {
	void *jump;   /* where to go on, with the arguments as they came; or NULL and ... */
	void *answer; /* ... what dlsym returns */
};

struct dlsym_route hook_route_dlsym(void *handle, const char *name, void *return_address);

__attribute__((used)) struct dlsym_route hook_route_dlsym(
	void *handle, const char *name, void *return_address)
{
	struct dlsym_route on = {.jump = real_dlsym_function()};
	int id = name && open_wanted() ? hooked_name(name) : -1;
	void *own, *real;

	if (name && name_begins(name, "PyInit_") && python_wanted())
		python_imports(handle, name);

	if (id < 0 || caller_is_exempt(return_address))
		return on;
	own = hook_rows[id].trampoline;
	real = real_dlsym(handle, name);
	if (in_program(real) && program_defines(name))
		return on;
	if (handle == RTLD_NEXT && real)
		return on;
	/* Our own export, or a stub in the program that leads to it, must not make a library seem
	 * loaded that is not. */
	if (real == own || in_program(real))
		real = real_dlsym(RTLD_NEXT, name);
	if (!real)
		failed_for = name_of(return_address);
	return (struct dlsym_route){.answer = real ? hook_bind(id, real) : NULL};
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
