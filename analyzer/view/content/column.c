/* SPDX-License-Identifier: MIT */
#include "analyzer/view/content/column.h"

#include <math.h>
#include <string.h>

#include "analyzer/view/content/roofline.h"
#include "analyzer/view/content/sums.h"

/* ---- values ---- */

static struct column_value text(const char *text)
{
	return (struct column_value){text ? VALUE_KNOWN : VALUE_NONE, .text = text};
}

static struct column_value count(uint64_t count)
{
	return (struct column_value){
		count == PWRTRACE_UNKNOWN_U64 ? VALUE_UNKNOWN : VALUE_KNOWN, .count = count};
}

static struct column_value joules(bool known, uint64_t energy_nj)
{
	return (struct column_value){known ? VALUE_KNOWN : VALUE_UNKNOWN, .energy_nj = energy_nj};
}

/* Negative or not finite: not known. */
static struct column_value real(double value)
{
	return (struct column_value){
		isfinite(value) && value >= 0 ? VALUE_KNOWN : VALUE_UNKNOWN, .real = value};
}

static struct column_value seconds(bool known, uint64_t time_ns)
{
	return real(known ? (double)time_ns / 1e9 : NAN);
}

/* There is none while nothing runs. */
static struct column_value power_of(const struct ledger_sums *sums)
{
	struct column_value value = real(sums_power(sums));

	if (value.state == VALUE_UNKNOWN && sums_time_known(sums) && !sums->busy_ns)
		value.state = VALUE_NONE;
	return value;
}

/* A count that the compiler recorded of a kernel. */
static struct column_value code_count(const struct model_code *code, size_t offset)
{
	uint32_t value = code ? *(const uint32_t *)(const void *)((const char *)code + offset)
			      : PWRTRACE_UNKNOWN_U32;

	return count(value == PWRTRACE_UNKNOWN_U32 ? PWRTRACE_UNKNOWN_U64 : value);
}

static struct column_value truth(bool is_true)
{
	return (struct column_value){VALUE_KNOWN, .truth = is_true};
}

static double relative_of(const struct ledger_sums *sums)
{
	return sums->energy_nj ? sums_ci95(sums) / ((double)sums->energy_nj / 1e9) : NAN;
}

/* The values of the columns, from the sums of a row. */
#define VALUE(name, expression)                                                                    \
	static struct column_value name(                                                           \
		const struct column_row *of, const struct ledger_sums *sums)                       \
	{                                                                                          \
		(void)of;                                                                          \
		(void)sums;                                                                        \
		return expression;                                                                 \
	}

/* The same, from what a kernel does; other rows have none. */
#define COUNTED(name, expression)                                                                  \
	static struct column_value name(                                                           \
		const struct column_row *of, const struct ledger_sums *sums)                       \
	{                                                                                          \
		const struct operation_counts *counts = roofline_counts(of->options, of->row);     \
                                                                                                   \
		(void)sums;                                                                        \
		return counts ? real(expression) : (struct column_value){VALUE_NONE, .real = NAN}; \
	}

VALUE(by, text(of->ledger->by))
VALUE(name, text(of->row->name))
VALUE(short_name, text(of->row->short_name))
VALUE(shape, text(of->row->shape))
VALUE(device, text(of->row->device))
VALUE(api, text(of->row->api))
VALUE(kind, text(of->row->kind))
VALUE(group, text(of->row->group))
VALUE(library, text(of->row->library))

VALUE(energy, joules(sums->energy_known, sums->energy_nj))
VALUE(static_energy, joules(sums->static_known, sums->static_nj))
VALUE(dynamic_energy, joules(sums->static_known, sums->energy_nj - sums->static_nj))
VALUE(idle, joules(sums->idle_known, sums->idle_nj))
VALUE(own_idle, joules(of->row->node->idle_known, of->row->node->idle_nj))
VALUE(ci95, real(sums_ci95(sums)))
VALUE(relative_ci95, real(relative_of(sums)))
VALUE(power, power_of(sums))
VALUE(share, real(sums_share(of->ledger, sums)))
VALUE(per_unit,
	real(sums->energy_known ? (double)sums->energy_nj / 1e9 / of->options->work.amount : NAN))

COUNTED(operations, counts->operations)
COUNTED(bytes, counts->bytes)
COUNTED(intensity, counts->operations / counts->bytes)
COUNTED(per_operation, roofline_j_per_operation(counts, sums))
COUNTED(per_operation_ci95, roofline_j_per_operation(counts, sums) * relative_of(sums))
VALUE(bound, text(roofline_bound(of->options, of->row)))

VALUE(executions, count(sums->executions))
VALUE(time_s, seconds(sums_time_known(sums), sums->busy_ns))
VALUE(unmeasured_s, seconds(sums_time_known(sums), sums->unmeasured_ns))
VALUE(busy_s, seconds(sums_time_known(sums), of->row->node->busy_ns))
VALUE(begin, real((double)of->row->begin_ns / 1e9))
VALUE(begin_ns, count(of->row->timed ? of->row->begin_ns : PWRTRACE_UNKNOWN_U64))

VALUE(clock_mhz, real(state_clock_mhz(&of->row->state)))
VALUE(clock_hz, real(state_clock_mhz(&of->row->state) * 1e6))
VALUE(throttled, real(state_throttled(&of->row->state)))

VALUE(depth, count(of->row->node ? of->row->node->depth : PWRTRACE_UNKNOWN_U64))
VALUE(first_j, real(of->row->node->steps.known ? of->row->node->steps.first_j : NAN))
VALUE(steady_j, real(of->row->node->steps.known ? of->row->node->steps.steady_j : NAN))
VALUE(spread_j, real(of->row->node->steps.known ? of->row->node->steps.spread_j : NAN))
VALUE(modelled, truth(of->row->modelled))
VALUE(registers, code_count(of->row->code, offsetof(struct model_code, registers)))
VALUE(shared, code_count(of->row->code, offsetof(struct model_code, shared_bytes)))
VALUE(scratch, code_count(of->row->code, offsetof(struct model_code, scratch_bytes)))

/* ---- of parts of the device, by counters ---- */

#define PART(word, ...)                                                                            \
	VALUE(utilization_##word,                                                                  \
		real(of->row->utilization ? of->row->utilization[PWRTRACE_PART_##word].share       \
					  : NAN))                                                  \
	VALUE(utilization_ci95_##word,                                                             \
		real(of->row->utilization ? of->row->utilization[PWRTRACE_PART_##word].ci95        \
					  : NAN))
#include "pwrtrace/parts.def"
#undef PART

/* ---- of collectives ---- */

static struct column_value bound_of(const struct ledger_row *row)
{
	if (isnan(row->slope))
		return (struct column_value){VALUE_UNKNOWN, .text = ""};
	return text(row->slope < LEDGER_LATENCY_SLOPE ? "latency-bound" : "bandwidth-bound");
}

/* It may be negative. */
static struct column_value slope_of(const struct ledger_row *row)
{
	return (struct column_value){
		isnan(row->slope) ? VALUE_UNKNOWN : VALUE_KNOWN, .real = row->slope};
}

static struct column_value waited(const struct ledger_row *row, double value)
{
	return real(row->meetings.executions ? value : NAN);
}

VALUE(collective, text(of->row->exchange ? of->row->exchange->kind : NULL))
VALUE(moved_bytes, count(of->row->exchange ? of->row->exchange->bytes : PWRTRACE_UNKNOWN_U64))
VALUE(ranks, count(of->row->exchange && of->row->exchange->ranks ? of->row->exchange->ranks
								 : PWRTRACE_UNKNOWN_U64))
VALUE(collective_bound, bound_of(of->row))
VALUE(slope, slope_of(of->row))
VALUE(met_executions, count(of->row->meetings.executions))
VALUE(met_s, waited(of->row, (double)of->row->meetings.time_ns / 1e9))
VALUE(waiting_s, waited(of->row, (double)of->row->meetings.waited_ns / 1e9))
VALUE(waiting_j,
	joules(of->row->meetings.executions && sums->energy_known, of->row->meetings.waited_nj))

/* ---- which reports have them ---- */

static bool has_library(const GPtrArray *fits)
{
	for (guint i = 0; i < fits->len; i++)
		if (((const struct fit *)g_ptr_array_index(fits, i))->remembered)
			return true;
	return false;
}

static bool has_counters(const GPtrArray *fits)
{
	for (guint i = 0; i < fits->len; i++)
		if (((const struct fit *)g_ptr_array_index(fits, i))->utilization)
			return true;
	return false;
}

#define WANTED(name, condition)                                                                    \
	static bool name(const struct ledger *ledger, const struct view_options *options)          \
	{                                                                                          \
		(void)ledger;                                                                      \
		(void)options;                                                                     \
		return condition;                                                                  \
	}

WANTED(in_tree, sums_in_tree(ledger))
WANTED(with_fits, ledger->fits->len)
WANTED(with_work, options->work.amount > 0)
WANTED(with_operations, options->operations != NULL)
WANTED(with_peaks, options->operations && options->peak_bytes > 0)
WANTED(with_states, ledger->model->state_sensors->len)
WANTED(with_library, has_library(ledger->fits))
WANTED(with_counters, has_counters(ledger->fits))
WANTED(of_collectives, ledger_by_collective(ledger))
WANTED(of_launches, strcmp(ledger->by, "launch") == 0)

/* ---- the table ---- */

/* Heading, position and width in text; key and position in JSON, in CSV, or in JSON and CSV. */
#define TEXT(name, place, columns, ...)                                                            \
	.places[COLUMN_IN_TEXT] = {.heading = name, .at = place, .width = columns, __VA_ARGS__}
#define JSON(key, place, ...) .places[COLUMN_IN_JSON] = {.heading = key, .at = place, __VA_ARGS__}
#define CSV(key, place, ...) .places[COLUMN_IN_CSV] = {.heading = key, .at = place, __VA_ARGS__}
#define BOTH(key, json, csv, ...) JSON(key, json, __VA_ARGS__), CSV(key, csv, __VA_ARGS__)
#define COLLECTIVE(key, ...) BOTH(key, 0, 0, .wanted = of_collectives, ##__VA_ARGS__)
#define OWN .own = true
#define TREE .wanted = in_tree

/* Sorted as --filter lists their names. */
static const struct column columns[] = {
	{"energy", "J", COLUMN_ENERGY, .value = energy, TEXT("ENERGY", 1, 9),
		BOTH("inclusive_j", 12, 15)},
	{"share", "", COLUMN_REAL, .value = share, TEXT("SHARE", 3, 9),
		JSON("inclusive_share", 32, TREE),
		CSV("inclusive_share", 27, .format = "%.6f", TREE)},
	{"power", "W", COLUMN_REAL, .value = power, TEXT("POWER", 6, 10),
		BOTH("inclusive_power_w", 29, 24, .format = "%.6f", TREE)},
	{"time", "s", COLUMN_REAL, .value = time_s, TEXT("TIME", 7, 10, .spare = 1),
		BOTH("inclusive_busy_s", 26, 22, TREE)},
	{"executions", "", COLUMN_COUNT, .value = executions, TEXT("EXECUTIONS", 8, 12, .spare = 2),
		BOTH("inclusive_executions", 25, 21, TREE)},
	{"name", "", COLUMN_TEXT, .value = name, .ascending = true, BOTH("name", 3, 2)},
	{"begin", "s", COLUMN_REAL, .value = begin, .ascending = true},
	{"own", "J", COLUMN_ENERGY, .value = energy, OWN, TEXT("OWN", 10, 10, TREE),
		BOTH("energy_j", 11, 9)},
	{"idle", "J", COLUMN_ENERGY, .value = idle, TEXT("IDLE", 11, 10, TREE),
		BOTH("inclusive_idle_j", 34, 29, TREE)},
	{"ci95", "J", COLUMN_REAL, .value = ci95, BOTH("inclusive_ci95_j", 28, 23, TREE)},
	{"static", "J", COLUMN_ENERGY, .value = static_energy,
		TEXT("STATIC", 4, 10, .wanted = with_fits, .spare = 4),
		BOTH("inclusive_static_j", 30, 25, TREE)},
	{"dynamic", "J", COLUMN_ENERGY, .value = dynamic_energy,
		TEXT("DYNAMIC", 5, 10, .wanted = with_fits, .spare = 3),
		BOTH("inclusive_dynamic_j", 31, 26, TREE)},
	{"clock", "Hz", COLUMN_REAL, .value = clock_hz},
	{"throttled", "", COLUMN_REAL, .value = throttled,
		JSON("throttled_share", 20, .wanted = with_states)},
	{"depth", "", COLUMN_COUNT, .value = depth, .ascending = true, BOTH("depth", 23, 19, TREE)},
	{"registers", "", COLUMN_COUNT, .value = registers},
	{"shared", "B", COLUMN_COUNT, .value = shared},
	{"scratch", "B", COLUMN_COUNT, .value = scratch},
	{"short_name", "", COLUMN_TEXT, .value = short_name, .ascending = true,
		BOTH("short_name", 4, 3)},
	{"shape", "", COLUMN_TEXT, .value = shape, .ascending = true, BOTH("shape", 5, 4)},
	{"device", "", COLUMN_TEXT, .value = device, .ascending = true, BOTH("device", 6, 5)},
	{"api", "", COLUMN_TEXT, .value = api, .ascending = true, BOTH("api", 7, 6)},
	{"kind", "", COLUMN_TEXT, .value = kind, .ascending = true,
		JSON("kind", 2, .optional = true), CSV("kind", 17)},
	{"group", "", COLUMN_TEXT, .value = group, .ascending = true, BOTH("group", 39, 16)},
	{"library", "", COLUMN_TEXT, .value = library, .ascending = true,
		BOTH("library", 40, 35, .wanted = with_library)},
	/* Without a name. */
	{NULL, "", COLUMN_TEXT, .value = by, BOTH("by", 1, 1)},
	{NULL, "", COLUMN_REAL, .value = relative_ci95, TEXT("±95 %", 2, 9)},
	{NULL, "J", COLUMN_REAL, .value = per_unit, TEXT("PER UNIT", 9, 10, .wanted = with_work),
		JSON("j_per_unit", 18, .format = "%.12g", .wanted = with_work),
		CSV("j_per_unit", 33, .format = "%.12f", .wanted = with_work)},
	{NULL, "", COLUMN_COUNT, .value = executions, OWN, BOTH("executions", 8, 7)},
	{NULL, "s", COLUMN_REAL, .value = time_s, OWN, BOTH("time_s", 9, 8)},
	{NULL, "s", COLUMN_REAL, .value = unmeasured_s, OWN, BOTH("unmeasured_s", 10, 34)},
	{NULL, "J", COLUMN_REAL, .value = ci95, OWN, BOTH("ci95_j", 13, 10)},
	{NULL, "W", COLUMN_REAL, .value = power, OWN, BOTH("power_w", 14, 11, .format = "%.6f")},
	{NULL, "J", COLUMN_ENERGY, .value = static_energy, OWN, BOTH("static_j", 15, 12)},
	{NULL, "J", COLUMN_ENERGY, .value = dynamic_energy, OWN, BOTH("dynamic_j", 16, 13)},
	{NULL, "", COLUMN_REAL, .value = share, OWN, JSON("share", 17),
		CSV("share", 14, .format = "%.6f")},
	{NULL, "MHz", COLUMN_REAL, .value = clock_mhz,
		JSON("sm_clock_mhz", 19, .format = "%.3f", .wanted = with_states)},
	{NULL, "ns", COLUMN_COUNT, .value = begin_ns, JSON("begin_ns", 21, .wanted = of_launches)},
	{NULL, "s", COLUMN_REAL, .value = busy_s, OWN, BOTH("busy_s", 24, 20, TREE)},
	{NULL, "s", COLUMN_REAL, .value = unmeasured_s, JSON("inclusive_unmeasured_s", 27, TREE)},
	{NULL, "J", COLUMN_ENERGY, .value = own_idle, BOTH("idle_j", 33, 28, TREE)},
	{NULL, "J", COLUMN_REAL, .value = first_j, CSV("iteration_first_j", 30, TREE)},
	{NULL, "J", COLUMN_REAL, .value = steady_j, CSV("iteration_steady_j", 31, TREE)},
	{NULL, "J", COLUMN_REAL, .value = spread_j, CSV("iteration_spread_j", 32, TREE)},
	{NULL, "", COLUMN_TRUTH, .value = modelled, BOTH("modelled", 38, 18)},
	{NULL, "op", COLUMN_REAL, .value = operations,
		BOTH("operations", 41, 36, .format = "%.12g", .wanted = with_operations)},
	{NULL, "B", COLUMN_REAL, .value = bytes,
		BOTH("bytes", 42, 37, .format = "%.12g", .wanted = with_operations)},
	{NULL, "op/B", COLUMN_REAL, .value = intensity,
		TEXT("OPS/BYTE", 12, 10, .format = "%.3g", .wanted = with_operations),
		BOTH("operations_per_byte", 43, 38, .format = "%.12g", .wanted = with_operations)},
	{NULL, "", COLUMN_TEXT, .value = bound, TEXT("BOUND", 13, 9, .wanted = with_peaks),
		BOTH("bound", 44, 39, .wanted = with_peaks)},
	{NULL, "J", COLUMN_REAL, .value = per_operation,
		TEXT("PER OP", 14, 10, .wanted = with_operations),
		BOTH("j_per_operation", 45, 40, .format = "%.12g", .wanted = with_operations)},
	{NULL, "J", COLUMN_REAL, .value = per_operation_ci95,
		BOTH("ci95_j_per_operation", 46, 41, .format = "%.12g", .wanted = with_operations)},
#define PART(word, ...)                                                                            \
	{NULL, "", COLUMN_REAL, .value = utilization_##word,                                       \
		BOTH("utilization_" #word, 0, 0, .format = "%.6f", .wanted = with_counters)},      \
		{NULL, "", COLUMN_REAL, .value = utilization_ci95_##word,                          \
			BOTH("ci95_utilization_" #word, 0, 0, .format = "%.6f",                    \
				.wanted = with_counters)},
#include "pwrtrace/parts.def"
#undef PART
	{NULL, "", COLUMN_TEXT, .value = collective, COLLECTIVE("collective")},
	{NULL, "B", COLUMN_COUNT, .value = moved_bytes, COLLECTIVE("bytes")},
	{NULL, "", COLUMN_COUNT, .value = ranks, COLLECTIVE("ranks")},
	{NULL, "", COLUMN_TEXT, .value = collective_bound, COLLECTIVE("bound"),
		TEXT("BOUND", 12, 16, .wanted = of_collectives)},
	{NULL, "", COLUMN_REAL, .value = slope, COLLECTIVE("slope", .format = "%.6f")},
	{NULL, "", COLUMN_COUNT, .value = met_executions, COLLECTIVE("met_executions")},
	{NULL, "s", COLUMN_REAL, .value = met_s, COLLECTIVE("met_s")},
	{NULL, "s", COLUMN_REAL, .value = waiting_s, COLLECTIVE("waiting_s"),
		TEXT("WAITING", 13, 10, .wanted = of_collectives)},
	{NULL, "J", COLUMN_ENERGY, .value = waiting_j, COLLECTIVE("waiting_j"),
		TEXT("WAITING ENERGY", 14, 15, .wanted = of_collectives)},
};

/* ---- looking columns up ---- */

const char *column_name(size_t i)
{
	for (size_t k = 0; k < G_N_ELEMENTS(columns); k++)
		if (columns[k].name && i-- == 0)
			return columns[k].name;
	return NULL;
}

static const struct column *find(const char *text, size_t length)
{
	for (size_t i = 0; i < G_N_ELEMENTS(columns); i++)
		if (columns[i].name && strlen(columns[i].name) == length &&
			strncmp(columns[i].name, text, length) == 0)
			return &columns[i];
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

static int by_place(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct column *x = *(const struct column *const *)a;
	const struct column *y = *(const struct column *const *)b;
	enum column_form form = *(const enum column_form *)data;
	/* 0 is the last one. */
	unsigned place_x = x->places[form].at - 1, place_y = y->places[form].at - 1;

	if (place_x == place_y)
		return x < y ? -1 : x > y;
	return place_x < place_y ? -1 : 1;
}

GPtrArray *columns_printed(
	enum column_form form, const struct ledger *ledger, const struct view_options *options)
{
	GPtrArray *printed = g_ptr_array_new();

	for (size_t i = 0; i < G_N_ELEMENTS(columns); i++) {
		const struct column_place *place = &columns[i].places[form];

		if (place->heading && (!place->wanted || place->wanted(ledger, options)))
			g_ptr_array_add(printed, (gpointer)&columns[i]);
	}
	g_ptr_array_sort_with_data(printed, by_place, &form);
	return printed;
}
