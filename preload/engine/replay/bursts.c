/* SPDX-License-Identifier: MIT */
#include "preload/engine/replay/bursts.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "preload/common/clock.h"
#include "preload/common/conf.h"
#include "preload/common/log.h"

#define PROGRESS_NS (5 * PWRTRACE_NS_PER_S) /* between two lines where there is no terminal */

static uint64_t bursts, launches, idle_ns, spread_ns;
static unsigned short seed[3];

void bursts_start(void)
{
	bursts = (uint64_t)conf_number(conf.replay_bursts);
	launches = (uint64_t)conf_number(conf.replay_burst);
	idle_ns = (uint64_t)(conf_number(conf.replay_idle_ms) * PWRTRACE_NS_PER_MS);
	spread_ns = (uint64_t)(conf_number(conf.replay_spread_ms) * PWRTRACE_NS_PER_MS);
	for (int i = 0; i < 3; i++)
		seed[i] = (unsigned short)(clock_now_ns() >> (16 * i));
}

uint64_t bursts_launches(void)
{
	return bursts ? launches : 0;
}

uint64_t bursts_idle_ns(void)
{
	return bursts * (idle_ns + spread_ns / 2);
}

static void say_progress(uint64_t done)
{
	static uint64_t began_ns, said_ns;
	uint64_t now_ns = clock_now_ns();
	char line[96];

	if (!done) {
		began_ns = said_ns = now_ns;
		return;
	}
	snprintf(line, sizeof(line), "replay: %llu of %llu runs, %.0f s to go",
		(unsigned long long)done, (unsigned long long)bursts,
		(double)(now_ns - began_ns) / (double)done * (double)(bursts - done) /
			PWRTRACE_NS_PER_S);
	if (log_progress("%s", line) || now_ns - said_ns < PROGRESS_NS)
		return;
	said_ns = now_ns;
	log_notice("%s", line);
}

bool bursts_idle(uint64_t done)
{
	uint64_t length_ns = idle_ns + (uint64_t)(erand48(seed) * (double)spread_ns);

	say_progress(done);
	if (done >= bursts)
		return false;
	clock_wait(length_ns);
	return true;
}
