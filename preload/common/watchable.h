/* SPDX-License-Identifier: MIT */
/* Whether the end of processes can be waited for: by pidfd_open, which older kernels do not have
 * and some containers forbid. */
#ifndef PWRTRACE_WATCHABLE_H
#define PWRTRACE_WATCHABLE_H

#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Where they are not, errno is that of pidfd_open. */
static inline bool processes_are_watchable(void)
{
	int own = (int)syscall(SYS_pidfd_open, getpid(), 0);

	return own >= 0 && close(own) == 0;
}

#endif
