/* SPDX-License-Identifier: MIT */
/*
 * The lock under which tables grow (intern.h, handles.h): one for all of a library.
 *
 * What a launching thread looks up is nearly always there, and takes no lock.  A fork may happen
 * while another thread holds it, and that thread is not there in the child: there it is free again.
 * What the tables have then is whole, for readers may be in them at any time.
 */
#ifndef PWRTRACE_TABLE_LOCK_H
#define PWRTRACE_TABLE_LOCK_H

/* Not to be nested. */
void table_lock(void);
void table_unlock(void);

#endif
