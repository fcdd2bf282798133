/* SPDX-License-Identifier: MIT */
/*
 * Writes the trace that a text describes, one line each:
 *
 * at TIME_NS [FLOW-STREAM]          when, and in which stream, the events that follow were written
 * discard COUNT                     LTTng had no room for COUNT events in that stream
 * EVENT FIELD=VALUE FIELD="TEXT"    an event of events.def; fields not named are unknown
 *
 * Empty lines and those that begin with # say nothing.  The schema of the trace is the first that
 * the text names (schema=1), else the newest.  The same text gives the same bytes.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/writers/ctf_writer.h"

#define WORDS_MAX 32

static const char usage[] =
	"usage: trace_text [-s flow streams] [-p bytes of a packet] DIR <TEXT\n";

struct word {
	char *key;
	char *value;
	bool used;
};

static struct word words[WORDS_MAX];
static size_t word_count;
static unsigned line_number;
static unsigned schema = PWRTRACE_SCHEMA;

__attribute__((noreturn)) static void refuse(const char *what, const char *text)
{
	fprintf(stderr, "trace_text: line %u: %s: %s\n", line_number, what, text);
	exit(1);
}

/* What stands after a backslash, as in C; *text is moved to its last character. */
static char escaped(char **text)
{
	char digits[3] = {0};

	if (**text == 'n')
		return '\n';
	if (**text != 'x')
		return **text;
	memcpy(digits, *text + 1, strnlen(*text + 1, 2));
	*text += strlen(digits);
	return (char)strtoul(digits, NULL, 16);
}

/* Takes FIELD=VALUE off the text; a value in double quotes may hold spaces, \", \n and \xNN. */
static char *take_word(char *text)
{
	struct word *word = &words[word_count];
	char *to;

	if (word_count++ == WORDS_MAX)
		refuse("too many words", text);
	*word = (struct word){.key = text, .value = strchr(text, '=')};
	if (!word->value)
		refuse("no value", text);
	*word->value++ = 0;
	if (*word->value != '"') {
		text = word->value + strcspn(word->value, " ");
		if (*text)
			*text++ = 0;
		return text;
	}
	to = ++word->value;
	for (text = to; *text && *text != '"'; text++) {
		if (*text == '\\' && text[1]) {
			text++;
			*to++ = escaped(&text);
		} else {
			*to++ = *text;
		}
	}
	if (!*text)
		refuse("no closing quote", word->key);
	*to = 0;
	return text + 1;
}

static void take_words(char *text)
{
	word_count = 0;
	for (text += strspn(text, " "); *text; text += strspn(text, " "))
		text = take_word(text);
}

/* Schema 1 calls the field process pid. */
static const char *value_of(const char *field)
{
	if (schema == 1 && strcmp(field, "process") == 0)
		field = "pid";
	for (size_t i = 0; i < word_count; i++) {
		if (strcmp(words[i].key, field) != 0)
			continue;
		words[i].used = true;
		return words[i].value;
	}
	return NULL;
}

static void all_used(void)
{
	for (size_t i = 0; i < word_count; i++)
		if (!words[i].used)
			refuse("no such field", words[i].key);
}

static uint64_t number(const char *field, uint64_t unknown)
{
	const char *value = value_of(field);
	char *end;
	uint64_t result;

	if (!value)
		return unknown;
	result = *value == '-' ? (uint64_t)strtoll(value, &end, 0) : strtoull(value, &end, 0);
	if (!*value || *end)
		refuse("not a number", value);
	return result;
}

static double real(const char *field)
{
	const char *value = value_of(field);

	return value ? strtod(value, NULL) : NAN;
}

static const char *text_of(const char *field)
{
	const char *value = value_of(field);

	return value ? value : "";
}

#define U32(field) event.field = (uint32_t)number(#field, PWRTRACE_UNKNOWN_U32);
#define U64(field) event.field = number(#field, PWRTRACE_UNKNOWN_U64);
#define I32(field) event.field = (int32_t)number(#field, (uint64_t)PWRTRACE_UNKNOWN_I32);
#define I64(field) event.field = (int64_t)number(#field, 0);
#define F64(field) event.field = real(#field);
#define STR(field) event.field = text_of(#field);
#define EVENT(name, channel, fields)                                                               \
	static void write_##name(struct ctf_writer *writer)                                        \
	{                                                                                          \
		struct pwrtrace_##name event;                                                      \
                                                                                                   \
		fields all_used();                                                                 \
		ctf_write_##name(writer, &event);                                                  \
	}
#define OLD_EVENT(name, schema_, channel, fields) EVENT(name##_##schema_, channel, fields)
#include "pwrtrace/events.def"
#undef EVENT

static const struct {
	const char *name;
	unsigned schema; /* the only one of this row; 0: those that no other row of its name has */
	void (*write)(struct ctf_writer *writer);
} events[] = {
#define EVENT(name, channel, fields) {#name, 0, write_##name},
#define OLD_EVENT(name, schema_, channel, fields) {#name, schema_, write_##name##_##schema_},
#include "pwrtrace/events.def"
#undef EVENT
};

static void write_event(struct ctf_writer *writer, const char *name, char *text)
{
	void (*write)(struct ctf_writer * writer) = NULL;

	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++)
		if (strcmp(events[i].name, name) == 0 && (!write || events[i].schema == schema))
			write = events[i].write;
	if (!write)
		refuse("no such event", name);
	take_words(text);
	write(writer);
}

static void take_line(struct ctf_writer *writer, unsigned flow_streams, char *line)
{
	size_t length = strcspn(line, " \n");
	char *rest = line + length + (line[length] == ' ');

	line[strcspn(line, "\n")] = 0;
	line[length] = 0;
	if (strcmp(line, "at") == 0) {
		uint64_t time_ns = strtoull(rest, &rest, 10);

		ctf_writer_at(writer, time_ns, (unsigned)strtoul(rest, NULL, 10) % flow_streams);
	} else if (strcmp(line, "discard") == 0) {
		ctf_writer_discard(writer, strtoull(rest, NULL, 10));
	} else if (*line && *line != '#') {
		write_event(writer, line, rest);
	}
}

/* The lines of stdin, and *count; sets schema. */
static char **read_lines(size_t *count)
{
	char **lines = NULL, *line = NULL;
	bool named = false;
	size_t room = 0;

	for (*count = 0; getline(&line, &room, stdin) >= 0; line = NULL, room = 0) {
		const char *at = strstr(line, " schema=");

		if (at && !named && *line != '#') {
			schema = (unsigned)strtoul(at + strlen(" schema="), NULL, 10);
			named = true;
		}
		if (*count % 1024 == 0) {
			char **more = realloc(lines, (*count + 1024) * sizeof(*lines));

			if (!more)
				abort();
			lines = more;
		}
		lines[(*count)++] = line;
	}
	free(line);
	return lines;
}

int main(int argc, char **argv)
{
	unsigned flow_streams = 1;
	size_t packet_bytes = 4096, count;
	struct ctf_writer *writer;
	char **lines;

	for (int letter; (letter = getopt(argc, argv, "s:p:")) != -1;) {
		if (letter == 's')
			flow_streams = (unsigned)strtoul(optarg, NULL, 10);
		else if (letter == 'p')
			packet_bytes = strtoul(optarg, NULL, 10);
		else
			optind = argc;
	}
	if (optind != argc - 1 || !flow_streams) {
		fputs(usage, stderr);
		return 2;
	}
	lines = read_lines(&count);
	writer = ctf_writer_open(argv[optind], flow_streams, packet_bytes, schema > 1 ? 2 : 1);
	if (!writer) {
		perror(argv[optind]);
		return 1;
	}
	for (line_number = 1; line_number <= count; line_number++) {
		take_line(writer, flow_streams, lines[line_number - 1]);
		free(lines[line_number - 1]);
	}
	free(lines);
	return ctf_writer_close(writer) ? 1 : 0;
}
