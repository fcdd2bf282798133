/* SPDX-License-Identifier: MIT */
/* Protocol buffers as Perfetto's trace format has them: fields are appended to a message, and a
 * message is a field of another one or a packet of the trace. */
#ifndef PWRTRACE_PERFETTO_PACKET_H
#define PWRTRACE_PERFETTO_PACKET_H

#include <glib.h>
#include <stdint.h>
#include <stdio.h>

/* Appends a field to a message. */
void packet_put_count(GByteArray *message, guint field, uint64_t value);
void packet_put_real(GByteArray *message, guint field, double value);
void packet_put_text(GByteArray *message, guint field, const char *text);

/* Appends a message as a field of another one, and empties it. */
void packet_put_message(GByteArray *message, guint field, GByteArray *part);

/* Writes a packet, and empties it. */
void packet_write(FILE *out, GByteArray *packet);

#endif
