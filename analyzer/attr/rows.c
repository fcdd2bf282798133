/* SPDX-License-Identifier: MIT */
#include "analyzer/attr/rows.h"

#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

static const char no_layer[] = "(no layer)";

static const struct model_gpu *gpu_of(
	const struct model *model, const struct model_execution *execution)
{
	uint32_t gpu = model_gpu_of(model, execution);

	return gpu == MODEL_NONE ? NULL : &g_array_index(model->gpus, struct model_gpu, gpu);
}

static char *demangled(const char *name)
{
	char *plain = cplus_demangle(name, DMGL_PARAMS | DMGL_ANSI);
	char *copy = g_strdup(plain ? plain : name);

	free(plain);
	return copy;
}

/* Without template arguments, parameters and return type. */
static char *shortened(const char *name)
{
	char *plain = cplus_demangle(name, DMGL_NO_OPTS);
	char *copy = g_strdup(plain ? plain : name);
	char *space;

	if (plain) {
		copy[strcspn(copy, "<(")] = 0;
		space = strrchr(copy, ' ');
		if (space && space[1])
			memmove(copy, space + 1, strlen(space));
	}
	free(plain);
	return copy;
}

static char *shape_of(const struct model_kernel *kernel)
{
	GString *text = g_string_new(NULL);
	int last = kernel->global[2] > 1 ? 2 : kernel->global[1] > 1 ? 1 : 0;

	for (int i = 0; i <= last; i++)
		g_string_append_printf(
			text, "%s%" G_GUINT64_FORMAT, i ? "×" : "", kernel->global[i]);
	if (kernel->local[0]) {
		g_string_append(text, " /");
		for (int i = 0; i <= last; i++)
			g_string_append_printf(text, "%s%u", i ? "×" : "", kernel->local[i]);
	}
	return g_string_free(text, FALSE);
}

static void append_layer_path(GString *path, const struct model_process *process, uint32_t id)
{
	const struct model_layer *layer = MODEL_AT(process->layers, struct model_layer, id);

	if (!layer || !layer->defined) {
		g_string_append(path, "(unknown layer)");
		return;
	}
	if (layer->parent) {
		append_layer_path(path, process, layer->parent);
		g_string_append_c(path, '/');
	}
	g_string_append(path, layer->name);
}

/* ---- one row per thing: what it is called ---- */

static void name_memory(const struct model_memory *memory, struct ledger_row *row)
{
	row->short_name = g_strdup(memory->name);
	row->name = g_strdup(memory->name);
	if (memory->bytes == PWRTRACE_UNKNOWN_U64)
		row->shape = g_strdup(memory->kind);
	else
		row->shape =
			g_strdup_printf("%s %" G_GUINT64_FORMAT " B", memory->kind, memory->bytes);
}

static void name_kernel(
	const struct model *model, const struct model_execution *execution, struct ledger_row *row)
{
	const struct model_process *process = model_process_of(model, execution);
	const struct model_kernel *kernel;

	if (execution->kernel & MODEL_IS_MEMORY) {
		name_memory(&g_array_index(model->memories, struct model_memory,
				    execution->kernel & ~MODEL_IS_MEMORY),
			row);
		return;
	}
	kernel = MODEL_AT(process->kernels, struct model_kernel, execution->kernel);
	if (!kernel || !kernel->defined) {
		row->name = g_strdup("(unknown kernel)");
		row->short_name = g_strdup(row->name);
		return;
	}
	row->api = kernel->api;
	row->name = demangled(kernel->name);
	row->short_name = shortened(kernel->name);
	row->shape = shape_of(kernel);
}

static void name_layer(
	const struct model *model, const struct model_execution *execution, struct ledger_row *row)
{
	GString *path = g_string_new(NULL);

	if (execution->layer)
		append_layer_path(path, model_process_of(model, execution), execution->layer);
	else
		g_string_append(path, no_layer);
	row->name = g_string_free(path, FALSE);
	row->short_name =
		g_strdup(strrchr(row->name, '/') ? strrchr(row->name, '/') + 1 : row->name);
	/* A layer may run on several devices. */
	row->device = "";
}

static void name_stream(
	const struct model *model, const struct model_execution *execution, struct ledger_row *row)
{
	row->short_name = g_strdup_printf("stream %u", execution->stream);
	row->name = g_strdup_printf("process %u, stream %u",
		model_process_of(model, execution)->pid, execution->stream);
}

static void name_device(
	const struct model *model, const struct model_execution *execution, struct ledger_row *row)
{
	const struct model_gpu *gpu = gpu_of(model, execution);

	row->name = g_strdup(gpu ? gpu->name : "(unknown device)");
	row->short_name = g_strdup(row->name);
}

static void name_process(
	const struct model *model, const struct model_execution *execution, struct ledger_row *row)
{
	const struct model_process *process = model_process_of(model, execution);

	row->short_name = g_path_get_basename(process->executable);
	row->name = g_strdup_printf("%s, process %u on %s", row->short_name, process->pid,
		*process->host ? process->host : "an unknown host");
	row->device = "";
}

/* What two executions must share to be in one row, besides process and device. */
static uint32_t kernel_id(const struct model_execution *execution)
{
	return execution->kernel;
}

static uint32_t layer_id(const struct model_execution *execution)
{
	return execution->layer;
}

static uint32_t stream_id(const struct model_execution *execution)
{
	return execution->stream;
}

static uint32_t no_id(const struct model_execution *execution)
{
	(void)execution;
	return 0;
}

struct way {
	uint32_t (*id)(const struct model_execution *execution); /* NULL: a row for each */
	void (*name)(const struct model *model, const struct model_execution *execution,
		struct ledger_row *row);
};

const struct ledger_by ledger_bys[] = {
	{"kernel", "kernels and copies, each by name and shape"},
	{"layer", "layers that the program named"},
	{"stream", "streams, or queues"},
	{"device", "devices"},
	{"process", "processes"},
	{"launch", "every execution, in the order of time"},
	{NULL, NULL},
};

static const struct way ways[] = {
	{kernel_id, name_kernel},
	{layer_id, name_layer},
	{stream_id, name_stream},
	{no_id, name_device},
	{no_id, name_process},
	{NULL, name_kernel},
};

static const struct way *way_of(const char *by)
{
	for (size_t i = 0; ledger_bys[i].name; i++)
		if (strcmp(ledger_bys[i].name, by) == 0)
			return &ways[i];
	return NULL;
}

bool rows_known(const char *by)
{
	return way_of(by) != NULL;
}

/* ---- summing ---- */

/* Ids are a process's own, names are everybody's: a small cache from ids to rows saves making the
 * name of each of millions of executions. */
#define CACHE_SIZE 4096

struct cached {
	uint32_t process, id, stream, row; /* row is counted from 1; 0: empty */
};

struct summing {
	struct ledger *ledger;
	const struct way *way;
	GHashTable *row_by_key; /* row + 1, by name, shape and device */
	struct cached cache[CACHE_SIZE];
};

static struct ledger_row *row_at(const struct ledger *ledger, guint i)
{
	return &g_array_index(ledger->rows, struct ledger_row, i);
}

static guint add_row(struct summing *summing, const struct model_execution *execution)
{
	const struct model *model = summing->ledger->model;
	const struct model_gpu *gpu = gpu_of(model, execution);
	struct ledger_row row = {.device = gpu ? gpu->name : "",
		.api = gpu ? gpu->api : "",
		.begin_ns = execution->begin_ns,
		.energy_known = true};
	guint known;
	char *key;

	summing->way->name(model, execution, &row);
	if (!row.shape)
		row.shape = g_strdup("");
	key = g_strdup_printf("%s\n%s\n%s", row.name, row.shape, row.device);
	known = summing->way->id ? GPOINTER_TO_UINT(g_hash_table_lookup(summing->row_by_key, key))
				 : 0;
	if (known) {
		g_free(key);
		g_free(row.name);
		g_free(row.short_name);
		g_free(row.shape);
		return known - 1;
	}
	g_array_append_val(summing->ledger->rows, row);
	if (summing->way->id)
		g_hash_table_insert(
			summing->row_by_key, key, GUINT_TO_POINTER(summing->ledger->rows->len));
	else
		g_free(key);
	return summing->ledger->rows->len - 1;
}

static guint row_of(struct summing *summing, const struct model_execution *execution)
{
	uint32_t id, hash;
	struct cached *cached;

	if (!summing->way->id)
		return add_row(summing, execution);
	id = summing->way->id(execution);
	hash = (id * 2654435761u) ^ (execution->process * 40503u) ^ (execution->stream * 97u);
	cached = &summing->cache[hash % CACHE_SIZE];
	if (!cached->row || cached->id != id || cached->process != execution->process ||
		cached->stream != execution->stream)
		*cached = (struct cached){
			execution->process, id, execution->stream, add_row(summing, execution) + 1};
	return cached->row - 1;
}

static void add_execution(struct summing *summing, const struct model_execution *execution)
{
	const struct model_gpu *gpu = gpu_of(summing->ledger->model, execution);
	struct ledger_row *row = row_at(summing->ledger, row_of(summing, execution));

	row->executions++;
	row->time_ns += execution->end_ns - execution->begin_ns;
	row->energy_nj += execution->energy_nj;
	row->energy_known &= gpu && gpu->measured;
}

/* Layers that only contain others have rows too, and every row says what it is with those below. */
static void add_outer_layers(struct summing *summing)
{
	guint own = summing->ledger->rows->len;

	for (guint i = 0; i < own; i++) {
		char *path = g_strdup(row_at(summing->ledger, i)->name);
		uint64_t energy_nj = row_at(summing->ledger, i)->energy_nj;
		bool known = row_at(summing->ledger, i)->energy_known;

		for (;;) {
			char *key = g_strdup_printf("%s\n\n", path), *slash;
			guint row = GPOINTER_TO_UINT(g_hash_table_lookup(summing->row_by_key, key));

			if (!row) {
				struct ledger_row outer = {.name = g_strdup(path),
					.short_name = g_path_get_basename(path),
					.shape = g_strdup(""),
					.device = "",
					.api = row_at(summing->ledger, i)->api,
					.energy_known = true};

				g_array_append_val(summing->ledger->rows, outer);
				row = summing->ledger->rows->len;
				g_hash_table_insert(
					summing->row_by_key, g_strdup(key), GUINT_TO_POINTER(row));
			}
			g_free(key);
			row_at(summing->ledger, row - 1)->inclusive_nj += energy_nj;
			row_at(summing->ledger, row - 1)->energy_known &= known;
			slash = strrchr(path, '/');
			if (!slash)
				break;
			*slash = 0;
		}
		g_free(path);
	}
}

void rows_make(struct ledger *ledger)
{
	const GArray *executions = ledger->model->executions;
	struct summing *summing = g_new0(struct summing, 1);

	summing->ledger = ledger;
	summing->way = way_of(ledger->by);
	summing->row_by_key = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (guint i = 0; i < executions->len; i++)
		add_execution(summing, &g_array_index(executions, struct model_execution, i));
	if (summing->way->name == name_layer) {
		add_outer_layers(summing);
	} else {
		for (guint i = 0; i < ledger->rows->len; i++)
			row_at(ledger, i)->inclusive_nj = row_at(ledger, i)->energy_nj;
	}
	g_hash_table_destroy(summing->row_by_key);
	g_free(summing);
}
