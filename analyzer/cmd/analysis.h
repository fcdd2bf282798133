/* SPDX-License-Identifier: MIT */
/*
 * What report and the analyses have in common: the options by which traces become an attribution,
 * those that choose what is printed and how, and the steps that they stand for.
 */
#ifndef PWRTRACE_ANALYSIS_H
#define PWRTRACE_ANALYSIS_H

#include "analyzer/attribute/attribution.h"
#include "analyzer/cmd/command.h"
#include "analyzer/load/load.h"
#include "analyzer/print/output.h"

/* What command_parse fills of such a command begins with these. */
struct analysis_options {
	struct command_options common;
	const char *format;    /* "text" is fitted to a terminal */
	const char *output;    /* NULL: the standard output */
	const char *method;    /* NULL: the default */
	const char *domain;    /* NULL: whole devices */
	const char *library;   /* a path, or "none"; NULL: the user's own, where there is one */
	struct filter *filter; /* NULL: all rows pass */
	bool numbers;          /* names of layers keep running numbers */
	bool wide;             /* text is not fitted to a terminal */
};

/* The options before any is given; analysis_options_clear frees what was taken. */
struct analysis_options analysis_options_default(void);
void analysis_options_clear(struct analysis_options *options);

/* Their rows, which a command's table has one by one.  format is for commands that print by
 * analysis_write. */
#define ANALYSIS_ROW(name, letter, argument, help, take, member, ...)                              \
	{                                                                                          \
		name, letter, argument, help, take, offsetof(struct analysis_options, member),     \
			__VA_ARGS__                                                                \
	}
#define ANALYSIS_FORMAT                                                                            \
	ANALYSIS_ROW("format", 0, "FORMAT", "%s", command_take_text, format,                       \
		.choice = analysis_format_choice, .first = "default")
#define ANALYSIS_OUTPUT                                                                            \
	ANALYSIS_ROW(                                                                              \
		"output", 'o', "FILE", "write there", command_take_text, output, .choice = NULL)
#define ANALYSIS_METHOD                                                                            \
	ANALYSIS_ROW("method", 0, "METHOD", "%s", command_take_text, method,                       \
		.choice = analysis_method_choice, .first = "default where a sensor measured")
#define ANALYSIS_DOMAIN                                                                            \
	ANALYSIS_ROW("domain", 0, "DOMAIN", "the joules of a part of the device, as \"memory\"",   \
		command_take_text, domain, .choice = NULL)
#define ANALYSIS_LIBRARY                                                                           \
	ANALYSIS_ROW("library", 0, "FILE",                                                         \
		"powers that pwrtrace library has kept of other runs, or \"none\" (default: your " \
		"own, where there is one)",                                                        \
		command_take_text, library, .choice = NULL)
#define ANALYSIS_FILTER                                                                            \
	ANALYSIS_ROW("filter", 0, "EXPR",                                                          \
		"rows of which it is true, like 'name ~ \"gemm\" && energy > 1mJ'",                \
		analysis_take_filter, filter, .choice = NULL)
#define ANALYSIS_NUMBERS                                                                           \
	ANALYSIS_ROW("numbers", 0, NULL,                                                           \
		"tell layers apart whose names differ by a running number, as \"Train step 28\"",  \
		command_take_flag, numbers, .choice = NULL)
#define ANALYSIS_WIDE                                                                              \
	ANALYSIS_ROW("wide", 0, NULL, "all rows, columns and names whole, on a terminal too",      \
		command_take_flag, wide, .choice = NULL)
command_take analysis_take_filter;
const char *analysis_format_choice(size_t i);
const char *analysis_method_choice(size_t i);

/* Traces in memory, and the energy of what they hold divided. */
struct analysis {
	struct library *library;  /* what it was divided by, too; NULL: none */
	struct fit_memory memory; /* the same, as attribution takes it */
	struct model *model;
	struct attribution *attribution;
};

/* Reads the library, loads traces as load says and the options say of numbers (paths, ended by
 * NULL, which must outlive the analysis) and attributes their energy.  Returns false after an error
 * message; else free with analysis_end. */
bool analysis_begin(struct analysis *analysis, const struct analysis_options *options,
	char *const *traces, const struct load_options *load);
void analysis_end(struct analysis *analysis);

/* How it was attributed, for another attribution of its model, which must not outlive it. */
struct attribution_options analysis_attribution(
	const struct analysis *analysis, const struct analysis_options *options);

/* Opens the output that was asked for.  Returns false after an error message. */
bool analysis_open_output(const struct analysis_options *options, struct output *output);

/* The formats of analyses, for each a function that writes a result. */
enum analysis_format { ANALYSIS_TEXT, ANALYSIS_JSON, ANALYSIS_CSV, ANALYSIS_FORMATS };
typedef void analysis_writer(FILE *out, const void *result);

bool analysis_has_format(const char *name);

/* Writes a result in the format and to the output that were asked for.  Returns the exit status. */
int analysis_write(const struct analysis_options *options,
	analysis_writer *const writers[ANALYSIS_FORMATS], const void *result);

#endif
