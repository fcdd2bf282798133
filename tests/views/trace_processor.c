/* SPDX-License-Identifier: MIT */
/*
 * trace_processor LIBRARY TRACE QUERY...: loads a trace into Perfetto's trace processor, as
 * Chromium has it for its own tests (libtest_trace_processor.so of Debian's chromium-shell), and
 * prints the rows of each query, columns separated by tabs.  Exits with 77 where the library has
 * not the functions, whose C++ types this declares as libc++ lays them out on x86-64.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OF "_ZN4base4test22TestTraceProcessorImpl"
#define STRING "RKNSt3__112basic_stringIcNS2_11char_traitsIcEENS2_9allocatorIcEEEE"

struct vector {
	char *begin, *end, *room;
};

/* Of short strings, what is longer is not used here. */
struct string {
	size_t room; /* the lowest bit: it is a long one */
	size_t length;
	char *text;
};

struct result {
	struct vector rows; /* struct vector of struct string; the first has the names of columns */
	struct string error;
};

static const char *text_of(const struct string *string, int *length)
{
	int is_long = string->room & 1;

	*length = is_long ? (int)string->length : *(const unsigned char *)string >> 1;
	return is_long ? string->text : (const char *)string + 1;
}

static struct vector read_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	struct vector bytes = {0};
	long length;

	if (!file || fseek(file, 0, SEEK_END) || (length = ftell(file)) < 0) {
		perror(path);
		exit(1);
	}
	rewind(file);
	bytes.begin = malloc((size_t)length + 1);
	bytes.room = bytes.end = bytes.begin + fread(bytes.begin, 1, (size_t)length, file);
	fclose(file);
	return bytes;
}

static int print(const struct result *result)
{
	int length;
	const char *error = text_of(&result->error, &length);

	if (length) {
		fprintf(stderr, "%.*s\n", length, error);
		return 1;
	}
	for (const struct vector *row = (const void *)result->rows.begin;
		row < (const struct vector *)(const void *)result->rows.end; row++) {
		for (const struct string *cell = (const void *)row->begin;
			cell < (const struct string *)(const void *)row->end; cell++) {
			const char *text = text_of(cell, &length);

			printf("%s%.*s", (const char *)cell > row->begin ? "\t" : "", length, text);
		}
		putchar('\n');
	}
	return 0;
}

int main(int argc, char **argv)
{
	void *library = argc > 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
	void (*make)(void *), (*parse)(void **status, void *self, const struct vector *bytes);
	void (*query)(struct result * result, const void *self, const struct string *sql);
	void *self[16] = {0}, *status = NULL;
	struct vector bytes;

	if (!library) {
		fprintf(stderr, "%s\n", argc > 2 ? dlerror() : "usage: LIBRARY TRACE QUERY...");
		return 77;
	}
	*(void **)&make = dlsym(library, OF "C1Ev");
	*(void **)&parse = dlsym(library, OF "10ParseTraceERKNSt3__16vectorIcNS2_9allocatorIcEEEE");
	*(void **)&query =
		dlsym(library, "_ZNK4base4test22TestTraceProcessorImpl12ExecuteQueryE" STRING);
	if (!make || !parse || !query)
		return 77;
	bytes = read_file(argv[2]);
	make(self);
	parse(&status, self, &bytes);
	if (status != (void *)1) {
		fprintf(stderr, "%s is not read\n", argv[2]);
		return 1;
	}
	for (int i = 3; i < argc; i++) {
		struct string sql = {(strlen(argv[i]) + 2) | 1, strlen(argv[i]), argv[i]};
		struct result result = {0};

		query(&result, self, &sql);
		if (print(&result))
			return 1;
	}
	fflush(stdout);
	_exit(0);
}
