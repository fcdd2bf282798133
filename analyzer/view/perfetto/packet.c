/* SPDX-License-Identifier: MIT */
#include "analyzer/view/perfetto/packet.h"

#include <string.h>

#define PACKET_OF_TRACE 1

enum { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2 };

static void put_varint(GByteArray *message, uint64_t value)
{
	do {
		guint8 byte = (value & 0x7f) | (value > 0x7f ? 0x80 : 0);

		g_byte_array_append(message, &byte, 1);
		value >>= 7;
	} while (value);
}

static void put_tag(GByteArray *message, guint field, guint wire)
{
	put_varint(message, (uint64_t)field << 3 | wire);
}

static void put_bytes(GByteArray *message, guint field, const void *bytes, size_t length)
{
	put_tag(message, field, WIRE_BYTES);
	put_varint(message, length);
	g_byte_array_append(message, bytes, (guint)length);
}

void packet_put_count(GByteArray *message, guint field, uint64_t value)
{
	put_tag(message, field, WIRE_VARINT);
	put_varint(message, value);
}

void packet_put_real(GByteArray *message, guint field, double value)
{
	put_tag(message, field, WIRE_FIXED64);
	g_byte_array_append(message, (const guint8 *)&value, sizeof(value));
}

void packet_put_text(GByteArray *message, guint field, const char *text)
{
	put_bytes(message, field, text, strlen(text));
}

void packet_put_message(GByteArray *message, guint field, GByteArray *part)
{
	put_bytes(message, field, part->data, part->len);
	g_byte_array_set_size(part, 0);
}

void packet_write(FILE *out, GByteArray *packet)
{
	GByteArray *head = g_byte_array_new();

	put_tag(head, PACKET_OF_TRACE, WIRE_BYTES);
	put_varint(head, packet->len);
	fwrite(head->data, 1, head->len, out);
	fwrite(packet->data, 1, packet->len, out);
	g_byte_array_free(head, TRUE);
	g_byte_array_set_size(packet, 0);
}
