/* SPDX-License-Identifier: MIT */
#include "analyzer/load/take.h"

#include "analyzer/load/clocks.h"
#include "analyzer/load/order.h"
#include "analyzer/load/waits.h"

void take_clock_sync(struct loader *loader, unsigned trace, const struct pwrtrace_clock_sync *e)
{
	/* The clock of the time of day is of no process. */
	if (e->device)
		clocks_add(loader->clocks, loader_process(loader, trace, e->process), e);
}

void take_sync(struct loader *loader, unsigned trace, const struct pwrtrace_sync *e)
{
	uint32_t process = loader_process(loader, trace, e->process);

	waits_add(loader->waits, process, e);
	order_add_wait(loader, process, e);
}

void take_dependency(struct loader *loader, unsigned trace, const struct pwrtrace_dependency *e)
{
	uint32_t process = loader_process(loader, trace, e->process);

	waits_add_dependency(loader->waits, process, e);
	order_add_dependency(loader, process, e);
}
