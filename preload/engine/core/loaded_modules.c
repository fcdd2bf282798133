/* SPDX-License-Identifier: MIT */
#include "preload/engine/core/loaded_modules.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int loaded_modules_each(
	int (*each)(struct dl_phdr_info *object, size_t size, void *data), void *data)
{
	int result;

	pthread_mutex_lock(&lock);
	result = dl_iterate_phdr(each, data);
	pthread_mutex_unlock(&lock);
	return result;
}

void loaded_modules_before_fork(void)
{
	pthread_mutex_lock(&lock);
}

void loaded_modules_after_fork(void)
{
	pthread_mutex_unlock(&lock);
}
