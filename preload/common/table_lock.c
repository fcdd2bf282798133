/* SPDX-License-Identifier: MIT */
#include "preload/common/table_lock.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void free_in_child(void)
{
	lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

static void watch_forks(void)
{
	pthread_atfork(NULL, NULL, free_in_child);
}

void table_lock(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, watch_forks);
	pthread_mutex_lock(&lock);
}

void table_unlock(void)
{
	pthread_mutex_unlock(&lock);
}
