/* SPDX-License-Identifier: MIT */
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "analyzer/library/library.h"
#include "analyzer/print/input.h"
#include "analyzer/print/message.h"

#define SCHEMA "pwrtrace-library/1"
#define DIGITS 9         /* of numbers in the file */
#define CREDIBLE 1e12    /* no power, time or clock is larger, in the units of the file */
#define EXPONENT_MOST 10 /* of a power by the clock: no hardware comes near it */

/* ---- writing ---- */

static json_t *real_or_null(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *class_to_json(const struct library_class *class)
{
	const struct library_work *work = &class->work;

	return json_pack("{s:s, s:s, s:[I, I, I], s:[I, I, I], s:I, s:I, s:I, s:o, s:o, s:o, s:o, "
			 "s:o, s:o, s:o, s:o, s:o}",
		"kind", work->kind, "name", work->name, "grid", (json_int_t)work->grid[0],
		(json_int_t)work->grid[1], (json_int_t)work->grid[2], "block",
		(json_int_t)work->block[0], (json_int_t)work->block[1], (json_int_t)work->block[2],
		"shared_bytes", (json_int_t)work->shared_bytes, "bytes", (json_int_t)work->bytes,
		"executions", (json_int_t) class->executions, "median_ns",
		real_or_null(class->median_ns), "mean_ns", real_or_null(class->mean_ns),
		"clock_mhz", real_or_null(class->clock_mhz), "follows_clock",
		real_or_null(class->follows), "exponent", real_or_null(class->exponent),
		"dynamic_w", real_or_null(class->dynamic_w), "deviation_w",
		real_or_null(class->deviation_w), "prior_w", real_or_null(class->prior_w),
		"prior_deviation_w", real_or_null(class->prior_deviation_w));
}

static json_t *row_to_json(const struct library_message *message, guint row)
{
	json_t *parts = json_array();

	for (guint i = 0; i < message->classes->len; i++)
		json_array_append_new(
			parts, json_real(message->part[(gsize)row * message->classes->len + i]));
	return json_pack("{s:f, s:o}", "sum", message->sum[row], "parts", parts);
}

static json_t *response_to_json(const struct library_message *message)
{
	const struct response_shape *shape = &message->response;

	if (!message->has_response)
		return json_null();
	return json_pack("{s:f, s:f, s:f}", "lag_ns", shape->lag_ns, "window_ns", shape->window_ns,
		"tail_ns", shape->tail_ns);
}

static json_t *message_to_json(const struct library_message *message)
{
	json_t *classes = json_array(), *told = json_array();

	for (guint i = 0; i < message->classes->len; i++)
		json_array_append_new(classes,
			class_to_json(&g_array_index(message->classes, struct library_class, i)));
	for (guint row = 0; row < message->rows; row++)
		json_array_append_new(told, row_to_json(message, row));
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o}", "id", message->id,
		"program", message->program, "device", message->device, "board", message->board,
		"driver", message->driver, "source", message->source, "domain", message->domain,
		"response", response_to_json(message), "classes", classes, "told", told);
}

void library_write(FILE *out, const struct library *library)
{
	json_t *messages = json_array();
	json_t *root = json_pack("{s:s, s:o}", "schema", SCHEMA, "messages", messages);

	for (guint i = 0; i < library->messages->len; i++)
		json_array_append_new(
			messages, message_to_json(g_ptr_array_index(library->messages, i)));
	json_dumpf(root, out, JSON_INDENT(1) | JSON_REAL_PRECISION(DIGITS));
	fputc('\n', out);
	json_decref(root);
}

/* ---- reading ---- */

static double real_of(const json_t *json)
{
	return json_is_number(json) ? json_number_value(json) : NAN;
}

static bool is_credible(double value)
{
	return value >= 0 && value < CREDIBLE;
}

static bool class_from_json(struct library *library, struct library_message *message, json_t *json)
{
	const char *kind, *name;
	json_int_t grid[3], block[3], shared, bytes, executions;
	json_t *clock, *exponent;
	struct library_class class = {.executions = 0};

	if (json_unpack(json,
		    "{s:s, s:s, s:[I, I, I], s:[I, I, I], s:I, s:I, s:I, s:F, s:o, s:o, s:F, s:F, "
		    "s:F, s:F}",
		    "kind", &kind, "name", &name, "grid", &grid[0], &grid[1], &grid[2], "block",
		    &block[0], &block[1], &block[2], "shared_bytes", &shared, "bytes", &bytes,
		    "executions", &executions, "median_ns", &class.median_ns, "clock_mhz", &clock,
		    "exponent", &exponent, "dynamic_w", &class.dynamic_w, "deviation_w",
		    &class.deviation_w, "prior_w", &class.prior_w, "prior_deviation_w",
		    &class.prior_deviation_w))
		return false;
	class.work.kind = library_text(library, kind);
	class.work.name = library_text(library, name);
	for (int i = 0; i < 3; i++) {
		class.work.grid[i] = (uint64_t)grid[i];
		class.work.block[i] = (uint32_t)block[i];
	}
	class.work.shared_bytes = (uint32_t)shared;
	class.work.bytes = (uint64_t)bytes;
	class.executions = (uint64_t)executions;
	/* Not in the first libraries. */
	class.mean_ns = real_of(json_object_get(json, "mean_ns"));
	class.follows = real_of(json_object_get(json, "follows_clock"));
	class.clock_mhz = real_of(clock);
	class.exponent = real_of(exponent);
	g_array_append_val(message->classes, class);
	return is_credible(class.median_ns) && is_credible(class.dynamic_w) &&
	       is_credible(class.deviation_w) && is_credible(class.prior_w) &&
	       is_credible(class.prior_deviation_w) && !(fabs(class.exponent) > EXPONENT_MOST) &&
	       executions >= 0 && shared >= 0;
}

static bool row_from_json(struct library_message *message, guint row, const json_t *json)
{
	const json_t *parts = json_object_get(json, "parts");
	guint count = message->classes->len;

	message->sum[row] = real_of(json_object_get(json, "sum"));
	if (json_array_size(parts) != count)
		return false;
	for (guint i = 0; i < count; i++)
		message->part[(gsize)row * count + i] = real_of(json_array_get(parts, i));
	for (guint i = 0; i < count; i++)
		if (!(fabs(message->part[(gsize)row * count + i]) < CREDIBLE))
			return false;
	return fabs(message->sum[row]) < CREDIBLE;
}

static bool rows_from_json(struct library_message *message, const json_t *told)
{
	size_t count = json_array_size(told);

	/* Independent measurements are no more than what they measure. */
	if (!json_is_array(told) || count > message->classes->len)
		return false;
	message->rows = (guint)count;
	message->part = g_new0(double, count * message->classes->len + 1);
	message->sum = g_new0(double, count + 1);
	for (guint row = 0; row < message->rows; row++)
		if (!row_from_json(message, row, json_array_get(told, row)))
			return false;
	return true;
}

/* The first libraries have none. */
static bool response_from_json(struct library_message *message, json_t *json)
{
	struct response_shape *shape = &message->response;

	message->has_response = json && !json_is_null(json);
	return !message->has_response ||
	       (json_unpack(json, "{s:F, s:F, s:F}", "lag_ns", &shape->lag_ns, "window_ns",
			&shape->window_ns, "tail_ns", &shape->tail_ns) == 0 &&
		       fabs(shape->lag_ns) < CREDIBLE && is_credible(shape->window_ns) &&
		       is_credible(shape->tail_ns));
}

static bool message_from_json(
	struct library *library, struct library_message *message, json_t *json)
{
	json_t *classes, *told;

	if (json_unpack(json, "{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:o}", "id", &message->id,
		    "program", &message->program, "device", &message->device, "board",
		    &message->board, "driver", &message->driver, "source", &message->source,
		    "domain", &message->domain, "classes", &classes, "told", &told) ||
		!json_is_array(classes) ||
		!response_from_json(message, json_object_get(json, "response")))
		return false;
	message->id = library_text(library, message->id);
	message->program = library_text(library, message->program);
	message->device = library_text(library, message->device);
	message->board = library_text(library, message->board);
	message->driver = library_text(library, message->driver);
	message->source = library_text(library, message->source);
	message->domain = library_text(library, message->domain);
	for (size_t i = 0; i < json_array_size(classes); i++)
		if (!class_from_json(library, message, json_array_get(classes, i)))
			return false;
	return rows_from_json(message, told);
}

/* Returns false after an error message. */
static bool from_json(struct library *library, const json_t *root, const char *path)
{
	const char *schema = json_string_value(json_object_get(root, "schema"));
	const json_t *messages = json_object_get(root, "messages");

	if (!schema || strcmp(schema, SCHEMA) != 0 || !json_is_array(messages)) {
		message_error("%s is no library of powers: its schema is not " SCHEMA
			      "; make one with pwrtrace library",
			path);
		return false;
	}
	for (size_t i = 0; i < json_array_size(messages); i++) {
		struct library_message *message = library_message_new();

		if (message_from_json(library, message, json_array_get(messages, i))) {
			library_add(library, message);
			continue;
		}
		library_message_free(message);
		message_error("%s is damaged: its message number %zu lacks something, or has a "
			      "value that cannot be; make it anew with pwrtrace library",
			path, i + 1);
		return false;
	}
	return true;
}

struct library *library_read(const char *path)
{
	struct library *library;
	json_t *root = input_json(path, "library of powers", "pwrtrace library");

	if (!root)
		return NULL;
	library = library_new();
	library->path = g_strdup(path);
	if (!from_json(library, root, path))
		g_clear_pointer(&library, library_free);
	json_decref(root);
	return library;
}
