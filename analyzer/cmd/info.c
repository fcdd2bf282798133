/* SPDX-License-Identifier: MIT */
/* pwrtrace info: what is in a trace, and how healthy it is. */
#include <stdio.h>
#include <string.h>

#include "analyzer/cmd/command.h"
#include "analyzer/load/load.h"
#include "analyzer/model/hosts.h"
#include "analyzer/model/order.h"
#include "analyzer/model/state.h"
#include "analyzer/print/terminal.h"
#include "analyzer/print/text.h"

static const char *const event_names[PWRTRACE_EV_COUNT] = {
#define EVENT(name, channel, fields) [PWRTRACE_EV_##name] = #name,
#define OLD_EVENT(name, schema, channel, fields) [PWRTRACE_EV_##name##_##schema] = #name,
#include "pwrtrace/events.def"
#undef EVENT
};

static const char *or_unknown(const char *text)
{
	return *text ? text : "unknown";
}

static void put_recordings(const struct model *model)
{
	for (guint i = 0; i < model->recordings->len; i++) {
		const struct model_recording *recording =
			&g_array_index(model->recordings, struct model_recording, i);

		text_put_line(stdout, "recording   %s", or_unknown(recording->command));
		text_put_line(stdout, "            %.3f s on %s, power from %s; it ended: %s",
			(double)(recording->span.end_ns - recording->span.begin_ns) / 1e9,
			or_unknown(recording->host), or_unknown(recording->power),
			*recording->why ? recording->why : "unknown, its end is not in the trace");
	}
}

static void put_processes(const struct model *model)
{
	for (guint i = 0; i < model->processes->len; i++) {
		const struct model_process *process =
			&g_array_index(model->processes, struct model_process, i);
		char *place = hosts_place(model, process->host), pid[TEXT_ID];

		text_put_line(stdout, "process     %s %s%s", text_id(pid, process->pid),
			or_unknown(process->executable), place);
		g_free(place);
		for (uint32_t id = 1; id < table_end(process->devices); id++) {
			const struct model_device *device = table_find(process->devices, id);

			if (device && device->defined)
				text_put_line(stdout, "  device    %u %s (%s, %s%s)", id,
					device->name, device->api, device->kind,
					device->parent ? ", part of another" : "");
		}
	}
}

static void put_graphs(const struct model *model)
{
	uint64_t graphs = 0, units = 0, launches = 0;

	for (guint i = 0; i < model->processes->len; i++) {
		const struct table *table =
			g_array_index(model->processes, struct model_process, i).graphs;

		for (uint32_t id = 0; id < table_end(table); id++) {
			const struct model_graph *graph = table_find(table, id);

			if (!graph)
				continue;
			graphs += graph->defined;
			units += graph->units;
			launches += graph->launches;
		}
	}
	if (graphs || units || launches)
		printf("graphs      %" G_GUINT64_FORMAT "; launches: %" G_GUINT64_FORMAT
		       " as one unit, %" G_GUINT64_FORMAT " node by node\n",
			graphs, units, launches);
}

static void put_sensors(const struct model *model)
{
	for (guint i = 0; i < model->sensors->len; i++) {
		const struct model_sensor *sensor =
			&g_array_index(model->sensors, struct model_sensor, i);
		char *place = hosts_sensor_place(model, sensor);

		text_put_line(stdout, "sensor      %s: device %s%s, domain %s, %u readings%s%s",
			or_unknown(sensor->source), or_unknown(sensor->device), place,
			or_unknown(sensor->domain), sensor->readings->len,
			*sensor->calibrated ? ", calibrated " : "", sensor->calibrated);
		g_free(place);
	}
}

/* "clock 345 to 1980 MHz, limit 700 W, throttled by sw power cap: 265"; g_free it. */
static char *describe_states(const GArray *states, const char *source)
{
	GString *line = g_string_new(NULL);
	double range[2];

	for (size_t i = 0; state_quantities[i].name; i++) {
		if (!state_range(states, &state_quantities[i], range))
			continue;
		g_string_append_printf(
			line, "%s%s %g", line->len ? ", " : "", state_quantities[i].name, range[0]);
		if (range[0] < range[1])
			g_string_append_printf(line, " to %g", range[1]);
		g_string_append_printf(line, " %s", state_quantities[i].unit);
	}
	for (unsigned bit = 0; bit < 64; bit++) {
		guint count = state_throttled_count(states, source, bit);
		const char *name = state_reason_name(source, bit);

		if (!count)
			continue;
		g_string_append_printf(line, "%sthrottled by ", line->len ? ", " : "");
		if (name)
			g_string_append_printf(line, "%s: %u", name, count);
		else
			g_string_append_printf(line, "reason %u: %u", bit, count);
	}
	return g_string_free(line, FALSE);
}

static void put_states(const struct model *model)
{
	for (guint i = 0; i < model->state_sensors->len; i++) {
		const struct model_state_sensor *sensor =
			&g_array_index(model->state_sensors, struct model_state_sensor, i);
		char *line = describe_states(sensor->states, sensor->about.source);
		char *place = hosts_sensor_place(model, &sensor->about);

		text_put_line(stdout, "state       %s: device %s%s, %u readings",
			or_unknown(sensor->about.source), or_unknown(sensor->about.device), place,
			sensor->states->len);
		if (*line)
			text_put_line(stdout, "            %s", line);
		g_free(line);
		g_free(place);
	}
}

/* How often and how long the host waited, for what; and how much order there is among work. */
static void put_order(const struct model *model)
{
	static const char *const names[MODEL_AWAITS] = {[MODEL_AWAITS_STREAM] = "a stream",
		[MODEL_AWAITS_CONTEXT] = "a context",
		[MODEL_AWAITS_DEVICE] = "a device",
		[MODEL_AWAITS_EVENTS] = "events"};
	uint64_t count[MODEL_AWAITS] = {0}, time_ns[MODEL_AWAITS] = {0};

	for (guint i = 0; i < model->order->waits->len; i++) {
		const struct model_wait *wait = mapped_array_at(model->order->waits, i);

		count[wait->awaits]++;
		time_ns[wait->awaits] += wait->length_ns;
	}
	for (guint i = MODEL_AWAITS_STREAM; i < MODEL_AWAITS; i++)
		if (count[i])
			printf("waits       for %s: %" G_GUINT64_FORMAT ", %.3f s\n", names[i],
				count[i], (double)time_ns[i] / 1e9);
	if (model->order->dependencies->len)
		printf("order       %u dependencies between launches, events and waits\n",
			model->order->dependencies->len);
}

/* What a device's clock is, and why times are as exact as they are. */
static void put_clock(const struct model *model, const struct model_clock *clock)
{
	const struct model_process *process =
		&g_array_index(model->processes, struct model_process, clock->process);
	char *place = hosts_place(model, process->host), pid[TEXT_ID], id[TEXT_ID];
	char *named = text_valid(place);

	printf("  device    %s of process %s%s: anchors: %u in %.3g s", text_id(id, clock->device),
		text_id(pid, process->pid), named, clock->anchors, clock->span_s);
	g_free(named);
	g_free(place);
	if (clock->rates > clock->steps + 1)
		printf(", rates: %u", clock->rates);
	if (clock->steps)
		printf(", steps: %u", clock->steps);
	if (clock->wrong)
		printf(", wrong: %u", clock->wrong);
	if (clock->contradicted)
		printf(", contradicted: %" G_GUINT64_FORMAT, clock->contradicted);
	printf(", drift %+.3g ppm; %" G_GUINT64_FORMAT " ns %s\n", clock->drift * 1e6,
		clock->error_ns, clock->cause);
}

static void put_clocks(const struct model *model)
{
	if (model->clock_error_ns == PWRTRACE_UNKNOWN_U64)
		puts("clock       how exact device times are is not known");
	else if (model->clock_error_ns)
		printf("clock       device times within %" G_GUINT64_FORMAT " ns\n",
			model->clock_error_ns);
	for (guint i = 0; i < model->clocks->len; i++)
		put_clock(model, &g_array_index(model->clocks, struct model_clock, i));
}

/* Prints how many events have the name of one, whatever their schema; nothing where that is done.
 */
static void put_events(const struct model *model, int id)
{
	uint64_t count = 0;

	for (int other = 0; other < PWRTRACE_EV_COUNT; other++) {
		if (strcmp(event_names[other], event_names[id]) != 0)
			continue;
		if (other < id)
			return;
		count += model->event_count[other];
	}
	if (count)
		printf("events      %-16s %" G_GUINT64_FORMAT "\n", event_names[id], count);
}

static void put_health(const struct model *model)
{
	uint64_t troubles =
		model->damaged + model->discarded + model->unfinished + model->without_time;

	for (int id = 0; id < PWRTRACE_EV_COUNT; id++)
		put_events(model, id);
	put_clocks(model);
	if (model->damaged)
		printf("damaged     %" G_GUINT64_FORMAT " traces\n", model->damaged);
	if (model->discarded)
		printf("lost        %" G_GUINT64_FORMAT " events: LTTng had no room\n",
			model->discarded);
	for (guint i = 0; i < model->lost->len; i++) {
		const struct model_lost *lost = &g_array_index(model->lost, struct model_lost, i);

		troubles += lost->count;
		text_put_line(stdout, "lost        %" G_GUINT64_FORMAT " %s: %s", lost->count,
			lost->what, lost->why);
	}
	for (guint i = 0; i < model->recordings->len; i++)
		troubles += g_array_index(model->recordings, struct model_recording, i).cut_off;
	for (guint i = 0; i < model->processes->len; i++) {
		const struct model_process *process =
			&g_array_index(model->processes, struct model_process, i);
		char *place = hosts_place(model, process->host), pid[TEXT_ID];

		troubles += process->cut_off;
		if (process->cut_off)
			text_put_line(stdout,
				"cut off     process %s%s: its last launches may be missing",
				text_id(pid, process->pid), place);
		g_free(place);
	}
	if (model->unfinished)
		printf("unfinished  %" G_GUINT64_FORMAT " launches\n", model->unfinished);
	if (model->without_time)
		printf("untimed     %" G_GUINT64_FORMAT " executions\n", model->without_time);
	printf("health      %s\n",
		troubles ? "something is missing, see above" : "nothing is known to be missing");
}

static int run(int argc, char **argv)
{
	struct command_options options = {0};
	int status = command_parse(&command_info, argc, argv, &options);
	struct model *model;

	if (status || options.done)
		return status;
	model = load_traces(options.arguments, &(struct load_options){.waits = true});
	if (!model)
		return COMMAND_BAD_INPUT;
	terminal_fit();
	put_recordings(model);
	put_processes(model);
	put_graphs(model);
	put_sensors(model);
	put_states(model);
	put_order(model);
	for (guint i = 0; i < model->tags->len; i++) {
		const struct model_tag *tag = &g_array_index(model->tags, struct model_tag, i);

		text_put_line(stdout, "tag         %s = %s", tag->key, tag->value);
	}
	put_health(model);
	model_free(model);
	return COMMAND_FINE;
}

const struct command command_info = {
	.name = "info",
	.help = "say what is in a trace and how healthy it is",
	.synopsis = (const char *const[]){"[OPTION]... TRACE...", NULL},
	.about = "Says what was recorded, when and where, and what is missing.",
	.traces = true,
	.run = run,
};
