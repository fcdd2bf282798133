/* SPDX-License-Identifier: MIT */
/* The machines that traces are of: whether there are several, and how their clocks compare. */
#ifndef PWRTRACE_HOSTS_H
#define PWRTRACE_HOSTS_H

#include "analyzer/model/model.h"

/* Whether the processes and recordings are of several hosts, so that a pid, or a device, is told
 * apart from others by its host alone. */
bool hosts_are_several(const struct model *model);

/* The host of a machine, as its processes and recordings say; "": not known. */
const char *hosts_of_machine(const struct model *model, const char *machine);

/* " on HOST" where there are several hosts; else "".  The caller frees it with g_free. */
char *hosts_place(const struct model *model, const char *host);

/* The same, of the host on which a sensor was read. */
char *hosts_sensor_place(const struct model *model, const struct model_sensor *sensor);

/* What to add to the times of a machine to have the time of day, in ns: as its first recording that
 * knows it says, for all of its recordings alike; the same for all machines that know it.  0: it is
 * not known. */
uint64_t hosts_time_of_day_ns(const struct model *model, const char *machine);

/* Whether times of two machines can be compared: they are the same machine, or both
 * know the time of day. */
bool hosts_share_axis(const struct model *model, const char *one, const char *other);

#endif
