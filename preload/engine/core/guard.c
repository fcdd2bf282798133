/* SPDX-License-Identifier: MIT */
#include "preload/engine/core/guard.h"

__thread unsigned guard_depth;
