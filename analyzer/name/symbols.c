/* SPDX-License-Identifier: MIT */
#include "analyzer/name/symbols.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/name/kernel_name.h"
#include "analyzer/name/symbol_table.h"
#include "analyzer/print/message.h"

/* A file with code, opened when its first address is looked up. */
struct object_file {
	const char *name; /* without directories */
	Dwfl *dwfl;       /* NULL: the file is missing or is not the one that ran */
	Dwfl_Module *module;
	struct symbol_table *table; /* NULL: not needed so far */
	GHashTable *found;          /* GArray of struct symbol by address */
};

struct symbols {
	GStringChunk *texts;
	GHashTable *objects;      /* struct object_file by path and build-id */
	struct object_file *none; /* for addresses in no file, as of generated code */
	GString *unusable;        /* names of files */
	guint unusable_count;
	char *first_unusable; /* the path of the first one, and why */
};

static const char *kept(const struct symbols *symbols, const char *text)
{
	return g_string_chunk_insert_const(symbols->texts, text);
}

/* ---- files ---- */

static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address};

static char *build_id_of(Dwfl_Module *module)
{
	const unsigned char *bits;
	GElf_Addr address;
	GElf_Addr bias;
	GString *text = g_string_new(NULL);
	int count = dwfl_module_getelf(module, &bias)
			    ? dwfl_module_build_id(module, &bits, &address)
			    : 0;

	for (int i = 0; i < count; i++)
		g_string_append_printf(text, "%02x", bits[i]);
	return g_string_free(text, FALSE);
}

static void close_object(struct object_file *object)
{
	if (object->dwfl)
		dwfl_end(object->dwfl);
	object->dwfl = NULL;
	object->module = NULL;
}

/* Opens a file at the addresses that the file itself uses.  Returns NULL, or why it cannot be used,
 * which the caller frees. */
static char *open_file(struct object_file *object, const char *path, const char *build_id)
{
	char *found, *why = NULL;

	object->dwfl = dwfl_begin(&callbacks);
	dwfl_report_begin(object->dwfl);
	object->module = dwfl_report_elf(object->dwfl, object->name, path, -1, 0, true);
	dwfl_report_end(object->dwfl, NULL, NULL);
	if (!object->module) {
		why = g_strdup(
			access(path, R_OK) ? "is not there, or not readable" : "is no object file");
	} else if (*build_id) {
		found = build_id_of(object->module);
		if (strcmp(found, build_id) != 0)
			why = g_strdup_printf("is not the file that ran (its build-id is %s, "
					      "the trace has %s)",
				*found ? found : "missing", build_id);
		g_free(found);
	}
	if (why)
		close_object(object);
	return why;
}

/* Opens the separate debug file of a build-id, which has the same addresses, in place of a file
 * that is missing or was replaced. */
static bool open_debug_file(struct object_file *object, const char *build_id)
{
	char *path, *why;

	if (strlen(build_id) < 3)
		return false;
	path = g_strdup_printf("/usr/lib/debug/.build-id/%.2s/%s.debug", build_id, build_id + 2);
	why = open_file(object, path, build_id);
	g_free(path);
	g_free(why);
	return !why;
}

static struct object_file *new_object(const char *name)
{
	struct object_file *object = g_new0(struct object_file, 1);

	object->name = name;
	object->found = g_hash_table_new_full(
		g_int64_hash, g_int64_equal, g_free, (GDestroyNotify)g_array_unref);
	return object;
}

static void free_object(gpointer data)
{
	struct object_file *object = data;

	symbol_table_free(object->table);
	close_object(object);
	g_hash_table_destroy(object->found);
	g_free(object);
}

static struct object_file *object_of(
	struct symbols *symbols, const char *path, const char *build_id)
{
	char *key = g_strdup_printf("%s %s", build_id, path);
	struct object_file *object = g_hash_table_lookup(symbols->objects, key);
	char *name, *why;

	if (object) {
		g_free(key);
		return object;
	}
	name = g_path_get_basename(path);
	object = new_object(kept(symbols, name));
	g_free(name);
	g_hash_table_insert(symbols->objects, key, object);
	/* The vDSO, code that the Linux kernel maps, is in no file. */
	if (g_str_has_prefix(path, "linux-vdso") || g_str_has_prefix(path, "linux-gate"))
		return object;
	why = open_file(object, path, build_id);
	if (why && !open_debug_file(object, build_id)) {
		g_string_append_printf(symbols->unusable, "%s%s",
			symbols->unusable_count++ ? ", " : "", object->name);
		if (!symbols->first_unusable)
			symbols->first_unusable = g_strdup_printf("%s %s", path, why);
	}
	g_free(why);
	return object;
}

/* In one line: a trace from another machine has many. */
static void warn_of_unusable(const struct symbols *symbols)
{
	if (symbols->unusable_count == 1)
		message_warn(
			"%s: its functions have no names in call stacks", symbols->first_unusable);
	else if (symbols->unusable_count)
		message_warn("%u files are missing or are not those that ran (%s): their functions "
			     "have no names in call stacks",
			symbols->unusable_count, symbols->unusable->str);
}

struct symbols *symbols_new(GStringChunk *texts)
{
	struct symbols *symbols = g_new0(struct symbols, 1);

	symbols->texts = texts;
	symbols->objects = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_object);
	symbols->none = new_object("");
	symbols->unusable = g_string_new(NULL);
	return symbols;
}

void symbols_free(struct symbols *symbols)
{
	warn_of_unusable(symbols);
	g_string_free(symbols->unusable, TRUE);
	g_free(symbols->first_unusable);
	free_object(symbols->none);
	g_hash_table_destroy(symbols->objects);
	g_free(symbols);
}

/* ---- addresses ---- */

static const char *function_text(struct symbols *symbols, const char *mangled)
{
	char *name = kernel_name_short(mangled);
	const char *text = kept(symbols, name);

	g_free(name);
	return text;
}

static const char *string_of(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute place;

	return dwarf_formstring(dwarf_attr_integrate(die, attribute, &place));
}

static const char *linkage_name(Dwarf_Die *die)
{
	const char *name = string_of(die, DW_AT_linkage_name);

	if (!name)
		name = string_of(die, DW_AT_MIPS_linkage_name);
	return name ? name : dwarf_diename(die);
}

/* Finds where an inlined function was called: source file (an index in the unit's table) and line.
 */
static void find_call(Dwarf_Die *die, Dwarf_Die *unit, const char **file, unsigned *line)
{
	Dwarf_Attribute place;
	Dwarf_Word number;
	Dwarf_Files *files;
	size_t count;

	*file = "";
	*line = 0;
	if (!dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &place), &number))
		*line = (unsigned)number;
	if (!dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &place), &number) &&
		!dwarf_getsrcfiles(unit, &files, &count) && number < count)
		*file = dwarf_filesrc(files, number, NULL, NULL);
}

static void add(struct symbols *symbols, const struct object_file *object, GArray *found,
	const char *function, const char *file, unsigned line)
{
	struct symbol symbol = {function, object->name, kept(symbols, file ? file : ""), line};

	g_array_append_val(found, symbol);
}

/* The scopes around an address, innermost first.  dwarf_getscopes() gives, for inlined functions,
 * the scopes in which they are written; those into which they are inlined come from
 * dwarf_getscopes_die().  Returns how many; the caller frees *scopes. */
static int scopes_of(Dwarf_Die *unit, Dwarf_Addr address, Dwarf_Die **scopes)
{
	Dwarf_Die innermost;
	int count = dwarf_getscopes(unit, address, scopes);

	if (count <= 0)
		return 0;
	innermost = (*scopes)[0];
	free(*scopes);
	count = dwarf_getscopes_die(&innermost, scopes);
	return count > 0 ? count : 0;
}

static void find_by_dwarf(
	struct symbols *symbols, const struct object_file *object, uint64_t address, GArray *found)
{
	Dwarf_Addr bias;
	Dwarf_Die *unit = dwfl_module_addrdie(object->module, address, &bias);
	Dwfl_Line *source = dwfl_module_getsrc(object->module, address);
	const char *file = NULL;
	Dwarf_Die *scopes = NULL;
	int count, line = 0;

	if (!unit)
		return;
	if (source)
		file = dwfl_lineinfo(source, NULL, &line, NULL, NULL, NULL);
	count = scopes_of(unit, address - bias, &scopes);
	for (int i = 0; i < count; i++) {
		int tag = dwarf_tag(&scopes[i]);
		const char *name = linkage_name(&scopes[i]);
		unsigned call_line;

		if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
			continue;
		add(symbols, object, found, function_text(symbols, name ? name : "(no name)"), file,
			(unsigned)line);
		if (tag == DW_TAG_subprogram)
			break;
		find_call(&scopes[i], unit, &file, &call_line);
		line = (int)call_line;
	}
	free(scopes);
}

static void find_by_symbol(
	struct symbols *symbols, struct object_file *object, uint64_t address, GArray *found)
{
	const struct symbol_range *range;
	const char *function;
	char *text;

	if (!object->table)
		object->table = symbol_table_new(object->module);
	range = symbol_table_find(object->table, address);
	if (!range)
		return;
	function = function_text(symbols, range->name);
	if (!range->sizeless || address == range->begin) {
		add(symbols, object, found, function, "", 0);
		return;
	}
	/* Where it ends is not known: the offset tells how far from it this is. */
	text = g_strdup_printf("%s+0x%" G_GINT64_MODIFIER "x", function, address - range->begin);
	add(symbols, object, found, kept(symbols, text), "", 0);
	g_free(text);
}

static void find_nothing(
	struct symbols *symbols, const struct object_file *object, uint64_t address, GArray *found)
{
	char *text = *object->name ? g_strdup_printf(
					     "%s+0x%" G_GINT64_MODIFIER "x", object->name, address)
				   : g_strdup("(code without a file)");

	add(symbols, object, found, kept(symbols, text), "", 0);
	g_free(text);
}

const GArray *symbols_find(
	struct symbols *symbols, const char *path, const char *build_id, uint64_t address)
{
	struct object_file *object = path ? object_of(symbols, path, build_id) : symbols->none;
	GArray *found = g_hash_table_lookup(object->found, &address);

	if (found)
		return found;
	found = g_array_new(FALSE, FALSE, sizeof(struct symbol));
	if (object->module)
		find_by_dwarf(symbols, object, address, found);
	if (!found->len && object->module)
		find_by_symbol(symbols, object, address, found);
	/* The caller looks up return address - 1.  A signal handler returns to the beginning of a
	 * function, before which there may be nothing. */
	if (!found->len && object->module)
		find_by_symbol(symbols, object, address + 1, found);
	if (!found->len)
		find_nothing(symbols, object, address, found);
	g_hash_table_insert(object->found, g_memdup2(&address, sizeof(address)), found);
	return found;
}
