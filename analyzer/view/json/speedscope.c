/* SPDX-License-Identifier: MIT */
/*
 * A sampled profile as https://www.speedscope.app reads it: a sample for each kernel in each layer,
 * its stack the layers from the outermost to the innermost with the kernel at its end, its weight
 * their joules.
 */
#include "analyzer/ledger/kernel_names.h"
#include "analyzer/model/layer_tree.h"
#include "analyzer/print/message.h"
#include "analyzer/view/content/format.h"
#include "analyzer/view/json/json_put.h"

/* Frames and samples while they are gathered. */
struct profile {
	GHashTable *frames; /* a frame's number + 1 by its name */
	FILE *names;
	GArray *stacks;  /* guint: the frames of one sample after those of another */
	GArray *samples; /* struct sample */
	uint64_t energy_nj;
};

struct sample {
	guint frames;
	uint64_t energy_nj;
};

/* The energies of the program's executions, by origin. */
static void add_energy(void *data, const struct execution_energy *attributed)
{
	((uint64_t *)data)[attributed->execution->origin] += attributed->energy_nj;
}

static void add_frame(struct profile *profile, const char *name)
{
	guint number = GPOINTER_TO_UINT(g_hash_table_lookup(profile->frames, name));

	if (!number) {
		number = g_hash_table_size(profile->frames) + 1;
		g_hash_table_insert(profile->frames, g_strdup(name), GUINT_TO_POINTER(number));
		fputs(number == 1 ? "{\"name\":" : ",\n  {\"name\":", profile->names);
		put_string(profile->names, *name ? name : "(no name)");
		fputc('}', profile->names);
	}
	number--;
	g_array_append_val(profile->stacks, number);
}

static void add_sample(
	struct profile *profile, const GPtrArray *layers, const char *kernel, uint64_t energy_nj)
{
	struct sample sample = {.frames = layers->len + 1, .energy_nj = energy_nj};

	for (guint i = 0; i < layers->len; i++)
		add_frame(profile, g_ptr_array_index(layers, i));
	add_frame(profile, kernel);
	g_array_append_val(profile->samples, sample);
	profile->energy_nj += energy_nj;
}

/* Returns how many origins have no known energy. */
static guint add_origins(struct profile *profile, const struct ledger *ledger)
{
	const struct model *model = ledger->model;
	struct kernel_names *names = kernel_names_of(model);
	struct layer_tree *tree = layer_tree_new(0);
	uint64_t *energy_nj = g_new0(uint64_t, model->origins->list->len + 1);
	guint unknown = 0;

	attribution_visit(ledger->attribution, add_energy, energy_nj);
	for (guint i = 0; i < model->origins->list->len; i++) {
		const struct model_origin *origin =
			&g_array_index(model->origins->list, struct model_origin, i);
		GPtrArray *layers;

		if (origin->replayed != MODEL_OF_PROGRAM)
			continue;
		if (origin->gpu == MODEL_NONE || !ledger->attribution->measured[origin->gpu]) {
			unknown++;
			continue;
		}
		layers = layer_tree_names(tree,
			layer_tree_node(tree, model_process_of(model, origin), origin->layer));
		add_sample(profile, layers, names->label[i], energy_nj[i]);
		g_ptr_array_free(layers, TRUE);
	}
	g_free(energy_nj);
	layer_tree_free(tree);
	kernel_names_free(names);
	return unknown;
}

static void put_stacks(FILE *out, const struct profile *profile)
{
	guint next = 0;

	for (guint i = 0; i < profile->samples->len; i++) {
		guint end = next + g_array_index(profile->samples, struct sample, i).frames;

		fputs(i ? ",\n  [" : "[", out);
		for (guint first = next; next < end; next++)
			fprintf(out, "%s%u", next > first ? "," : "",
				g_array_index(profile->stacks, guint, next));
		fputc(']', out);
	}
}

static void put_weights(FILE *out, const struct profile *profile)
{
	char joules[CELL_MAX];

	for (guint i = 0; i < profile->samples->len; i++)
		fprintf(out, "%s%s", i ? "," : "",
			cell_exact_joules(joules,
				g_array_index(profile->samples, struct sample, i).energy_nj));
}

static void put_profile(FILE *out, const struct profile *profile, const char *frames)
{
	char joules[CELL_MAX];

	fprintf(out,
		"{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n "
		"\"exporter\":\"pwrtrace " PWRTRACE_VERSION "\",\n \"shared\":{\"frames\":[%s]},\n "
		"\"profiles\":[{\"type\":\"sampled\",\"name\":\"joules by layer and kernel\","
		"\"unit\":\"none\",\"startValue\":0,\"endValue\":%s,\n \"samples\":[",
		frames, cell_exact_joules(joules, profile->energy_nj));
	put_stacks(out, profile);
	fputs("],\n \"weights\":[", out);
	put_weights(out, profile);
	fputs("]}]}\n", out);
}

static void write_speedscope(
	FILE *out, const struct ledger *ledger, const struct view_options *options)
{
	char *frames = NULL;
	size_t length;
	struct profile profile = {
		.frames = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
		.names = open_memstream(&frames, &length),
		.stacks = g_array_new(FALSE, FALSE, sizeof(guint)),
		.samples = g_array_new(FALSE, FALSE, sizeof(struct sample))};
	guint unknown;

	(void)options;
	if (!profile.names)
		g_error("no memory for a text");
	unknown = add_origins(&profile, ledger);
	fclose(profile.names);
	put_profile(out, &profile, frames);
	if (unknown)
		message_warn(
			"%u kernels in layers are left out: their energy is not known", unknown);
	free(frames);
	g_array_free(profile.samples, TRUE);
	g_array_free(profile.stacks, TRUE);
	g_hash_table_destroy(profile.frames);
}

const struct format format_speedscope = {
	.name = "speedscope",
	.help = "joules by layer and kernel, for speedscope",
	.write = write_speedscope,
	.whole = true,
};
