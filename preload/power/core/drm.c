/* SPDX-License-Identifier: MIT */
#include "preload/power/core/drm.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "preload/common/conf.h"
#include "preload/power/core/sysfs.h"

struct card_search {
	const char *driver;
	void (*found)(void *data, const struct drm_card *card);
	void *data;
};

/* Copies the value of a line "KEY=value" of an uevent file, or "". */
static void find_line(char *value, size_t size, const char *uevent, const char *key)
{
	size_t length = strlen(key);

	*value = 0;
	for (const char *line = uevent; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, length) == 0 && line[length] == '=') {
			line += length + 1;
			snprintf(value, size, "%.*s", (int)strcspn(line, "\n"), line);
			return;
		}
	}
}

/* Drivers that are built apart from the kernel say their version. */
static void name_driver(struct drm_card *card, const char *driver)
{
	char directory[PATH_MAX], version[64];
	struct utsname kernel;

	snprintf(directory, sizeof(directory), "%s/module/%s", conf.sysfs, driver);
	if (!sysfs_text(version, sizeof(version), directory, "version"))
		snprintf(card->driver, sizeof(card->driver), "%s %s", driver, version);
	else if (!uname(&kernel))
		snprintf(
			card->driver, sizeof(card->driver), "%s, Linux %s", driver, kernel.release);
}

static void see_card(void *data, const char *directory)
{
	const struct card_search *search = data;
	struct drm_card card = {0};
	char uevent[1024], driver[64];

	/* "card0-DP-1" is a connector of card0. */
	if (strchr(strrchr(directory, '/'), '-'))
		return;
	if (snprintf(card.directory, sizeof(card.directory), "%s/device", directory) >=
			(int)sizeof(card.directory) ||
		sysfs_text(uevent, sizeof(uevent), card.directory, "uevent"))
		return;
	find_line(driver, sizeof(driver), uevent, "DRIVER");
	if (strcmp(driver, search->driver) != 0)
		return;
	find_line(card.pci, sizeof(card.pci), uevent, "PCI_SLOT_NAME");
	find_line(card.id, sizeof(card.id), uevent, "PCI_ID");
	name_driver(&card, driver);
	search->found(search->data, &card);
}

void drm_each(
	const char *driver, void (*found)(void *data, const struct drm_card *card), void *data)
{
	struct card_search search = {driver, found, data};

	sysfs_each(conf.sysfs, "class/drm/card[0-9]*", see_card, &search);
}
