/* SPDX-License-Identifier: MIT */
#include "preload/engine/core/process.h"

#include <pthread.h>
#include <unistd.h>

uint32_t process_pid;

static void ask(void)
{
	process_pid = (uint32_t)getpid();
}

void process_start(void)
{
	ask();
	pthread_atfork(NULL, NULL, ask);
}
