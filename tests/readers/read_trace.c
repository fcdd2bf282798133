/* SPDX-License-Identifier: MIT */
/*
 * Reads a trace by pwrtrace's own reader alone, or by libbabeltrace2 alone, and prints how many
 * events there were and what it took: events=N cpu_s=X.  With --print, what the reader hands over:
 * a line for each event, with its fields, and for each time that events were lost or damaged.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "analyzer/trace/reader.h"
#include "analyzer/trace/rows.h"

static const char usage[] =
	"usage: read_trace [--babeltrace] [--print] [--without FIELD]... TRACE\n";

static struct {
	bool print;
	const char *without[16]; /* names of fields that are not wanted */
	size_t without_count;
	uint64_t events;
} state;

static void print_text(const char *text)
{
	putchar('"');
	for (; *text; text++)
		if (*text < ' ' || *text > '~' || *text == '"' || *text == '\\')
			printf("\\x%02x", (unsigned char)*text);
		else
			putchar(*text);
	putchar('"');
}

static void print_field(const struct row_field *field, const void *record)
{
	const char *place = (const char *)record + field->offset;

	printf(" %s=", field->name);
	switch (field->type) {
	case PWRTRACE_U32:
		printf("%" PRIu32, *(const uint32_t *)place);
		break;
	case PWRTRACE_U64:
		printf("%" PRIu64, *(const uint64_t *)place);
		break;
	case PWRTRACE_I32:
		printf("%" PRId32, *(const int32_t *)place);
		break;
	case PWRTRACE_I64:
		printf("%" PRId64, *(const int64_t *)place);
		break;
	case PWRTRACE_F64:
		printf("%a", *(const double *)place);
		break;
	case PWRTRACE_STR:
		print_text(*(const char *const *)place);
		break;
	}
}

static void take_event(void *data, unsigned trace, enum pwrtrace_event_id id, const void *record)
{
	const struct row *row;

	(void)data;
	state.events++;
	if (!state.print)
		return;
	row = row_of(id);
	printf("%u %s", trace, row->event);
	for (size_t i = 0; i < row->field_count; i++)
		print_field(&row->fields[i], record);
	putchar('\n');
}

static bool take_wants(void *data, enum pwrtrace_event_id id, const char *field)
{
	(void)data;
	(void)id;
	for (size_t i = 0; i < state.without_count; i++)
		if (strcmp(state.without[i], field) == 0)
			return false;
	return true;
}

static void take_damaged(void *data)
{
	(void)data;
	if (state.print)
		puts("damaged");
}

static void take_discarded(void *data, uint64_t count)
{
	(void)data;
	if (state.print)
		printf("discarded %" PRIu64 "\n", count);
}

static double cpu_s(void)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
	       (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {{"babeltrace", no_argument, NULL, 'b'},
		{"print", no_argument, NULL, 'p'}, {"without", required_argument, NULL, 'w'},
		{NULL, 0, NULL, 0}};
	const struct reader_sink sink = {.event = take_event,
		.wants = take_wants,
		.damaged = take_damaged,
		.discarded = take_discarded};
	reader_method *method = packets_read;

	for (int letter; (letter = getopt_long(argc, argv, "", options, NULL)) != -1;) {
		if (letter == 'b')
			method = babeltrace_read;
		else if (letter == 'p')
			state.print = true;
		else if (letter == 'w' && state.without_count < 16)
			state.without[state.without_count++] = optarg;
		else
			optind = argc;
	}
	if (optind != argc - 1) {
		fputs(usage, stderr);
		return 2;
	}
	if (reader_read_by(argv[optind], &sink, method) < 0)
		return 1;
	if (!state.print)
		printf("events=%" PRIu64 " cpu_s=%.3f\n", state.events, cpu_s());
	return fflush(stdout) ? 1 : 0;
}
