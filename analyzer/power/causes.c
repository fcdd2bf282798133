/* SPDX-License-Identifier: MIT */
#include "analyzer/power/causes.h"

#include "analyzer/ledger/row_name.h"
#include "analyzer/ledger/rows.h"

#define SHARE_LEAST 0.01

/* What several origins have in common: a kernel, or a layer. */
struct common {
	const char *by;
	char *name, *short_name, *shape;
	bool ambiguous;
	double in_time_j, in_all_j; /* while causes are found */
};

struct causes {
	guint origins;
	GPtrArray *list;  /* struct common * */
	guint *kernel_of; /* by origin: index in list */
	guint *layer_of;
};

static void free_common(gpointer data)
{
	struct common *common = data;

	g_free(common->name);
	g_free(common->short_name);
	g_free(common->shape);
	g_free(common);
}

/* The index of what has the names of a row. */
static guint find_or_add(
	struct causes *causes, GHashTable *known, const char *by, const struct ledger_row *row)
{
	const char *shape = row->shape ? row->shape : "";
	char *key = g_strdup_printf("%s %zu %s %s", by, strlen(row->name), row->name, shape);
	guint index = GPOINTER_TO_UINT(g_hash_table_lookup(known, key));
	struct common *common;

	if (index) {
		g_free(key);
		return index - 1;
	}
	common = g_new0(struct common, 1);
	*common = (struct common){.by = by,
		.name = g_strdup(row->name),
		.short_name = g_strdup(row->short_name),
		.shape = g_strdup(shape)};
	g_ptr_array_add(causes->list, common);
	g_hash_table_insert(known, key, GUINT_TO_POINTER(causes->list->len));
	return causes->list->len - 1;
}

static guint find_kernel(struct causes *causes, GHashTable *known, const struct model *model,
	const struct model_origin *origin)
{
	struct ledger_row row = {0};
	guint index;

	row_name_kernel(model, origin, &row);
	index = find_or_add(causes, known, "kernel", &row);
	rows_clear(&row);
	return index;
}

static guint find_layer(struct causes *causes, GHashTable *known, const struct ledger *ledger,
	const struct model_origin *origin)
{
	uint32_t node = layer_tree_node(
		ledger->layers, model_process_of(ledger->model, origin), origin->layer);
	struct ledger_row row = {.name = layer_tree_path(ledger->layers, node)};
	guint index;

	row.short_name = g_strdup(row.name);
	index = find_or_add(causes, known, "layer", &row);
	rows_clear(&row);
	return index;
}

/* Finds which short names say too little. */
static void find_ambiguous(struct causes *causes)
{
	GHashTable *first = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < causes->list->len; i++) {
		struct common *common = g_ptr_array_index(causes->list, i);
		struct common *other = g_hash_table_lookup(first, common->short_name);

		if (!other)
			g_hash_table_insert(first, common->short_name, common);
		else if (strcmp(other->by, common->by) == 0)
			other->ambiguous = common->ambiguous = true;
	}
	g_hash_table_destroy(first);
}

struct causes *causes_new(const struct ledger *ledger)
{
	const struct model *model = ledger->model;
	const GArray *origins = model->origins->list;
	struct causes *causes = g_new0(struct causes, 1);
	GHashTable *known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	causes->origins = origins->len;
	causes->list = g_ptr_array_new_with_free_func(free_common);
	causes->kernel_of = g_new(guint, origins->len + 1);
	causes->layer_of = g_new(guint, origins->len + 1);
	for (guint i = 0; i < origins->len; i++) {
		const struct model_origin *origin = &g_array_index(origins, struct model_origin, i);

		causes->kernel_of[i] = find_kernel(causes, known, model, origin);
		causes->layer_of[i] = find_layer(causes, known, ledger, origin);
	}
	find_ambiguous(causes);
	g_hash_table_destroy(known);
	return causes;
}

void causes_free(struct causes *causes)
{
	g_ptr_array_free(causes->list, TRUE);
	g_free(causes->kernel_of);
	g_free(causes->layer_of);
	g_free(causes);
}

static struct common *common_at(const struct causes *causes, guint i)
{
	return g_ptr_array_index(causes->list, i);
}

const char *causes_layer(const struct causes *causes, uint32_t origin)
{
	return common_at(causes, causes->layer_of[origin])->name;
}

static int by_share(gconstpointer a, gconstpointer b)
{
	const struct power_cause *x = a, *y = b;
	int by = strcmp(x->by, y->by);

	return by ? by : (x->share < y->share) - (x->share > y->share);
}

GArray *causes_of(const struct causes *causes, GHashTable *in_time, double energy_j,
	const uint64_t *in_all, double all_j)
{
	GArray *found = g_array_new(FALSE, FALSE, sizeof(struct power_cause));

	for (guint i = 0; i < causes->list->len; i++)
		common_at(causes, i)->in_time_j = common_at(causes, i)->in_all_j = 0;
	for (guint i = 0; i < causes->origins; i++) {
		const uint64_t *part_nj = g_hash_table_lookup(in_time, GUINT_TO_POINTER(i + 1));
		struct common *commons[] = {common_at(causes, causes->kernel_of[i]),
			common_at(causes, causes->layer_of[i])};

		for (guint k = 0; k < G_N_ELEMENTS(commons); k++) {
			commons[k]->in_time_j += part_nj ? (double)*part_nj / 1e9 : 0;
			commons[k]->in_all_j += (double)in_all[i] / 1e9;
		}
	}
	for (guint i = 0; i < causes->list->len; i++) {
		const struct common *common = common_at(causes, i);
		const struct power_cause cause = {.by = common->by,
			.name = common->name,
			.short_name = common->short_name,
			.shape = common->shape,
			.ambiguous = common->ambiguous,
			.share = common->in_time_j / energy_j,
			.share_of_all = common->in_all_j / all_j};

		if (cause.share >= SHARE_LEAST)
			g_array_append_val(found, cause);
	}
	g_array_sort(found, by_share);
	return found;
}
