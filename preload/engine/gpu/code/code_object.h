/* SPDX-License-Identifier: MIT */
/*
 * What kernels need, from AMD's code objects: ELF files with a note in MessagePack (versions 3 to
 * 6; https://llvm.org/docs/AMDGPUUsage.html#code-object-metadata).  They come alone (hsaco), in a
 * bundle with those for other GPUs (https://clang.llvm.org/docs/ClangOffloadBundler.html), or in
 * the host's code, whose section .hip_fatbin contains bundles.
 *
 * code_read trusts no size or count, and skips what is damaged.  Any thread.
 */
#ifndef PWRTRACE_CODE_OBJECT_H
#define PWRTRACE_CODE_OBJECT_H

#include "preload/engine/gpu/code/code_source.h"
#include "preload/engine/gpu/gpu.h"

/* The processors of this machine, as "gfx90a": they decide which code object of a bundle runs. */
#define CODE_TARGETS_MAX 16
struct code_targets {
	unsigned count;
	char names[CODE_TARGETS_MAX][16];
};

enum code_result {
	CODE_NONE, /* there is no code for AMD's GPUs */
	CODE_READ,
	CODE_COMPRESSED, /* a compressed bundle ("CCOB"), which is not read */
	CODE_VERSION_2,  /* of which metadata is YAML, which is not read */
	CODE_DAMAGED,
	CODE_AMBIGUOUS, /* it is unknown which code object of a bundle runs */
};

/* A kernel, valid during the visit.  name: its mangled symbol, without a NUL; code.arguments is not
 * set. */
struct code_kernel {
	const char *name;
	size_t name_bytes;
	struct gpu_code code;
	/* The kinds and bytes of its arguments, as "global_buffer:8 by_value:4", without those that
	 * the compiler adds. */
	char arguments[256];
	/* The names of all variables of its code object that code may change, each with a space
	 * before and after it.  NULL: unknown. */
	const char *variables;
	bool constants;  /* its code object may have variables that code cannot change */
	bool calls_host; /* may print, or allocate memory */
};

/* data: as given to code_read. */
typedef void code_visitor(void *data, const struct code_kernel *kernel);

/* Calls visit for each kernel in source.  Returns the result, the worst one of several code
 * objects. */
enum code_result code_read(const struct code_source *source, const struct code_targets *targets,
	code_visitor *visit, void *data);

/* Returns the size of an image in memory, 0 if its format is unknown.  Only for images that the
 * runtime has accepted, because it trusts their headers. */
uint64_t code_image_bytes(const void *image);

#endif
