/* SPDX-License-Identifier: MIT */
#include "analyzer/view/content/column.h"

#include <math.h>
#include <string.h>

#include "analyzer/view/content/sums.h"

static double known(double value)
{
	return value < 0 ? NAN : value;
}

static double energy(const struct column_row *of)
{
	return of->sums.energy_known ? (double)of->sums.energy_nj / 1e9 : NAN;
}

static double share(const struct column_row *of)
{
	return known(sums_share(of->ledger, &of->sums));
}

static double power(const struct column_row *of)
{
	return known(sums_power(&of->sums));
}

static double time_s(const struct column_row *of)
{
	return sums_time_known(&of->sums) ? (double)of->sums.busy_ns / 1e9 : NAN;
}

static double executions(const struct column_row *of)
{
	return (double)of->sums.executions;
}

static double begin(const struct column_row *of)
{
	return (double)of->row->begin_ns / 1e9;
}

static double own(const struct column_row *of)
{
	return of->row->energy_known ? (double)of->row->energy_nj / 1e9 : NAN;
}

static double idle(const struct column_row *of)
{
	return of->sums.idle_known ? (double)of->sums.idle_nj / 1e9 : NAN;
}

static double ci95(const struct column_row *of)
{
	return known(sums_ci95(&of->sums));
}

static double static_energy(const struct column_row *of)
{
	return of->sums.static_known ? (double)of->sums.static_nj / 1e9 : NAN;
}

static double dynamic_energy(const struct column_row *of)
{
	return of->sums.static_known ? (double)(of->sums.energy_nj - of->sums.static_nj) / 1e9
				     : NAN;
}

static double clock_hz(const struct column_row *of)
{
	return known(state_clock_mhz(&of->row->state)) * 1e6;
}

static double throttled(const struct column_row *of)
{
	return known(state_throttled(&of->row->state));
}

static double depth(const struct column_row *of)
{
	return of->row->node ? of->row->node->depth : 1;
}

static double number(uint32_t value)
{
	return value == PWRTRACE_UNKNOWN_U32 ? NAN : value;
}

static double registers(const struct column_row *of)
{
	return of->row->code ? number(of->row->code->registers) : NAN;
}

static double shared(const struct column_row *of)
{
	return of->row->code ? number(of->row->code->shared_bytes) : NAN;
}

static double scratch(const struct column_row *of)
{
	return of->row->code ? number(of->row->code->scratch_bytes) : NAN;
}

static const char *name(const struct column_row *of)
{
	return of->row->name;
}

static const char *short_name(const struct column_row *of)
{
	return of->row->short_name;
}

static const char *shape(const struct column_row *of)
{
	return of->row->shape;
}

static const char *device(const struct column_row *of)
{
	return of->row->device;
}

static const char *api(const struct column_row *of)
{
	return of->row->api;
}

static const char *kind(const struct column_row *of)
{
	return of->row->kind ? of->row->kind : "";
}

static const char *group(const struct column_row *of)
{
	return of->row->group ? of->row->group : "";
}

const struct column columns[] = {
	{"energy", "J", energy, NULL, false},
	{"share", "", share, NULL, false},
	{"power", "W", power, NULL, false},
	{"time", "s", time_s, NULL, false},
	{"executions", "", executions, NULL, false},
	{"name", "", NULL, name, true},
	{"begin", "s", begin, NULL, true},
	{"own", "J", own, NULL, false},
	{"idle", "J", idle, NULL, false},
	{"ci95", "J", ci95, NULL, false},
	{"static", "J", static_energy, NULL, false},
	{"dynamic", "J", dynamic_energy, NULL, false},
	{"clock", "Hz", clock_hz, NULL, false},
	{"throttled", "", throttled, NULL, false},
	{"depth", "", depth, NULL, true},
	{"registers", "", registers, NULL, false},
	{"shared", "B", shared, NULL, false},
	{"scratch", "B", scratch, NULL, false},
	{"short_name", "", NULL, short_name, true},
	{"shape", "", NULL, shape, true},
	{"device", "", NULL, device, true},
	{"api", "", NULL, api, true},
	{"kind", "", NULL, kind, true},
	{"group", "", NULL, group, true},
	{NULL, NULL, NULL, NULL, false},
};

static const struct column *find(const char *text, size_t length)
{
	for (const struct column *column = columns; column->name; column++)
		if (strlen(column->name) == length && strncmp(column->name, text, length) == 0)
			return column;
	return NULL;
}

const struct column *column_find(const char *text, size_t length)
{
	const struct column *column = find(text, length);

	for (size_t i = 0; !column && ledger_bys[i].name; i++)
		if (strlen(ledger_bys[i].name) == length &&
			strncmp(ledger_bys[i].name, text, length) == 0)
			column = find("name", strlen("name"));
	return column;
}

struct column_row column_row(const struct ledger *ledger, const struct ledger_row *row)
{
	return (struct column_row){ledger, row, sums_shown(row)};
}
