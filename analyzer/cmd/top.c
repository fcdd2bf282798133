/* SPDX-License-Identifier: MIT */
/* pwrtrace top: power and kernels of recordings under way, in another terminal. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "analyzer/cmd/command.h"
#include "analyzer/live/live.h"
#include "analyzer/live/recordings.h"
#include "analyzer/print/message.h"
#include "analyzer/print/terminal.h"
#include "analyzer/view/live/live_screen.h"

/* The options, for command_parse. */
struct top_options {
	struct command_options common;
	bool batch;
	size_t count;    /* of frames; 0: until the recordings end */
	int order;       /* enum live_order */
	bool line;       /* record --live: a line on /dev/tty, until SIGTERM */
	size_t recorder; /* its process */
};

static void free_live(gpointer live)
{
	live_free(live);
}

/* Returns the recordings of which it is asked (struct live *), or NULL after saying that there are
 * none. */
static GPtrArray *open_recordings(char *const *directories)
{
	GPtrArray *lives = g_ptr_array_new_with_free_func(free_live);
	GPtrArray *found = *directories ? NULL : recordings_under_way(0);

	for (; *directories; directories++) {
		if (!recording_is_under_way(*directories)) {
			message_error(g_file_test(*directories, G_FILE_TEST_IS_DIR)
					      ? "%s is not being recorded now; see it with: "
						"pwrtrace report %s"
					      : "%s is not a directory",
				*directories, *directories);
			g_ptr_array_unref(lives);
			return NULL;
		}
		g_ptr_array_add(lives, live_new(*directories));
	}
	for (guint i = 0; found && i < found->len; i++)
		g_ptr_array_add(lives, live_new(g_ptr_array_index(found, i)));
	if (found)
		g_ptr_array_unref(found);
	if (lives->len)
		return lives;
	message_error("no recording is under way that this user can see; begin one with: pwrtrace "
		      "record PROGRAM");
	g_ptr_array_unref(lives);
	return NULL;
}

/* Reads what is new.  Returns whether any recording goes on. */
static bool read_all(const GPtrArray *lives)
{
	bool goes_on = false;

	for (guint i = 0; i < lives->len; i++)
		goes_on |= live_read(g_ptr_array_index(lives, i));
	return goes_on;
}

/* Frames as plain text, apart by blank lines. */
static void put_frames(const GPtrArray *lives, const struct top_options *options)
{
	for (size_t frame = 1;; frame++) {
		bool goes_on = read_all(lives);

		for (guint i = 0; i < lives->len; i++)
			live_put_text(stdout, g_ptr_array_index(lives, i),
				(enum live_order)options->order, 0);
		fputc('\n', stdout);
		if (fflush(stdout) || !goes_on || frame == options->count)
			return;
		g_usleep(G_USEC_PER_SEC);
	}
}

/* On the whole terminal, until q. */
static int watch(const GPtrArray *lives, const struct top_options *options)
{
	static const char keys[] = "q quit   s sort by something else   h hide this";
	int order = options->order;
	gint64 next_us = 0;
	bool goes_on = true, help = false;

	if (!live_screen_open()) {
		message_error("this type of terminal is not known (TERM); --batch prints text");
		return COMMAND_BAD_INPUT;
	}
	for (size_t frame = 0;;) {
		gint64 now_us = g_get_monotonic_time();
		int key;

		if (now_us >= next_us) {
			if (options->count && frame++ == options->count)
				break;
			goes_on = read_all(lives);
			next_us = now_us + G_USEC_PER_SEC;
		}
		live_screen_put(lives, (enum live_order)order,
			help       ? keys
			: !goes_on ? "Nothing is recorded any more: q quits."
				   : NULL);
		key = live_screen_key((int)((next_us - now_us) / 1000));
		if (key == 'q')
			break;
		if (key == 's')
			order = (order + 1) % LIVE_ORDERS;
		if (key == 'h' || key == '?')
			help = !help;
	}
	live_screen_close();
	return COMMAND_FINE;
}

/* Writes a line over the last one; "" clears it. */
static void put_over(int terminal, const char *line)
{
	struct winsize size;
	int columns = ioctl(terminal, TIOCGWINSZ, &size) || !size.ws_col ? 80 : size.ws_col;
	GString *row = g_string_new(NULL);

	terminal_lay_out(row, line, columns - 1);
	g_string_truncate(row, strcspn(row->str, "\n"));
	if (terminal_is_ascii())
		terminal_to_ascii(row);
	g_string_prepend_c(row, '\r');
	g_string_append_printf(
		row, "%*s\r", MAX(columns - (int)g_utf8_strlen(row->str, -1), 0), "");
	/* In the background it would write into what the shell shows. */
	if (tcgetpgrp(terminal) == getpgrp() && write(terminal, row->str, row->len) < 0)
		message_error("/dev/tty: %s", strerror(errno));
	g_string_free(row, TRUE);
}

/* A line about a recording, once a second until that ends or SIGTERM. */
static int keep_line(pid_t recorder)
{
	GPtrArray *found = recordings_under_way(recorder);
	int terminal = open("/dev/tty", O_WRONLY | O_CLOEXEC);
	struct live *live = found->len ? live_new(g_ptr_array_index(found, 0)) : NULL;
	sigset_t ending;

	sigemptyset(&ending);
	sigaddset(&ending, SIGTERM);
	sigprocmask(SIG_BLOCK, &ending, NULL);
	while (live && live_read(live)) {
		char *line = NULL;
		size_t size;
		FILE *out = open_memstream(&line, &size);

		live_put_line(out, live);
		fclose(out);
		put_over(terminal, line);
		free(line);
		if (sigtimedwait(&ending, NULL, &(struct timespec){.tv_sec = 1}) == SIGTERM)
			break;
	}
	put_over(terminal, "");
	close(terminal);
	if (live)
		live_free(live);
	g_ptr_array_unref(found);
	return COMMAND_FINE;
}

static int run(int argc, char **argv)
{
	struct top_options options = {.order = LIVE_BY_ENERGY};
	int status = command_parse(&command_top, argc, argv, &options);
	GPtrArray *lives;

	if (status || options.common.done)
		return status;
	if (options.line)
		return keep_line((pid_t)options.recorder);
	if (!options.batch && (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)))
		return command_misused(&command_top, "this is no terminal: --batch prints text");
	lives = open_recordings(options.common.arguments);
	if (!lives)
		return COMMAND_BAD_INPUT;
	if (options.batch) {
		terminal_fit();
		put_frames(lives, &options);
	} else {
		status = watch(lives, &options);
	}
	g_ptr_array_unref(lives);
	return status;
}

static int take_order(const struct command *command, const struct command_option *option,
	void *place, const char *argument)
{
	(void)command;
	(void)option;
	for (int order = 0; order < LIVE_ORDERS; order++)
		if (strcmp(live_order_name((size_t)order), argument) == 0)
			*(int *)place = order;
	return 0;
}

#define PLACE(member) .offset = offsetof(struct top_options, member)

static const struct command_option options[] = {
	{"batch", 'b', NULL, "print frames as text, one a second, until the recordings end",
		.take = command_take_flag, PLACE(batch)},
	{"count", 'n', "N", "end after N frames", .take = command_take_count, PLACE(count),
		.least = 1},
	{"sort", 0, "ORDER", "order kernels by %s", .take = take_order, PLACE(order),
		.choice = live_order_name, .first = "default"},
	{"line", .take = command_take_flag, PLACE(line)},
	{"recorder", .argument = "PID", .take = command_take_count, PLACE(recorder)},
	{0},
};

const struct command command_top = {
	.name = "top",
	.help = "watch power and kernels of recordings under way",
	.synopsis = (const char *const[]){"[OPTION]... [DIR]...", NULL},
	.about = "Shows, for each recording under way on this machine, or in DIR, what its sensors "
		 "read and which kernels took how much energy in the last seconds, by a rough "
		 "estimate.  Keys: q quits, s sorts by something else, h shows help.",
	.options = options,
	.run = run,
};
