/* SPDX-License-Identifier: MIT */
/* pwrtrace record is a program of its own, of the online half: this hands over to it. */
#include "analyzer/cmd/command.h"
#include "analyzer/cmd/online.h"

#define EXIT_CANNOT_RECORD 125 /* as pwrtrace-record(1) states it */

static int run(int argc, char **argv)
{
	(void)argc;
	online_exec("pwrtrace-record", argv);
	return EXIT_CANNOT_RECORD;
}

const struct command command_record = {
	.name = "record",
	.help = "run a program and record what its GPU does and what power that takes",
	.run = run,
};
