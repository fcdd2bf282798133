/* SPDX-License-Identifier: MIT */
/* The columns of a report: one table, from which text, CSV and JSON print and by
 * which --sort and --filter choose.  An interval is a column of its own.
 */
#ifndef PWRTRACE_COLUMN_H
#define PWRTRACE_COLUMN_H

#include "analyzer/ledger/ledger.h"
#include "analyzer/print/cell.h"
#include "analyzer/view/content/options.h"

struct column_row {
	const struct ledger *ledger;
	const struct view_options *options; /* NULL: for --sort or --filter */
	const struct ledger_row *row;
	struct ledger_sums own, all; /* of the row alone, and with the layers inside it */
};

struct column_row column_row(const struct ledger *ledger, const struct view_options *options,
	const struct ledger_row *row);

enum column_type {
	COLUMN_TEXT,
	COLUMN_COUNT,
	COLUMN_REAL,
	COLUMN_ENERGY, /* exact, in nJ; shown and compared in J */
	COLUMN_TRUTH
};

struct column_value {
	enum { VALUE_UNKNOWN, VALUE_NONE /* there cannot be one */, VALUE_KNOWN } state;
	union {
		const char *text;
		uint64_t count;
		uint64_t energy_nj;
		double real;
		bool truth;
	};
};

/* What columns are printed as. */
enum column_form { COLUMN_IN_TEXT, COLUMN_IN_JSON, COLUMN_IN_CSV, COLUMN_FORMS };

struct column_place {
	const char *heading; /* in JSON the key; NULL: it is not printed so */
	/* Its position among those printed so, counted from 1.  0: after all others, as new columns
	 * are where programs read the report. */
	unsigned at;
	int width;          /* in text */
	unsigned spare;     /* in text, which are left out first on a narrow terminal: the highest;
			     * 0: this one never is */
	const char *format; /* of a real number, for printf; NULL: "%.9f", in text by its unit */
	bool optional;      /* in JSON: left out, and not null, where there is none */
	/* Whether this report has it; NULL: each has. */
	bool (*wanted)(const struct ledger *ledger, const struct view_options *options);
};

struct column {
	const char *name; /* for --sort and --filter; NULL: for neither */
	const char *unit; /* of numbers: an SI unit without a prefix; "" of counts and parts of 1 */
	enum column_type type;
	/* sums: those of the row with the layers inside it; where own is true, of the row alone. */
	struct column_value (*value)(const struct column_row *of, const struct ledger_sums *sums);
	bool own;
	bool ascending; /* how it is sorted */
	struct column_place places[COLUMN_FORMS];
};

/* The i-th name that a column has; NULL after the last. */
const char *column_name(size_t i);

/* NULL where there is none.  What rows can be made of, except device, is another name of "name". */
const struct column *column_find(const char *name, size_t length);

/* Returns the columns (const struct column *) that such a report has, in their order.  The caller
 * frees the array. */
GPtrArray *columns_printed(
	enum column_form form, const struct ledger *ledger, const struct view_options *options);

struct column_value column_value(const struct column *column, const struct column_row *of);

/* A number in its unit; NaN where it is not known. */
double column_number(const struct column *column, const struct column_row *of);

/* "" where there is none. */
const char *column_text(const struct column *column, const struct column_row *of);

/* The value as people read it. */
void column_cell(char cell[CELL_MAX], const struct column *column, const struct column_row *of);

/* Writes a known value that is no text as programs read it, in JSON or CSV. */
void column_put(FILE *out, const struct column *column, enum column_form form,
	const struct column_value *value);

#endif
