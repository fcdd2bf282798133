/* SPDX-License-Identifier: MIT */
/*
 * What the clients share.  Each counts what it launches and prints the counts as its last line, the
 * truth that tests/gpu/judge.py compares a recording with.  A client that cannot do its part on
 * this machine says why on stdout and ends with CLIENT_SKIPPED.
 */
#ifndef CLIENT_H
#define CLIENT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLIENT_SKIPPED 77

struct counts {
	long kernels;      /* launched one by one */
	long memory;       /* copies and fills that the device does, launched one by one */
	long calls;        /* the driver's calls for these; one may start a batch of copies */
	long graphs;       /* launches of executable graphs */
	long node_kernels; /* executions of nodes of graphs: kernels */
	long node_memory;  /* and copies or fills */
};

static inline void counts_print(const struct counts *counts)
{
	printf("kernels=%ld memory=%ld calls=%ld graphs=%ld node_kernels=%ld node_memory=%ld\n",
		counts->kernels, counts->memory, counts->calls, counts->graphs,
		counts->node_kernels, counts->node_memory);
	fflush(stdout);
}

/* Prints one more count: how often the kernel ran whose name begins so. */
static inline void kernel_print(const char *name, long count)
{
	printf("kernel:%s=%ld\n", name, count);
}

static inline void client_skip(const char *why)
{
	printf("skipped: %s\n", why);
	exit(CLIENT_SKIPPED);
}

/* The number after the option, or fallback. */
static inline long option_number(int argc, char **argv, const char *option, long fallback)
{
	for (int i = 1; i + 1 < argc; i++)
		if (strcmp(argv[i], option) == 0)
			return atol(argv[i + 1]);
	return fallback;
}

/* The word after the option, or fallback. */
static inline const char *option_word(
	int argc, char **argv, const char *option, const char *fallback)
{
	for (int i = 1; i + 1 < argc; i++)
		if (strcmp(argv[i], option) == 0)
			return argv[i + 1];
	return fallback;
}

#endif
