/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_CODE_METADATA_H
#define PWRTRACE_CODE_METADATA_H

#include "preload/engine/gpu/code/code_object.h"

/* Calls visit for each kernel of a code object's metadata (MessagePack).  Returns false if it is
 * damaged; the kernels before the damage are visited.  Any thread. */
bool code_metadata_read(const uint8_t *bytes, size_t size, code_visitor *visit, void *data);

#endif
