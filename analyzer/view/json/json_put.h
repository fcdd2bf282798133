/* SPDX-License-Identifier: MIT */
/* Members of JSON objects: each writes its key, its value and a comma.  What is not known is null.
 */
#ifndef PWRTRACE_JSON_PUT_H
#define PWRTRACE_JSON_PUT_H

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "analyzer/model/model.h"
#include "analyzer/print/cell.h"

/* text: valid UTF-8, as all of the model is; NULL is null. */
static inline void put_string(FILE *out, const char *text)
{
	json_t *string = text ? json_string_nocheck(text) : json_null();
	char *quoted = json_dumps(string, JSON_ENCODE_ANY);

	fputs(quoted, out);
	free(quoted);
	json_decref(string);
}

static inline void put_key(FILE *out, const char *key)
{
	fprintf(out, "\"%s\":", key);
}

static inline void put_text(FILE *out, const char *key, const char *text)
{
	put_key(out, key);
	put_string(out, text);
	fputc(',', out);
}

static inline void put_truth(FILE *out, const char *key, bool truth)
{
	fprintf(out, "\"%s\":%s,", key, truth ? "true" : "false");
}

static inline void put_joules(FILE *out, const char *key, bool known, uint64_t energy_nj)
{
	char joules[CELL_MAX];

	put_key(out, key);
	fprintf(out, "%s,", known ? cell_exact_joules(joules, energy_nj) : "null");
}

/* Numbers alone, without a key.  Nothing else prints a double: what is not finite is no JSON, and
 * null. */
static inline void put_fixed(FILE *out, double value, int decimals)
{
	if (isfinite(value))
		fprintf(out, "%.*f", decimals, value);
	else
		fputs("null", out);
}

static inline void put_digits(FILE *out, double value, int digits)
{
	if (isfinite(value))
		fprintf(out, "%.*g", digits, value);
	else
		fputs("null", out);
}

static inline void put_signed(FILE *out, const char *key, double value, int decimals)
{
	put_key(out, key);
	put_fixed(out, value, decimals);
	fputc(',', out);
}

/* Negative: not known. */
static inline void put_real(FILE *out, const char *key, double value, int decimals)
{
	put_signed(out, key, value < 0 ? NAN : value, decimals);
}

static inline void put_ns(FILE *out, const char *key, uint64_t ns)
{
	put_key(out, key);
	if (ns == PWRTRACE_UNKNOWN_U64)
		fputs("null,", out);
	else
		fprintf(out, "%" G_GUINT64_FORMAT ",", ns);
}

static inline void put_ms(FILE *out, const char *key, uint64_t ns, const char *end)
{
	put_key(out, key);
	put_fixed(out, ns == PWRTRACE_UNKNOWN_U64 ? NAN : (double)ns / 1e6, 6);
	fputs(end, out);
}

static inline void put_number(FILE *out, const char *key, double value)
{
	put_key(out, key);
	put_digits(out, value, 12);
	fputc(',', out);
}

#endif
