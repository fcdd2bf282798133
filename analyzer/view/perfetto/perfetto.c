/* SPDX-License-Identifier: MIT */
/*
 * A trace as https://ui.perfetto.dev and trace_processor read it, a sequence of protocol buffers.
 * Executions are written as they are visited, so that memory does not grow with their number.
 */
#include "analyzer/model/hosts.h"
#include "analyzer/view/content/format.h"
#include "analyzer/view/perfetto/perfetto_trace.h"

#define CLOCK_IS_BOOTTIME 6

/* Without a snapshot, readers drop events of this clock without a word. */
static void put_clocks(struct perfetto_trace *trace)
{
	static const guint clocks[] = {CLOCK_IS_MONOTONIC, CLOCK_IS_BOOTTIME};

	for (size_t i = 0; i < G_N_ELEMENTS(clocks); i++) {
		packet_put_count(trace->part, 1, clocks[i]);
		packet_put_count(trace->part, 2, 1);
		packet_put_message(trace->event, 1, trace->part);
	}
	packet_put_count(trace->event, 2, CLOCK_IS_MONOTONIC);
	packet_put_count(trace->packet, PACKET_SEQUENCE, 1);
	packet_put_message(trace->packet, PACKET_CLOCKS, trace->event);
	packet_write(trace->out, trace->packet);
}

static void put_processes(struct perfetto_trace *trace)
{
	const GArray *processes = trace->ledger->model->processes;

	for (guint i = 0; i < processes->len; i++) {
		const struct model_process *process =
			&g_array_index(processes, struct model_process, i);
		char *place = hosts_place(trace->ledger->model, process->host);
		char *name = g_strconcat(process->executable, place, NULL);

		packet_put_count(trace->event, 1, perfetto_track(PERFETTO_PROCESS, i));
		packet_put_count(trace->part, 1, perfetto_pid(trace->ledger->model, i));
		packet_put_text(trace->part, 6, name);
		packet_put_message(trace->event, 3, trace->part);
		packet_put_count(trace->packet, PACKET_SEQUENCE, 1);
		packet_put_message(trace->packet, PACKET_TRACK, trace->event);
		packet_write(trace->out, trace->packet);
		perfetto_put_track(trace, perfetto_track(PERFETTO_LAUNCHES, i),
			perfetto_track(PERFETTO_PROCESS, i), "launches", NULL);
		g_free(name);
		g_free(place);
	}
}

static void write_perfetto(
	FILE *out, const struct ledger *ledger, const struct view_options *options)
{
	struct perfetto_trace trace = {.out = out,
		.ledger = ledger,
		.packet = g_byte_array_new(),
		.event = g_byte_array_new(),
		.part = g_byte_array_new(),
		.inner = g_byte_array_new()};

	(void)options;
	put_clocks(&trace);
	put_processes(&trace);
	perfetto_put_executions(&trace);
	perfetto_put_counters(&trace);
	perfetto_put_layers(&trace);
	g_byte_array_free(trace.inner, TRUE);
	g_byte_array_free(trace.part, TRUE);
	g_byte_array_free(trace.event, TRUE);
	g_byte_array_free(trace.packet, TRUE);
}

const struct format format_perfetto = {
	.name = "perfetto",
	.help = "executions with joules, power and layers over time, for ui.perfetto.dev",
	.write = write_perfetto,
	.whole = true,
};
