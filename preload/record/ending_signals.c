/* SPDX-License-Identifier: MIT */
#include "preload/record/ending_signals.h"

#include <signal.h>
#include <stddef.h>
#include <sys/signalfd.h>

int ending_signals_open(void)
{
	static const int ending[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
	sigset_t signals;

	sigemptyset(&signals);
	for (size_t i = 0; i < sizeof(ending) / sizeof(*ending); i++)
		sigaddset(&signals, ending[i]);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	return signalfd(-1, &signals, SFD_CLOEXEC);
}
