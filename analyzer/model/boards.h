/* SPDX-License-Identifier: MIT */
/* How much boards of one kind of device differ. */
#ifndef PWRTRACE_BOARDS_H
#define PWRTRACE_BOARDS_H

/* The relative standard deviation of the power that one board of a kind reads for the same work
 * from that which another one reads: in the sensor and in the silicon.  It is that of the
 * difference, to which either board contributes half of the variance.  Measured:
 * analyzer/regress/README.md. */
#define BOARDS_DIFFER 0.04

#endif
