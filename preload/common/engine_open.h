/* SPDX-License-Identifier: MIT */
/* Opening the engine, from the shim and from the recorder. */
#ifndef PWRTRACE_ENGINE_OPEN_H
#define PWRTRACE_ENGINE_OPEN_H

/*
 * Opens libpwrtrace-engine.so, found beside the object that this function is linked into or in
 * pwrtrace/ below that, for good: it is never closed.
 *
 * LTTng-UST starts in its constructor and reads its settings there, once: it sees
 * LTTNG_UST_REGISTER_TIMEOUT=500, so that it waits half a second for a session daemon at most (its
 * own threads finish the registration when the daemon is ready, however long that takes), and
 * LTTNG_HOME=lttng_home unless that is "".  The program sees neither afterwards.
 *
 * Returns a handle for dlsym, or NULL with *why set to a text that is valid until the next call.
 * errno is preserved; a dlerror that was pending is lost.  One thread at a time.
 */
void *engine_dlopen(const char *lttng_home, const char **why);

#endif
