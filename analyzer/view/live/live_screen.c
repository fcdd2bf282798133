/* SPDX-License-Identifier: MIT */
#include "analyzer/view/live/live_screen.h"

#include <curses.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/print/terminal.h"

/* Rows of a frame that are no kernel, beside those of sensors. */
#define FRAME_ROWS 4
/* What is wider than this is cut off. */
#define COLUMNS_MAX 1024

static SCREEN *screen;
static WINDOW *pad; /* wider than the terminal, which shows its left part */

bool live_screen_open(void)
{
	screen = newterm(NULL, stdout, stdin);
	if (!screen)
		return false;
	cbreak();
	noecho();
	curs_set(0);
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	pad = newpad(LINES, COLUMNS_MAX);
	return true;
}

void live_screen_close(void)
{
	delwin(pad);
	endwin();
	delscreen(screen);
}

static void put_row(int row, const char *text, attr_t attributes)
{
	GString *line = g_string_new(text);

	if (!g_get_charset(NULL))
		terminal_to_ascii(line);
	wattrset(pad, (int)attributes);
	/* Cut off as the last column would begin a new row. */
	mvwaddnstr(pad, row, 0, line->str, COLUMNS_MAX - 1);
	g_string_free(line, TRUE);
}

/* Shows a frame from a row on.  Returns the row behind it. */
static int put_frame(int row, const struct live *live, enum live_order order, int rows)
{
	int kernels = rows - FRAME_ROWS - (int)live_sensors(live)->len;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	char **lines;

	if (!out)
		return row;
	live_put_text(out, live, order, (guint)MAX(kernels, 1));
	fclose(out);
	lines = g_strsplit(text, "\n", -1);
	/* A row of figures begins with one of them, or with "-"; the headings with a capital. */
	for (int i = 0; lines[i] && *lines[i]; i++)
		put_row(row++, lines[i],
			i == 0                                             ? A_BOLD
			: g_ascii_isupper(lines[i][strspn(lines[i], " ")]) ? A_REVERSE
									   : A_NORMAL);
	g_strfreev(lines);
	free(text);
	return row + 1;
}

void live_screen_put(const GPtrArray *lives, enum live_order order, const char *note)
{
	int rows = (LINES - (note != NULL)) / MAX((int)lives->len, 1), row = 0;

	wresize(pad, LINES, COLUMNS_MAX);
	werase(pad);
	for (guint i = 0; i < lives->len; i++)
		row = put_frame(row, g_ptr_array_index(lives, i), order, rows);
	if (note) {
		wmove(pad, LINES - 1, 0);
		wclrtoeol(pad);
		put_row(LINES - 1, note, A_BOLD);
	}
	prefresh(pad, 0, 0, 0, 0, LINES - 1, COLS - 1);
}

int live_screen_key(int wait_ms)
{
	struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
	int key;

	if (poll(&input, 1, MAX(wait_ms, 0)) > 0 && input.revents & (POLLHUP | POLLERR | POLLNVAL))
		return 'q';
	key = getch();
	return key == ERR || key == KEY_RESIZE ? 0 : key;
}
