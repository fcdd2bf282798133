/* SPDX-License-Identifier: MIT */
/*
 * A GPU runtime that dlmopen gave a namespace of its own loads a second copy of the shim there: its
 * injection, or its layer.  That copy records nothing; it hands what it is told to the first, the
 * one in the program's own namespace.
 */
#ifndef PWRTRACE_NAMESPACE_H
#define PWRTRACE_NAMESPACE_H

#include <dlfcn.h>

/* The namespace that we are in. */
Lmid_t namespace_ours(void);

/* The first copy's exported function of that name; loads that copy where LD_PRELOAD has not.  NULL
 * where we are the first, or there can be none. */
void *namespace_first(const char *name);

#endif
