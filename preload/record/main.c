/* SPDX-License-Identifier: MIT */
/*
 * pwrtrace record: runs a program and records it.  The same executable is the helper that a bare
 * LD_PRELOAD starts (--helper) and the one that cleans up behind a recording (--release).
 */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload/common/conf.h"
#include "preload/common/log.h"
#include "preload/common/names.h"
#include "preload/common/options.h"
#include "preload/common/plain.h"
#include "preload/common/rendezvous.h"
#include "preload/record/daemon.h"
#include "preload/record/family.h"
#include "preload/record/front.h"
#include "preload/record/live_line.h"
#include "preload/record/program.h"
#include "preload/record/recording.h"

static struct record_options {
	const char *output;
	const char **tags;
	size_t tag_count;
	bool live, helper, release;
	const char *id;
	const char *app;
	int pid;
	char **argv;
} options;

__attribute__((format(printf, 1, 2))) static _Noreturn void wrong_usage(const char *what, ...)
{
	char text[1024], plain[sizeof(text)];
	va_list args;

	va_start(args, what);
	vsnprintf(text, sizeof(text), what, args);
	va_end(args);
	plain_copy(plain, sizeof(plain), text);
	fprintf(stderr, "pwrtrace: %s; see pwrtrace record --help\n", plain);
	exit(2);
}

/* Ends the program once the help or the version is on the standard output. */
static _Noreturn void answered(void)
{
	if (!fflush(stdout) && !ferror(stdout))
		exit(0);
	fprintf(stderr, "pwrtrace: the standard output could not be written whole: %s\n",
		strerror(errno));
	exit(EXIT_CANNOT_RECORD);
}

/* ---- options ---- */

/* A setting, which the program and its children have too: the option's value, or alone. */
static void take_setting(const struct option_row *row, const char *value)
{
	char takes[CONF_TEXT_MAX];

	if (!value)
		value = row->alone;
	if (conf_refuses(row->variable, value, takes))
		wrong_usage("--%s takes %s, not \"%s\"", row->name, takes, value);
	setenv(row->variable, value, 1);
}

static void take_tag(const struct option_row *row, const char *tag)
{
	(void)row;
	if (!strchr(tag, '=') || *tag == '=')
		wrong_usage("--tag takes KEY=VALUE");
	options.tags[options.tag_count++] = tag;
}

/* pwrtrace record hands over what the library knows, and not the option. */
static void refuse_library(const struct option_row *row, const char *value)
{
	(void)row, (void)value;
	wrong_usage("--library is an option of pwrtrace record, before the command");
}

static void say_help(const struct option_row *row, const char *value);

static void say_version(const struct option_row *row, const char *value)
{
	(void)row, (void)value;
	puts("pwrtrace " PWRTRACE_VERSION);
	answered();
}

static const char power_help[] =
#define POWER_SOURCE(name, argument, ...) #name argument ", "
#include "preload/common/power_sources.def"
#undef POWER_SOURCE
	"separated by commas (default: every sensor found, else model)";

static const char layers_help[] =
#define SOURCE(word, ...) #word ", "
#include "preload/common/layer_sources.def"
#undef SOURCE
	"none (default: api,nvtx,roctx)";

#define SETTING(of, argument) .take = take_setting, .variable = (of), .alone = (argument)

static const struct option_row rows[] = {
	{"output", 'o', " DIR", "where the trace goes (default: pwrtrace-COMMAND-PID)",
		.take = option_text, .into = &options.output},
	{"power", 0, " SOURCES", power_help, SETTING("PWRTRACE_POWER", NULL)},
	{"counters", 0, "[=SECONDS]",
		"also samples how busy the parts of NVIDIA's GPUs are, by counters: always during "
		"the first SECONDS (" CONF_COUNTERS_ALONE "), then one second in ten",
		SETTING("PWRTRACE_COUNTERS", CONF_COUNTERS_ALONE)},
	{"layers", 0, " SOURCES", layers_help, SETTING("PWRTRACE_LAYERS", NULL)},
	{"graphs", 0, " UNIT",
		"how CUDA graphs are timed: node (each kernel and copy) or graph (a launch as one "
		"unit; costs less) (default: node)",
		SETTING("PWRTRACE_GRAPHS", NULL)},
	{"stacks", 0, "[=WAY]",
		"call stacks of launches: site (one per place that launches, the default), launch "
		"(walked at each launch; costs more), none",
		SETTING("PWRTRACE_STACKS", "site")},
	{"replay", 0, "[=SECONDS]",
		"pauses the program to launch each kernel and shape by itself for SECONDS (0.5), "
		"so that a slow sensor can measure its power",
		SETTING("PWRTRACE_REPLAY", "0.5")},
	{"replay-budget", 0, " SECONDS",
		"for how long all replays together may pause it, the busiest kernels first (60, or "
		"a tenth of the run so far)",
		SETTING("PWRTRACE_REPLAY_BUDGET", NULL)},
	{"library", 0, " FILE",
		"with --replay, does not replay kernels whose power this library knows (pwrtrace "
		"library)",
		.take = refuse_library},
	{"tag", 0, " KEY=VALUE", "a word about this run, for reports; may be repeated",
		.take = take_tag},
	{"live", 0, NULL, "shows power and kernels in a line on the terminal, as pwrtrace top does",
		.take = option_flag, .into = &options.live},
	{"quiet", 'q', NULL, "say nothing but errors", SETTING("PWRTRACE_LOG", "error")},
	{"verbose", 'v', NULL, "say more", SETTING("PWRTRACE_LOG", "debug")},
	{"help", 0, NULL, "this text", .take = say_help},
	{"version", 0, NULL, "the version", .take = say_version},
	/* Between the library and us: */
	{"helper", .take = option_flag, .into = &options.helper},
	{"id", .argument = " ID", .take = option_text, .into = &options.id},
	{"app", .argument = " NAME", .take = option_text, .into = &options.app},
	{"pid", .argument = " PID", .take = option_number, .into = &options.pid},
	{"release", .take = option_flag, .into = &options.release},
};

#define ROWS (sizeof(rows) / sizeof(*rows))

static void say_help(const struct option_row *row, const char *value)
{
	(void)row, (void)value;
	puts("usage: pwrtrace record [OPTION]... [--] COMMAND [ARGUMENT...]\n"
	     "\n"
	     "Runs COMMAND unchanged and records what its GPU does and what power that takes.\n");
	options_print(rows, ROWS, stdout);
	puts("\n"
	     "Exit status: COMMAND's own (128 + signal where it was killed); 125 when pwrtrace "
	     "cannot\n"
	     "record, 126 when COMMAND cannot be executed, 127 when it is not found, 2 for wrong "
	     "usage.");
	answered();
}

static void parse(int argc, char **argv)
{
	const char *wrong;
	int first;

	options.tags = calloc((size_t)argc, sizeof(*options.tags));
	first = options_parse(rows, ROWS, argc, argv, &wrong);
	if (first < 0)
		wrong_usage("wrong usage at \"%s\"", wrong);
	options.argv = argv + first;
	if (!options.helper && !options.release && !*options.argv)
		wrong_usage("no program is named");
}

/* A variable of liblttng-ctl that no header of it declares. */
extern int lttng_opt_quiet __attribute__((weak));

/* Where a daemon ends while liblttng-ctl talks to it, the call shall fail, which we report, and not
 * end us by SIGPIPE.  Of our children we ask how they ended, even where we were started with
 * SIGCHLD ignored, which lets nobody know. */
static void prepare_for_ends(void)
{
	signal(SIGPIPE, SIG_IGN);
	signal(SIGCHLD, SIG_DFL);
	if (&lttng_opt_quiet)
		lttng_opt_quiet = 1;
}

/* ---- the helper of a bare LD_PRELOAD ---- */

static int help(void)
{
	char output[PATH_MAX];
	sigset_t none;
	pid_t eldest;
	int first;
	struct recording recording = {.power = conf.power,
		.command = options.app,
		.front = -1,
		.output = output,
		.output_chosen = *conf.output != 0};

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	daemon_raise_descriptor_limit();
	snprintf(recording.id, sizeof(recording.id), "%s", options.id);
	if (conf_output_dir(output, sizeof(output), options.app, options.pid))
		return EXIT_CANNOT_RECORD;
	/* Another process of the recording may have been faster: then its helper serves us all. */
	if (recording_listen(&recording))
		return errno == EADDRINUSE ? 0 : EXIT_CANNOT_RECORD;
	first = family_open_root(options.id);
	if (first < 0)
		first = family_open_eldest(options.pid, &eldest);
	if (first < 0)
		first = family_open(options.pid);
	recording_serve(&recording, first, true);
	recording_close(&recording);
	return 0;
}

/* ---- pwrtrace record ---- */

/* Appends to assignments what is preloaded besides: not another copy of ours, which would record
 * everything once more. */
static void add_other_preloads(char *assignment, size_t size)
{
	char *others = strdup(getenv("LD_PRELOAD") ?: ""), *rest = others, *library;

	while ((library = strsep(&rest, ": "))) {
		size_t used = strlen(assignment);

		if (*library && strcmp(name_of_file(library), "libpwrtrace.so") != 0)
			snprintf(assignment + used, size - used, ":%s", library);
	}
	free(others);
}

/* libpwrtrace.so lies one folder above us.  The CUDA driver finds it by itself where the program
 * loads the driver out of sight; another tool's injection stays.  Returns -1 with one line in why
 * where nothing can preload it. */
static int preload_assignments(
	char *preload, char *injection, size_t size, char why[SESSION_WHY_MAX])
{
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	path[length > 0 ? length : 0] = 0;
	for (int i = 0; i < 2; i++) {
		char *slash = strrchr(path, '/');

		if (slash)
			*slash = 0;
	}
	strncat(path, "/libpwrtrace.so", sizeof(path) - strlen(path) - 1);
	snprintf(preload, size, "LD_PRELOAD=%s", path);
	add_other_preloads(preload, size);
	snprintf(injection, size, "CUDA_INJECTION64_PATH=%s", path);
	if (access(path, R_OK))
		snprintf(why, SESSION_WHY_MAX, "libpwrtrace.so is not where it was installed");
	else if (strpbrk(path, " :"))
		snprintf(why, SESSION_WHY_MAX,
			"the loader preloads nothing whose path has a space or a colon, as %.300s; "
			"install pwrtrace elsewhere",
			path);
	else
		return 0;
	return -1;
}

static char *joined(char *const *argv)
{
	size_t length = 1;
	char *text;

	for (size_t i = 0; argv[i]; i++)
		length += strlen(argv[i]) + 1;
	text = calloc(1, length);
	for (size_t i = 0; text && argv[i]; i++) {
		if (i)
			strcat(text, " ");
		strcat(text, argv[i]);
	}
	return text;
}

static _Noreturn void cannot(int status, const char *why)
{
	log_error("%s", why);
	exit(status);
}

static _Noreturn void be_recorder(struct recording *recording, const struct program *program)
{
	char why[SESSION_WHY_MAX];

	close(program->gate_fd);
	daemon_raise_descriptor_limit();
	if (recording_open(recording, why)) {
		recording_close(recording);
		front_ready(recording->front, why);
		exit(EXIT_CANNOT_RECORD);
	}
	front_ready(recording->front, "");
	recording_serve(recording, family_open(program->pid), false);
	recording_close(recording);
	recording_summarize(recording);
	front_done(&recording->front);
	exit(EXIT_SUCCESS);
}

static int record(void)
{
	char preload[2 * PATH_MAX], injection[2 * PATH_MAX], id[96];
	char output[PATH_MAX], why[SESSION_WHY_MAX];
	char *assignments[] = {preload, id, "PWRTRACE_OUTPUT", "PWRTRACE_DISABLE",
		getenv("CUDA_INJECTION64_PATH") ? NULL : injection, NULL};
	struct recording recording = {.power = conf.power,
		.command = joined(options.argv),
		.tags = options.tags,
		.tag_count = options.tag_count};
	struct program program;
	pid_t recorder;
	int status = program_check(options.argv[0], why, sizeof(why));

	if (status)
		cannot(status, why);
	if (preload_assignments(preload, injection, sizeof(preload), why))
		cannot(EXIT_CANNOT_RECORD, why);
	log_refused_settings();
	rendezvous_new_id(recording.id, sizeof(recording.id));
	snprintf(id, sizeof(id), "PWRTRACE_RECORDING=%s", recording.id);
	if (recording_listen(&recording) || program_hold(&program, options.argv, assignments))
		cannot(EXIT_CANNOT_RECORD, strerror(errno));
	/* Only now: the program inherits signals as they were given to us. */
	prepare_for_ends();

	/* PWRTRACE_OUTPUT=none is for a bare LD_PRELOAD: pwrtrace record always records. */
	if (options.output)
		conf.output = options.output;
	else if (strcmp(conf.output, "none") == 0)
		conf.output = "";
	recording.output_chosen = *conf.output;
	recording.output = output;
	if (conf_output_dir(
		    output, sizeof(output), name_of_file(options.argv[0]), (int)program.pid)) {
		program_cancel(&program);
		cannot(EXIT_CANNOT_RECORD, "the output directory's name is too long");
	}
	recorder = front_split(&recording.front);
	if (recorder == 0)
		be_recorder(&recording, &program);
	close(recording.listen_fd);
	if (recorder < 0)
		strcpy(why, strerror(errno));
	if (recorder < 0 || front_await_ready(recording.front, why)) {
		program_cancel(&program);
		cannot(EXIT_CANNOT_RECORD, why);
	}
	return front_serve(
		recording.front, recorder, &program, options.live ? live_line_begin(recorder) : -1);
}

int main(int argc, char **argv)
{
	parse(argc, argv);
	/* Where we run within another recording, what we start belongs to ours. */
	unsetenv("PWRTRACE_RECORDING");
	conf_read();
	log_init();
	if (!options.helper && !options.release)
		return record();
	prepare_for_ends();
	if (options.helper)
		return help();
	daemon_release();
	return 0;
}
