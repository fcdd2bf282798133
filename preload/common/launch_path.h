/* SPDX-License-Identifier: MIT */
/*
 * For what runs and is read at each launch.  Between two launches the program and the GPU's runtime
 * fill the caches with their own, so that what a launch costs is lines of memory that come anew:
 * the fewer, the better.
 */
#ifndef PWRTRACE_LAUNCH_PATH_H
#define PWRTRACE_LAUNCH_PATH_H

/* For functions that are to be called, not inlined: what calls them would save the registers that
 * they need at each launch, also at those that do not come to them. */
#define APART __attribute__((noinline))

/* For conditions that hold (LIKELY) or do not hold (UNLIKELY) at almost every launch: the compiler
 * moves the code of the other case away from what each launch runs. */
#define LIKELY(condition) __builtin_expect((condition) != 0, 1)
#define UNLIKELY(condition) __builtin_expect((condition) != 0, 0)

/* For functions that each launch calls: the compiler puts them side by side. */
#define EACH_LAUNCH __attribute__((hot))

/* For variables that each launch reads and that are hardly written, unless they have cache lines of
 * their own: they lie side by side. */
#define READ_AT_LAUNCH __attribute__((section("read_at_launch")))

#endif
