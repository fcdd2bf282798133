/* SPDX-License-Identifier: MIT */
#include "analyzer/ledger/graph_profile.h"

#include <math.h>
#include <string.h>

#include "analyzer/name/kernel_name.h"
#include "analyzer/numeric/apportion.h"

static void free_profile(gpointer data)
{
	struct graph_profile *profile = data;

	g_array_free(profile->parts, TRUE);
	g_free(profile);
}

struct graph_profiles *graph_profiles_new(void)
{
	struct graph_profiles *profiles = g_new0(struct graph_profiles, 1);

	profiles->graphs = g_ptr_array_new_with_free_func(free_profile);
	profiles->by_signature = g_hash_table_new(g_str_hash, g_str_equal);
	profiles->strings = g_string_chunk_new(4096);
	return profiles;
}

void graph_profiles_free(struct graph_profiles *profiles)
{
	g_ptr_array_free(profiles->graphs, TRUE);
	g_hash_table_destroy(profiles->by_signature);
	g_string_chunk_free(profiles->strings);
	g_free(profiles);
}

const struct graph_profile *graph_profile_find(
	const struct graph_profiles *profiles, const char *signature)
{
	return g_hash_table_lookup(profiles->by_signature, signature);
}

struct graph_profile *graph_profile_add(struct graph_profiles *profiles, const char *signature)
{
	struct graph_profile *profile = g_hash_table_lookup(profiles->by_signature, signature);

	if (profile)
		return profile;
	profile = g_new0(struct graph_profile, 1);
	profile->signature = g_string_chunk_insert_const(profiles->strings, signature);
	profile->parts = g_array_new(FALSE, TRUE, sizeof(struct graph_profile_part));
	g_ptr_array_add(profiles->graphs, profile);
	g_hash_table_insert(profiles->by_signature, (gpointer)profile->signature, profile);
	return profile;
}

void graph_profile_leave_out(struct graph_profiles *profiles, guint i)
{
	const struct graph_profile *profile = g_ptr_array_index(profiles->graphs, i);

	g_hash_table_remove(profiles->by_signature, profile->signature);
	g_ptr_array_remove_index(profiles->graphs, i);
	profiles->left_out++;
}

/* ---- splitting ---- */

static const struct graph_profile_part *part_at(const struct graph_profile *profile, guint i)
{
	return &g_array_index(profile->parts, struct graph_profile_part, i);
}

static double energy_of(const struct graph_profile_part *part)
{
	return part->energy_share;
}

static double time_of(const struct graph_profile_part *part)
{
	return (double)part->count * part->mean_time_ns;
}

static double count_of(const struct graph_profile_part *part)
{
	return (double)part->count;
}

/* Sets weights, by part, in proportion to an amount.  Returns false where the amounts add up to 0,
 * or are not known. */
static bool weigh(const struct graph_profile *profile,
	double (*amount)(const struct graph_profile_part *part), uint64_t *weights)
{
	static const double resolution = 1e12;
	double whole = 0;

	for (guint i = 0; i < profile->parts->len; i++)
		whole += amount(part_at(profile, i));
	if (!(whole > 0))
		return false;
	for (guint i = 0; i < profile->parts->len; i++)
		weights[i] = (uint64_t)llround(amount(part_at(profile, i)) / whole * resolution);
	return true;
}

static void name_part(const struct graph_profile_part *part, struct ledger_row *row)
{
	bool kernel = strcmp(part->kind, "kernel") == 0;

	row->kind = kernel ? "kernel" : "memory";
	row->name = kernel ? kernel_name_full(part->name) : g_strdup(part->name);
	row->short_name = kernel ? kernel_name_short(part->name) : g_strdup(part->name);
	row->shape = g_strdup(part->shape);
	if (*part->api)
		row->api = part->api;
}

/* Half the 95 % interval of a part's energy, from the errors of the share and of the row's energy;
 * negative: not known. */
static double ci95_j(const struct graph_profile_part *part, const struct ledger_row *row)
{
	if (!(row->ci95_j >= 0) || isnan(part->energy_share) || isnan(part->share_ci95))
		return -1;
	return hypot(
		part->energy_share * row->ci95_j, part->share_ci95 * (double)row->energy_nj / 1e9);
}

void graph_profile_split(
	const struct graph_profile *profile, const struct ledger_row *row, struct ledger_row *parts)
{
	guint count = profile->parts->len;
	uint64_t *weights = g_new(uint64_t, count), *times_ns = g_new(uint64_t, count);
	uint64_t *static_nj = g_new(uint64_t, count), *dynamic_nj = g_new(uint64_t, count);

	if (!weigh(profile, time_of, weights))
		weigh(profile, count_of, weights);
	apportion(row->time_ns, weights, count, times_ns);
	weigh(profile, energy_of, weights);
	apportion(row->static_nj, weights, count, static_nj);
	apportion(row->energy_nj - row->static_nj, weights, count, dynamic_nj);
	for (guint i = 0; i < count; i++) {
		parts[i] = *row;
		parts[i].modelled = true;
		parts[i].executions = row->executions * part_at(profile, i)->count;
		parts[i].timed = row->timed * part_at(profile, i)->count;
		parts[i].time_ns = times_ns[i];
		parts[i].unmeasured_ns =
			row->time_ns ? (uint64_t)((double)row->unmeasured_ns * (double)times_ns[i] /
						  (double)row->time_ns)
				     : 0;
		parts[i].energy_nj = static_nj[i] + dynamic_nj[i];
		parts[i].static_nj = static_nj[i];
		parts[i].ci95_j = ci95_j(part_at(profile, i), row);
		name_part(part_at(profile, i), &parts[i]);
	}
	g_free(weights);
	g_free(times_ns);
	g_free(static_nj);
	g_free(dynamic_nj);
}
