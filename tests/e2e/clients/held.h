/* SPDX-License-Identifier: MIT */
/*
 * For clients that leave while launches are in their queues: PROGRAM WAY [--launches N], with the
 * ways of endings.h.
 *
 * Two kernels run to their end; then N more are launched, none of which ends.  The program prints
 * the totals and leaves at the end of its standard input.
 */
#ifndef HELD_H
#define HELD_H

#include "endings.h"

/* Defined by the client: opens the device, and launches and awaits two kernels; launches kernels
 * that do not end. */
static void open_and_work(void);
static void work(void);

static int leave_held(int argc, char **argv)
{
	const struct ending *ending = parse_ending(argc, argv);

	open_and_work();
	work();
	print_started();
	while (getchar() != EOF)
		;
	ending->leave();
	return 0;
}

#endif
