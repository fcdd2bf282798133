/* SPDX-License-Identifier: MIT */
/* Frames of pwrtrace top on the whole of a terminal, which is the standard input and output. */
#ifndef PWRTRACE_LIVE_SCREEN_H
#define PWRTRACE_LIVE_SCREEN_H

#include "analyzer/view/live/live_view.h"

/* Takes the terminal.  Returns false where what TERM says is not known.  A signal that ends us
 * gives the terminal back. */
bool live_screen_open(void);

/* Gives the terminal back as it was. */
void live_screen_close(void);

/* Shows recordings (struct live *), each on its share of the rows, and a note on the last row
 * (NULL: none). */
void live_screen_put(const GPtrArray *lives, enum live_order order, const char *note);

/* Waits so long for a key.  Returns it; 'q' where the terminal is gone; 0 where none came or the
 * terminal has another size. */
int live_screen_key(int wait_ms);

#endif
