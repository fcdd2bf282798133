/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_CODE_METADATA_H
#define PWRTRACE_CODE_METADATA_H

#include "preload/engine/gpu/code/code_object.h"

/* Calls seen for each kernel of a code object's metadata.  Returns false where it is damaged; what
 * stands before is then seen all the same. */
bool code_metadata_read(const uint8_t *bytes, size_t size, code_seen *seen, void *data);

#endif
