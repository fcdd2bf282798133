/* SPDX-License-Identifier: MIT */
#include "analyzer/load/call_paths.h"

#include <string.h>

#include "analyzer/model/call_tree.h"
#include "analyzer/model/origin_name.h"

struct call_paths {
	struct model *model;
	struct call_tree *tree; /* the model's */
	struct symbols *symbols;
	GHashTable *of_stack; /* node of the tree, by process and stack */
};

struct call_paths *call_paths_new(struct model *model)
{
	struct call_paths *paths = g_new(struct call_paths, 1);

	paths->model = model;
	model->call_tree = paths->tree = call_tree_new();
	paths->symbols = symbols_new(model->strings);
	paths->of_stack = g_hash_table_new(NULL, NULL);
	return paths;
}

void call_paths_free(struct call_paths *paths)
{
	g_hash_table_destroy(paths->of_stack);
	symbols_free(paths->symbols);
	g_free(paths);
}

static const char *kept(const struct call_paths *paths, const char *text)
{
	return g_string_chunk_insert_const(paths->model->strings, text);
}

static struct symbol plain_symbol(const struct call_paths *paths, const char *name)
{
	return (struct symbol){
		.function = kept(paths, name), .module = kept(paths, ""), .file = ""};
}

static uint32_t child(struct call_paths *paths, uint32_t node, const char *name)
{
	const struct symbol symbol = plain_symbol(paths, name);

	return call_tree_child(paths->tree, node, &symbol);
}

static uint32_t program_node(struct call_paths *paths, const struct model_process *process)
{
	char *name = *process->executable ? g_path_get_basename(process->executable)
					  : g_strdup("(unknown program)");
	uint32_t node = child(paths, CALL_TREE_ROOT, name);

	g_free(name);
	return node;
}

static void add_name(struct call_paths *paths, const char *name, const char *file, uint32_t line,
	GArray *functions)
{
	struct symbol symbol = plain_symbol(paths, name);

	symbol.file = kept(paths, file);
	symbol.line = line == PWRTRACE_UNKNOWN_U32 ? 0 : line;
	g_array_append_val(functions, symbol);
}

/* Adds the functions of one frame (struct symbol), which are several where some are inlined, the
 * outermost first. */
static void add_functions(struct call_paths *paths, const struct model_process *process,
	const struct model_stack *frame, GArray *functions)
{
	const struct model_function *function = table_find(process->functions, frame->function);
	const struct model_module *module = table_find(process->modules, frame->module);
	const GArray *found;

	if (frame->function) {
		if (function && function->defined)
			add_name(paths, function->name, function->file, function->line, functions);
		else
			add_name(paths, "(unknown function)", "", 0, functions);
		return;
	}
	/* The return address is after the call, and may be in the next function. */
	found = module && module->defined
			? symbols_find(paths->symbols, module->path, module->build_id,
				  frame->address - 1)
			: symbols_find(paths->symbols, NULL, "", frame->address - 1);
	for (guint i = found->len; i > 0; i--)
		g_array_append_val(functions, g_array_index(found, struct symbol, i - 1));
}

static GArray *functions_of(
	struct call_paths *paths, const struct model_process *process, uint32_t stack)
{
	GPtrArray *frames = g_ptr_array_new();
	GArray *functions = g_array_new(FALSE, FALSE, sizeof(struct symbol));

	while (stack && stack != PWRTRACE_UNKNOWN_U32) {
		const struct model_stack *frame = table_find(process->stacks, stack);

		if (!frame || !frame->defined)
			break;
		g_ptr_array_add(frames, (gpointer)frame);
		stack = frame->parent;
	}
	if (stack)
		add_name(paths,
			stack == PWRTRACE_UNKNOWN_U32 ? "(more frames)" : "(unknown frames)", "", 0,
			functions);
	for (guint i = frames->len; i > 0; i--)
		add_functions(paths, process, g_ptr_array_index(frames, i - 1), functions);
	g_ptr_array_free(frames, TRUE);
	return functions;
}

static bool is_c_library(const struct symbol *symbol)
{
	return g_str_has_prefix(symbol->module, "libc.so") ||
	       g_str_has_prefix(symbol->module, "libpthread.so") ||
	       g_str_has_prefix(symbol->module, "ld-linux");
}

/* The index of the first function of the program itself, after _start and the functions of the C
 * library that start programs and threads. */
static guint program_begins(const GArray *functions)
{
	const struct symbol *function = (const struct symbol *)(void *)functions->data;
	guint i = functions->len > 1 && is_c_library(&function[1]) ? 1 : 0;

	while (i < functions->len && is_c_library(&function[i]))
		i++;
	return i < functions->len ? i : 0;
}

uint32_t call_paths_of(struct call_paths *paths, const struct model_origin *origin)
{
	const struct model_process *process = model_process_of(paths->model, origin);
	gpointer key = GSIZE_TO_POINTER((gsize)origin->process << 32 | origin->stack);
	gpointer known = g_hash_table_lookup(paths->of_stack, key);
	GArray *functions;
	uint32_t node;

	if (known)
		return GPOINTER_TO_UINT(known);
	functions = functions_of(paths, process, origin->stack);
	node = program_node(paths, process);
	for (guint i = program_begins(functions); i < functions->len; i++)
		node = call_tree_child(
			paths->tree, node, &g_array_index(functions, struct symbol, i));
	g_array_free(functions, TRUE);
	g_hash_table_insert(paths->of_stack, key, GUINT_TO_POINTER(node));
	return node;
}

void call_paths_resolve(struct call_paths *paths)
{
	struct model *model = paths->model;

	for (guint i = 0; i < model->executions->len; i++) {
		struct model_origin *origin = &g_array_index(model->origins->list,
			struct model_origin, model_execution_at(model, i)->origin);
		char *name;

		if (origin->call || origin->replayed)
			continue;
		name = origin_name_short(model, origin);
		origin->call = child(paths, call_paths_of(paths, origin), name);
		g_free(name);
	}
}
