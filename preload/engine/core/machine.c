/* SPDX-License-Identifier: MIT */
#include "preload/engine/core/machine.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "preload/common/clock.h"

static void read_boot_id(char boot_id[MACHINE_TEXT_MAX])
{
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t length;

	boot_id[0] = 0;
	if (fd < 0)
		return;
	length = read(fd, boot_id, MACHINE_TEXT_MAX - 1);
	close(fd);
	boot_id[length > 0 ? length : 0] = 0;
	boot_id[strcspn(boot_id, "\n")] = 0;
}

void machine_read(struct machine *machine)
{
	machine->realtime_offset_ns = clock_realtime_offset_ns();
	if (gethostname(machine->host, sizeof(machine->host) - 1))
		strcpy(machine->host, "localhost");
	machine->host[sizeof(machine->host) - 1] = 0;
	read_boot_id(machine->boot_id);
}
