/* SPDX-License-Identifier: MIT */
#include "analyzer/print/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define COLUMNS_MIN 20
#define NAME_MIN 24 /* columns: with less room, a name begins a new row */
#define ROWS_MAX 8  /* rows that one line may take; the rest is cut off */
#define TAIL_MAX                                                                                   \
	12       /* columns: the end of a line that is no longer stays beside the name before it */
#define INDENT 4 /* columns by which rows after the first are indented, beyond the line's own */

static const char *ellipsis = "…"; /* of one column */

/* ---- columns ---- */

/* The width in columns of the character at text; *next is set to the character after it.  Escape
 * sequences that set colours, and the marks around names, have no width. */
static int columns_at(const char *text, const char **next)
{
	gunichar character;

	if (*text == '\033') {
		*next = text + strcspn(text, "m");
		*next += **next == 'm';
		return 0;
	}
	*next = g_utf8_next_char(text);
	if (*text == TERMINAL_NAME_BEGIN || *text == TERMINAL_NAME_END)
		return 0;
	character = g_utf8_get_char(text);
	return g_unichar_iszerowidth(character) ? 0 : g_unichar_iswide(character) ? 2 : 1;
}

static int columns_of(const char *text, const char *end)
{
	int columns = 0;

	while (text < end)
		columns += columns_at(text, &text);
	return columns;
}

/* Where the first columns of the text end; its end where it has fewer. */
static const char *skip_columns(const char *text, const char *end, int columns)
{
	for (const char *next; text < end; text = next) {
		columns -= columns_at(text, &next);
		if (columns < 0)
			break;
	}
	return text;
}

/* ---- a line ---- */

struct layout {
	GString *to;
	int columns; /* of the terminal */
	int indent;  /* of rows after the first */
	int used;    /* columns of this row */
	int rows;    /* before this one */
};

static void begin_row(struct layout *layout)
{
	g_string_append_c(layout->to, '\n');
	g_string_append_printf(layout->to, "%*s", layout->indent, "");
	layout->used = layout->indent;
	layout->rows++;
}

static void append(struct layout *layout, const char *text, const char *end)
{
	for (const char *next; text < end; text = next) {
		layout->used += columns_at(text, &next);
		if (*text != TERMINAL_NAME_BEGIN && *text != TERMINAL_NAME_END)
			g_string_append_len(layout->to, text, next - text);
	}
}

/* Appends the beginning of a text, and an ellipsis where it has an end, in room columns. */
static void append_begin(struct layout *layout, const char *text, const char *end, int room)
{
	if (columns_of(text, end) <= room) {
		append(layout, text, end);
		return;
	}
	append(layout, text, skip_columns(text, end, room - 1));
	append(layout, ellipsis, ellipsis + strlen(ellipsis));
}

/* Appends a text, or its beginning and its end with an ellipsis between them, in room columns. */
static void append_ends(struct layout *layout, const char *text, const char *end, int room)
{
	int tail = (room - 1) / 3, all = columns_of(text, end);

	if (all <= room) {
		append(layout, text, end);
		return;
	}
	append_begin(layout, text, end, room - tail);
	append(layout, skip_columns(text, end, all - tail), end);
}

/* Where the shape in brackets begins with which a name ends, with the space before it; its end
 * where there is none. */
static const char *shape_of(const char *name, const char *end)
{
	const char *shape =
		end > name && end[-1] == ']' ? g_strrstr_len(name, end - name, " [") : NULL;

	return shape ? shape : end;
}

/* Appends a name that is longer than room columns.  Names may differ in their shapes alone, and
 * these first in their beginnings: a shape gets at least half of the room. */
static void append_cut(struct layout *layout, const char *name, const char *end, int room)
{
	const char *shape = shape_of(name, end);
	int shape_room = MIN(columns_of(shape, end), MAX(room / 2, room - columns_of(name, shape)));

	append_ends(layout, name, shape, room - shape_room);
	append_begin(layout, shape, end, shape_room);
}

/* Appends a piece of text that stays on one row, after some spaces.  beside: the columns of text
 * behind the piece that must stay on the same row. */
static void put_piece(struct layout *layout, int spaces, const char *piece, const char *end,
	bool is_name, int beside)
{
	int wanted = columns_of(piece, end);
	int room = layout->columns - layout->used - spaces - beside;

	if (wanted > room && (!is_name || room < NAME_MIN)) {
		if (layout->used)
			begin_row(layout);
		/* More than two spaces before a name show its depth in a tree: keep them. */
		spaces = MIN(is_name && spaces > 2 ? spaces - 2 : 0, layout->columns / 3);
		room = MAX(layout->columns - layout->used - spaces - beside, COLUMNS_MIN / 2);
	}
	g_string_append_printf(layout->to, "%*s", spaces, "");
	layout->used += spaces;
	if (wanted > room)
		append_cut(layout, piece, end, room);
	else
		append(layout, piece, end);
}

/* Whether a space is between a number and its unit, where a row must not end. */
static bool is_within_amount(const char *text, const char *space)
{
	return space > text && g_ascii_isdigit(space[-1]) && space[1] != ' ' &&
	       !g_ascii_isdigit(space[1]);
}

/* Where the piece at text ends: a name at its end mark, other text before the next space. */
static const char *end_of_piece(const char *text)
{
	const char *at = text;

	if (*text == TERMINAL_NAME_BEGIN)
		return text + strcspn(text, (char[]){TERMINAL_NAME_END, '\0'});
	while (*at && *at != TERMINAL_NAME_BEGIN && (*at != ' ' || is_within_amount(text, at)))
		at++;
	return at;
}

/* How many columns of what follows a name stay on its row: a short end of the line, else what is
 * not apart from it by a space. */
static int columns_beside(const char *next, int room)
{
	const char *end = next + strlen(next);

	if (!strchr(next, TERMINAL_NAME_BEGIN) &&
		columns_of(next, end) <= MIN(TAIL_MAX, room - NAME_MIN))
		return columns_of(next, end);
	return *next == ' ' ? 0 : columns_of(next, end_of_piece(next));
}

void terminal_lay_out(GString *to, const char *line, int columns)
{
	int spaces = (int)strspn(line, " ");
	/* A table's columns are apart by two spaces or more; its leading spaces only align a
	 * number, and are no indentation. */
	bool is_table = strstr(line + spaces, "  ");
	struct layout layout = {.to = to,
		.columns = columns,
		.indent = MIN((is_table ? 0 : spaces) + INDENT, columns / 2)};
	const char *next;

	if (columns_of(line, line + strlen(line)) <= columns) {
		append(&layout, line, line + strlen(line));
		line += strlen(line);
	}
	while (*line) {
		const char *piece = line + strspn(line, " "), *end = end_of_piece(piece);
		bool is_name = *piece == TERMINAL_NAME_BEGIN;

		if (layout.rows == ROWS_MAX) {
			put_piece(&layout, 0, ellipsis, ellipsis + strlen(ellipsis), false, 0);
			break;
		}
		next = end + (is_name && *end);
		put_piece(&layout, (int)(piece - line), piece, end, is_name,
			is_name ? columns_beside(next, columns - layout.used - (int)(piece - line))
				: 0);
		line = next;
	}
	g_string_append_c(to, '\n');
}

/* ---- terminals without UTF-8 ---- */

void terminal_to_ascii(GString *line)
{
	/* From a whole block down to an eighth, as bars have them. */
	static const char upright[] = "_.-=+*##", lying[] = "####--..";
	GString *ascii = g_string_sized_new(line->len);

	for (const char *at = line->str, *next; *at; at = next) {
		gunichar character = g_utf8_get_char(at);
		char utf8[8] = {0};

		next = g_utf8_next_char(at);
		if (character < 0x80)
			g_string_append_c(ascii, *at);
		else if (character >= 0x2581 && character <= 0x2588)
			g_string_append_c(ascii, upright[character - 0x2581]);
		else if (character > 0x2588 && character <= 0x258f)
			g_string_append_c(ascii, lying[character - 0x2588]);
		else if (character == 0xb1)
			g_string_append(ascii, "+-");
		else if (character == 0xb0)
			g_string_append_c(ascii, ' ');
		else {
			char *alike;

			memcpy(utf8, at, (size_t)(next - at));
			alike = g_str_to_ascii(utf8, "C");
			g_string_append(ascii, alike);
			g_free(alike);
		}
	}
	g_string_assign(line, ascii->str);
	g_string_free(ascii, TRUE);
}

/* Where no locale is set, as in containers, terminals have UTF-8 all the same. */
bool terminal_is_ascii(void)
{
	static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};

	for (size_t i = 0; i < G_N_ELEMENTS(variables); i++) {
		const char *locale = getenv(variables[i]);

		if (locale && *locale)
			return !strcasestr(locale, "utf-8") && !strcasestr(locale, "utf8");
	}
	return false;
}

/* ---- the standard output ---- */

static FILE *fitted; /* takes the place of stdout; NULL: stdout is not fitted */
static int fitted_columns;
static GString *pending; /* the line being written, until its newline */
static bool in_ascii;

static bool write_all(const GString *text)
{
	size_t written = 0;

	while (written < text->len) {
		ssize_t step = write(STDOUT_FILENO, text->str + written, text->len - written);

		if (step < 0)
			return false;
		written += (size_t)step;
	}
	return true;
}

/* A write function of fopencookie(3). */
static ssize_t put(void *unused, const char *bytes, size_t size)
{
	GString *rows = g_string_new(NULL);
	bool put;

	(void)unused;
	for (size_t i = 0; i < size; i++) {
		if (bytes[i] != '\n') {
			g_string_append_c(pending, bytes[i]);
			continue;
		}
		if (in_ascii)
			terminal_to_ascii(pending);
		terminal_lay_out(rows, pending->str, fitted_columns);
		g_string_truncate(pending, 0);
	}
	put = write_all(rows);
	g_string_free(rows, TRUE);
	return put ? (ssize_t)size : 0;
}

/* The width of the terminal that is the standard output; 0: none, or not known. */
static int columns_of_terminal(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;

	if (!isatty(STDOUT_FILENO))
		return 0;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col)
		return size.ws_col;
	return columns ? atoi(columns) : 0;
}

void terminal_fit(void)
{
	int columns = columns_of_terminal();

	if (columns <= 0 || fitted)
		return;
	fitted = fopencookie(NULL, "w", (cookie_io_functions_t){.write = put});
	if (!fitted)
		return;
	fflush(stdout);
	fitted_columns = MAX(columns, COLUMNS_MIN);
	pending = g_string_new(NULL);
	in_ascii = terminal_is_ascii();
	if (in_ascii)
		ellipsis = "~";
	stdout = fitted;
}

bool terminal_is_fitted(const FILE *out)
{
	return fitted && out == fitted;
}

int terminal_columns(const FILE *out)
{
	return terminal_is_fitted(out) ? fitted_columns : 0;
}
