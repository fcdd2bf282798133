/* SPDX-License-Identifier: MIT */
#include "analyzer/model/calls.h"

struct node {
	uint32_t index;
	uint32_t parent;
	struct symbol symbol; /* equal texts are one */
};

struct calls {
	struct symbols *symbols;
	GPtrArray *nodes; /* struct node *, by index; the root is NULL */
	GHashTable *known;
	GHashTable *of_stack; /* index + 1 by process and stack */
};

static guint hash(gconstpointer key)
{
	const struct node *node = key;

	return g_direct_hash(node->symbol.function) * 31 + node->parent;
}

static gboolean equal(gconstpointer a, gconstpointer b)
{
	const struct node *x = a, *y = b;

	return x->parent == y->parent && x->symbol.function == y->symbol.function &&
	       x->symbol.module == y->symbol.module;
}

struct calls *calls_new(void)
{
	struct calls *calls = g_new0(struct calls, 1);

	calls->symbols = symbols_new();
	calls->nodes = g_ptr_array_new_with_free_func(g_free);
	calls->known = g_hash_table_new(hash, equal);
	calls->of_stack = g_hash_table_new(NULL, NULL);
	g_ptr_array_add(calls->nodes, NULL);
	return calls;
}

void calls_free(struct calls *calls)
{
	g_hash_table_destroy(calls->of_stack);
	g_hash_table_destroy(calls->known);
	g_ptr_array_free(calls->nodes, TRUE);
	symbols_free(calls->symbols);
	g_free(calls);
}

static const struct node *node_at(const struct calls *calls, uint32_t node)
{
	return g_ptr_array_index(calls->nodes, node);
}

static uint32_t child(struct calls *calls, uint32_t parent, const struct symbol *symbol)
{
	struct node wanted = {calls->nodes->len, parent, *symbol};
	struct node *known = g_hash_table_lookup(calls->known, &wanted);

	if (!known) {
		known = g_memdup2(&wanted, sizeof(wanted));
		g_ptr_array_add(calls->nodes, known);
		g_hash_table_add(calls->known, known);
	}
	return known->index;
}

uint32_t calls_child(struct calls *calls, uint32_t node, const char *name)
{
	struct symbol symbol = {.function = symbols_text(calls->symbols, name),
		.module = symbols_text(calls->symbols, ""),
		.file = ""};

	return child(calls, node, &symbol);
}

/* ---- stacks ---- */

static uint32_t program_node(struct calls *calls, const struct model_process *process)
{
	char *name = *process->executable ? g_path_get_basename(process->executable)
					  : g_strdup("(unknown program)");
	uint32_t node = calls_child(calls, CALLS_ROOT, name);

	g_free(name);
	return node;
}

static void add_name(
	struct calls *calls, const char *name, const char *file, uint32_t line, GArray *functions)
{
	struct symbol symbol = {.function = symbols_text(calls->symbols, name),
		.module = symbols_text(calls->symbols, ""),
		.file = symbols_text(calls->symbols, file),
		.line = line == PWRTRACE_UNKNOWN_U32 ? 0 : line};

	g_array_append_val(functions, symbol);
}

/* Adds the functions of one frame, which are several where some are inlined: the outermost first.
 */
static void add_functions(struct calls *calls, const struct model_process *process,
	const struct model_stack *frame, GArray *functions)
{
	const struct model_function *function = table_find(process->functions, frame->function);
	const struct model_module *module = table_find(process->modules, frame->module);
	const GArray *found;

	if (frame->function) {
		if (function && function->defined)
			add_name(calls, function->name, function->file, function->line, functions);
		else
			add_name(calls, "(unknown function)", "", 0, functions);
		return;
	}
	/* The call stands before where it returns to, which may be another function. */
	found = symbols_find(
		calls->symbols, module && module->defined ? module : NULL, frame->address - 1);
	for (guint i = found->len; i > 0; i--)
		g_array_append_val(functions, g_array_index(found, struct symbol, i - 1));
}

static GArray *functions_of(
	struct calls *calls, const struct model_process *process, uint32_t stack)
{
	GPtrArray *frames = g_ptr_array_new();
	GArray *functions = g_array_new(FALSE, FALSE, sizeof(struct symbol));

	while (stack && stack != PWRTRACE_UNKNOWN_U32) {
		struct model_stack *frame = table_find(process->stacks, stack);

		if (!frame || !frame->defined)
			break;
		g_ptr_array_add(frames, frame);
		stack = frame->parent;
	}
	if (stack)
		add_name(calls,
			stack == PWRTRACE_UNKNOWN_U32 ? "(more frames)" : "(unknown frames)", "", 0,
			functions);
	for (guint i = frames->len; i > 0; i--)
		add_functions(calls, process, g_ptr_array_index(frames, i - 1), functions);
	g_ptr_array_free(frames, TRUE);
	return functions;
}

static bool is_c_library(const struct symbol *symbol)
{
	return g_str_has_prefix(symbol->module, "libc.so") ||
	       g_str_has_prefix(symbol->module, "libpthread.so") ||
	       g_str_has_prefix(symbol->module, "ld-linux");
}

/* What starts programs and threads says nothing: _start, and the C library before main. */
static guint program_begins(const GArray *functions)
{
	const struct symbol *function = (const struct symbol *)(void *)functions->data;
	guint i = functions->len > 1 && is_c_library(&function[1]) ? 1 : 0;

	while (i < functions->len && is_c_library(&function[i]))
		i++;
	return i < functions->len ? i : 0;
}

uint32_t calls_of(struct calls *calls, const struct model *model, const struct model_origin *origin)
{
	const struct model_process *process = model_process_of(model, origin);
	gpointer key = GSIZE_TO_POINTER((gsize)origin->process << 32 | origin->stack);
	gpointer known = g_hash_table_lookup(calls->of_stack, key);
	GArray *functions;
	uint32_t node;

	if (known)
		return GPOINTER_TO_UINT(known);
	functions = functions_of(calls, process, origin->stack);
	node = program_node(calls, process);
	for (guint i = program_begins(functions); i < functions->len; i++)
		node = child(calls, node, &g_array_index(functions, struct symbol, i));
	g_array_free(functions, TRUE);
	g_hash_table_insert(calls->of_stack, key, GUINT_TO_POINTER(node));
	return node;
}

uint32_t calls_parent(const struct calls *calls, uint32_t node)
{
	return node_at(calls, node)->parent;
}

const struct symbol *calls_function(const struct calls *calls, uint32_t node)
{
	return &node_at(calls, node)->symbol;
}

GPtrArray *calls_names(const struct calls *calls, uint32_t node)
{
	GPtrArray *names = g_ptr_array_new();

	for (; node != CALLS_ROOT; node = calls_parent(calls, node))
		g_ptr_array_insert(names, 0, (gpointer)calls_function(calls, node)->function);
	return names;
}
