/* SPDX-License-Identifier: MIT */
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "analyzer/ledger/graph_profile.h"
#include "analyzer/print/input.h"
#include "analyzer/print/message.h"

#define SCHEMA "pwrtrace-graphs/1"
#define DIGITS 12        /* of numbers in the file */
#define TIME_MAX_NS 1e18 /* longer times are not credible */

static json_t *share_to_json(double share)
{
	return isfinite(share) ? json_real(share) : json_null();
}

static json_t *part_to_json(const struct graph_profile_part *part)
{
	return json_pack("{s:s, s:s, s:s, s:s, s:I, s:I, s:f, s:o, s:o}", "kind", part->kind, "api",
		part->api, "name", part->name, "shape", part->shape, "count",
		(json_int_t)part->count, "executions", (json_int_t)part->executions, "mean_time_ns",
		part->mean_time_ns, "energy_share", share_to_json(part->energy_share),
		"energy_share_ci95", share_to_json(part->share_ci95));
}

static json_t *graph_to_json(const struct graph_profile *profile)
{
	json_t *parts = json_array();

	for (guint i = 0; i < profile->parts->len; i++)
		json_array_append_new(parts,
			part_to_json(&g_array_index(profile->parts, struct graph_profile_part, i)));
	return json_pack("{s:s, s:I, s:I, s:o}", "signature", profile->signature, "nodes",
		(json_int_t)profile->nodes, "launches", (json_int_t)profile->launches, "parts",
		parts);
}

void graph_profiles_write(FILE *out, const struct graph_profiles *profiles)
{
	json_t *graphs = json_array();
	json_t *root = json_pack("{s:s, s:o}", "schema", SCHEMA, "graphs", graphs);

	for (guint i = 0; i < profiles->graphs->len; i++)
		json_array_append_new(
			graphs, graph_to_json(g_ptr_array_index(profiles->graphs, i)));
	json_dumpf(root, out, JSON_INDENT(1) | JSON_REAL_PRECISION(DIGITS));
	fputc('\n', out);
	json_decref(root);
}

/* ---- reading ---- */

static double share_of_json(json_t *share)
{
	return json_is_number(share) ? json_number_value(share) : NAN;
}

/* Appends a part.  Returns false where members are missing or out of range. */
static bool part_from_json(struct graph_profiles *profiles, json_t *json, GArray *parts)
{
	const char *kind, *api, *name, *shape;
	json_int_t count, executions;
	json_t *share, *share_ci95 = NULL;
	struct graph_profile_part part = {0};

	/* The first version of pwrtrace graphs did not write energy_share_ci95. */
	if (json_unpack(json, "{s:s, s:s, s:s, s:s, s:I, s:I, s:F, s:o, s?o}", "kind", &kind, "api",
		    &api, "name", &name, "shape", &shape, "count", &count, "executions",
		    &executions, "mean_time_ns", &part.mean_time_ns, "energy_share", &share,
		    "energy_share_ci95", &share_ci95))
		return false;
	part.kind = g_string_chunk_insert_const(profiles->strings, kind);
	part.api = g_string_chunk_insert_const(profiles->strings, api);
	part.name = g_string_chunk_insert_const(profiles->strings, name);
	part.shape = g_string_chunk_insert_const(profiles->strings, shape);
	part.count = (uint64_t)count;
	part.executions = (uint64_t)executions;
	part.energy_share = share_of_json(share);
	part.share_ci95 = share_of_json(share_ci95);
	g_array_append_val(parts, part);
	return count > 0 && count <= UINT32_MAX && executions >= 0 && part.mean_time_ns >= 0 &&
	       part.mean_time_ns < TIME_MAX_NS && !(part.energy_share < 0) &&
	       !(part.energy_share > 1) && !(part.share_ci95 < 0);
}

static bool graph_from_json(struct graph_profiles *profiles, json_t *json)
{
	const char *signature;
	json_int_t nodes, launches;
	json_t *parts, *part;
	struct graph_profile *profile;
	size_t i;

	if (json_unpack(json, "{s:s, s:I, s:I, s:o}", "signature", &signature, "nodes", &nodes,
		    "launches", &launches, "parts", &parts) ||
		!json_array_size(parts))
		return false;
	profile = graph_profile_add(profiles, signature);
	profile->nodes = (uint64_t)nodes;
	profile->launches = (uint64_t)launches;
	g_array_set_size(profile->parts, 0);
	json_array_foreach(
		parts, i, part) if (!part_from_json(profiles, part, profile->parts)) return false;
	return true;
}

static struct graph_profiles *from_json(json_t *root, const char *path)
{
	struct graph_profiles *profiles = graph_profiles_new();
	const char *schema = json_string_value(json_object_get(root, "schema"));
	json_t *graphs = json_object_get(root, "graphs"), *graph;
	size_t i;

	if (!schema || strcmp(schema, SCHEMA) != 0 || !json_is_array(graphs)) {
		message_error("%s is no profile of graphs: its schema is not " SCHEMA
			      "; make one with pwrtrace graphs",
			path);
		graph_profiles_free(profiles);
		return NULL;
	}
	json_array_foreach(graphs, i, graph)
	{
		if (graph_from_json(profiles, graph))
			continue;
		message_error("%s is damaged: its graph number %zu lacks something; make it anew "
			      "with pwrtrace graphs",
			path, i + 1);
		graph_profiles_free(profiles);
		return NULL;
	}
	return profiles;
}

struct graph_profiles *graph_profiles_read(const char *path)
{
	struct graph_profiles *profiles;
	json_t *root = input_json(path, "profile of graphs", "pwrtrace graphs");

	if (!root)
		return NULL;
	profiles = from_json(root, path);
	json_decref(root);
	return profiles;
}
