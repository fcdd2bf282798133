/* SPDX-License-Identifier: MIT */
/*
 * What the images of device code say of their kernels, as they are given to the driver: cubins
 * (ELF), alone or in fat binaries, unless they are compressed; PTX tells nothing here.
 */
#ifndef PWRTRACE_CUDA_IMAGE_H
#define PWRTRACE_CUDA_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

/* Takes up an image that the driver has taken, of whatever kind.  Callable from any thread. */
void cuda_image_loaded(const void *image);

/* Likewise, of a file. */
void cuda_image_loaded_file(const char *path);

struct cuda_image {
	bool calls_host;     /* prints, or allocates memory, on the device */
	char *kernels;       /* names, each with a NUL before and behind it */
	size_t kernel_bytes; /* of all names */
	char *variables;     /* names of what is in device memory, likewise */
	size_t variable_bytes;
	struct cuda_image *next;
};

/* The image that a kernel of that name is of, the last one that was loaded; NULL where none told.
 */
const struct cuda_image *cuda_image_of(const char *kernel);

/* The next name of a list after name (NULL: the first), or NULL. */
const char *cuda_image_next(const char *names, size_t bytes, const char *name);

#endif
