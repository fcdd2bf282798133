/* SPDX-License-Identifier: MIT */
/*
 * What kernels need, as AMD's code objects say: ELF files with a note of MessagePack (versions 3 to
 * 6; https://llvm.org/docs/AMDGPUUsage.html#code-object-metadata).  They come alone (hsaco), in a
 * bundle with those for other GPUs (https://clang.llvm.org/docs/ClangOffloadBundler.html), or with
 * the host's code, whose section .hip_fatbin holds bundles.
 *
 * Damaged ones are left out: nothing here trusts a size or a count.
 */
#ifndef PWRTRACE_CODE_OBJECT_H
#define PWRTRACE_CODE_OBJECT_H

#include "preload/engine/gpu/code/code_source.h"
#include "preload/engine/gpu/gpu.h"

/* The processors of this machine, as "gfx90a": which one of a bundle's code objects runs. */
#define CODE_TARGETS_MAX 16
struct code_targets {
	unsigned count;
	char names[CODE_TARGETS_MAX][16];
};

enum code_result {
	CODE_NONE, /* there is no code of AMD's */
	CODE_READ,
	CODE_COMPRESSED, /* a bundle that is ("CCOB") */
	CODE_VERSION_2,  /* metadata is YAML there */
	CODE_DAMAGED,
	CODE_AMBIGUOUS, /* which of a bundle's code objects runs is not known */
};

/* name: its symbol's, mangled, and not ended by a NUL; code.arguments is none. */
struct code_kernel {
	const char *name;
	size_t name_bytes;
	struct gpu_code code;
	/* What it is passed, "global_buffer:8 by_value:4": kinds and bytes, without what the
	 * compiler adds. */
	char arguments[256];
	/* The variables of its code object that it may change, of whatever function's: names,
	 * each with a space before and behind it.  NULL: not told. */
	const char *variables;
	bool calls_host; /* may print, or allocate memory */
};

typedef void code_visitor(void *data, const struct code_kernel *kernel);

/* Calls visit for each kernel.  Returns how far it came; the worst of several code objects'. */
enum code_result code_read(const struct code_source *source, const struct code_targets *targets,
	code_visitor *visit, void *data);

/* How long an image in memory is that the runtime has taken: its headers are true.  0: it is none
 * that we know. */
uint64_t code_image_bytes(const void *image);

#endif
