/* SPDX-License-Identifier: MIT */
#include "analyzer/view/content/row_path.h"

#include "analyzer/model/call_tree.h"

GPtrArray *row_path(const struct ledger *ledger, const struct ledger_row *row)
{
	GPtrArray *names;

	if (row->layer)
		return layer_tree_names(ledger->layers, row->layer);
	if (row->call)
		return call_tree_names(ledger->model->call_tree, row->call);
	names = g_ptr_array_new();
	g_ptr_array_add(names, row->name);
	return names;
}
