/* SPDX-License-Identifier: MIT */
/* The graphics cards of this machine, as the kernel lists them in class/drm. */
#ifndef PWRTRACE_DRM_H
#define PWRTRACE_DRM_H

#define DRM_PATH_MAX 512

struct drm_card {
	char directory[DRM_PATH_MAX]; /* of the device: .../class/drm/card0/device */
	char pci[32];                 /* "0000:03:00.0" */
	char id[32];                  /* "1002:74A1": vendor and device */
	char driver[160];             /* the driver with its version, or the kernel's */
};

/* Calls found for each card of a kernel driver ("amdgpu"), in the order of their names.  The card
 * is valid during the call. */
void drm_each(
	const char *driver, void (*found)(void *data, const struct drm_card *card), void *data);

#endif
