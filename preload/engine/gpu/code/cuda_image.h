/* SPDX-License-Identifier: MIT */
/*
 * What images of device code that the driver has loaded say of their kernels.  Cubins (ELF) are
 * read, alone or in fat binaries; compressed ones and PTX are not.  Any thread.
 */
#ifndef PWRTRACE_CUDA_IMAGE_H
#define PWRTRACE_CUDA_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

/* Reads an image, of any format, that the driver has accepted.  Allocates. */
void cuda_image_loaded(const void *image);

/* Likewise, from a file. */
void cuda_image_loaded_file(const char *path);

/* An image.  Never changed or freed. */
struct cuda_image {
	bool calls_host;     /* device code may print, or allocate memory */
	char *kernels;       /* names, each with a NUL before and after it */
	size_t kernel_bytes; /* of all names */
	char *variables;     /* names of __device__ and __constant__ variables, likewise */
	size_t variable_bytes;
	struct cuda_image *next;
};

/* Returns the image that contains a kernel of that name, the last one that was loaded; NULL if none
 * is known. */
const struct cuda_image *cuda_image_of(const char *kernel);

/* Returns the name after `name` (NULL: the first) in a list, NULL at its end. */
const char *cuda_image_next(const char *names, size_t bytes, const char *name);

#endif
