/* SPDX-License-Identifier: MIT */
#include "analyzer/name/symbol_table.h"

#include <gelf.h>
#include <glib.h>
#include <string.h>

#include "analyzer/numeric/bisect.h"

struct symbol_table {
	GArray *ranges; /* struct symbol_range, by begin; of those at one address, the preferred
			   last */
};

/* As dwfl_module_addrinfo() has it: global symbols before weak ones before local ones. */
static unsigned char preference_of(const GElf_Sym *symbol)
{
	switch (GELF_ST_BIND(symbol->st_info)) {
	case STB_GLOBAL:
		return 3;
	case STB_WEAK:
		return 2;
	case STB_LOCAL:
		return 1;
	default:
		return 0;
	}
}

static bool has_address(const GElf_Sym *symbol, GElf_Word section, const char *name)
{
	int type = GELF_ST_TYPE(symbol->st_info);

	return name && *name && section != SHN_UNDEF && section != SHN_ABS && type != STT_SECTION &&
	       type != STT_FILE && type != STT_TLS;
}

/* Where the section ends that an address lies in; the address itself where there is none. */
static uint64_t section_end(Elf *elf, GElf_Addr bias, GElf_Word section, uint64_t address)
{
	GElf_Shdr header;

	if (!gelf_getshdr(elf_getscn(elf, section), &header))
		return address;
	return MAX(address, header.sh_addr + bias + header.sh_size);
}

static int by_begin(gconstpointer a, gconstpointer b)
{
	const struct symbol_range *left = a, *right = b;

	if (left->begin != right->begin)
		return left->begin < right->begin ? -1 : 1;
	if (left->sizeless != right->sizeless)
		return left->sizeless ? 1 : -1;
	if (left->preference != right->preference)
		return left->preference < right->preference ? -1 : 1;
	if (left->end != right->end)
		return left->end > right->end ? -1 : 1;
	return strcmp(right->name, left->name);
}

static GArray *read_ranges(Dwfl_Module *module)
{
	GArray *ranges = g_array_new(FALSE, FALSE, sizeof(struct symbol_range));
	int count = dwfl_module_getsymtab(module);

	for (int i = 0; i < count; i++) {
		GElf_Sym symbol;
		GElf_Word section;
		GElf_Addr address, bias;
		Elf *elf;
		const char *name = dwfl_module_getsym_info(
			module, i, &symbol, &address, &section, &elf, &bias);
		struct symbol_range range = {
			.begin = address, .name = name, .sizeless = !symbol.st_size};

		if (!has_address(&symbol, section, name))
			continue;
		range.preference = preference_of(&symbol);
		range.end = range.sizeless ? section_end(elf, bias, section, address)
					   : address + symbol.st_size;
		g_array_append_val(ranges, range);
	}
	g_array_sort(ranges, by_begin);
	return ranges;
}

/* Leaves out what no address is found by: labels within a function that has a size, and all but the
 * last of several at one address. */
static void drop_labels(GArray *ranges)
{
	struct symbol_range *list = (void *)ranges->data;
	uint64_t reach = 0;
	guint kept = 0;

	for (guint i = 0; i < ranges->len; i++) {
		if (!list[i].sizeless)
			reach = MAX(reach, list[i].end);
		else if (list[i].begin < reach)
			continue;
		else if (kept && list[kept - 1].sizeless && list[kept - 1].begin == list[i].begin)
			kept--;
		list[kept++] = list[i];
	}
	g_array_set_size(ranges, kept);
}

static void set_ends(GArray *ranges)
{
	struct symbol_range *list = (void *)ranges->data;
	uint64_t reach = 0;

	for (guint i = 0; i < ranges->len; i++) {
		if (list[i].sizeless && i + 1 < ranges->len)
			list[i].end = MIN(list[i].end, list[i + 1].begin);
		reach = MAX(reach, list[i].end);
		list[i].reach = reach;
	}
}

struct symbol_table *symbol_table_new(Dwfl_Module *module)
{
	struct symbol_table *table = g_new0(struct symbol_table, 1);

	table->ranges = read_ranges(module);
	drop_labels(table->ranges);
	set_ends(table->ranges);
	return table;
}

void symbol_table_free(struct symbol_table *table)
{
	if (!table)
		return;
	g_array_free(table->ranges, TRUE);
	g_free(table);
}

const struct symbol_range *symbol_table_find(const struct symbol_table *table, uint64_t address)
{
	const struct symbol_range *ranges = (const void *)table->ranges->data;
	guint after = BISECT(i, 0, table->ranges->len, ranges[i].begin > address);

	for (guint i = after; i > 0 && ranges[i - 1].reach > address; i--)
		if (ranges[i - 1].end > address)
			return &ranges[i - 1];
	return NULL;
}
