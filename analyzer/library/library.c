/* SPDX-License-Identifier: MIT */
#include "analyzer/library/library.h"

#include <string.h>

#include "analyzer/model/collective.h"

struct library *library_new(void)
{
	struct library *library = g_new0(struct library, 1);

	library->messages = g_ptr_array_new();
	library->strings = g_string_chunk_new(4096);
	return library;
}

void library_free(struct library *library)
{
	if (!library)
		return;
	for (guint i = 0; i < library->messages->len; i++)
		library_message_free(g_ptr_array_index(library->messages, i));
	g_ptr_array_free(library->messages, TRUE);
	g_string_chunk_free(library->strings);
	g_free(library->path);
	g_free(library);
}

struct library_message *library_message_new(void)
{
	struct library_message *message = g_new0(struct library_message, 1);

	message->classes = g_array_new(FALSE, TRUE, sizeof(struct library_class));
	return message;
}

void library_message_free(struct library_message *message)
{
	g_array_free(message->classes, TRUE);
	g_free(message->part);
	g_free(message->sum);
	g_free(message);
}

static int by_id(gconstpointer a, gconstpointer b)
{
	const struct library_message *const *x = a, *const *y = b;

	return strcmp((*x)->id, (*y)->id);
}

bool library_add(struct library *library, struct library_message *message)
{
	for (guint i = 0; i < library->messages->len; i++) {
		const struct library_message *known = g_ptr_array_index(library->messages, i);

		if (strcmp(known->id, message->id) == 0) {
			library_message_free(message);
			return false;
		}
	}
	g_ptr_array_add(library->messages, message);
	g_ptr_array_sort(library->messages, by_id);
	return true;
}

const char *library_text(struct library *library, const char *text)
{
	return g_string_chunk_insert_const(library->strings, text);
}

static void take_texts(struct library *library, struct library_message *message)
{
	const char **const texts[] = {&message->id, &message->program, &message->device,
		&message->board, &message->driver, &message->source, &message->domain};

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		*texts[i] = library_text(library, *texts[i]);
	for (guint i = 0; i < message->classes->len; i++) {
		struct library_work *work =
			&g_array_index(message->classes, struct library_class, i).work;

		work->kind = library_text(library, work->kind);
		work->name = library_text(library, work->name);
	}
}

void library_merge(struct library *library, struct library *other)
{
	for (guint i = 0; i < other->messages->len; i++) {
		struct library_message *message = g_ptr_array_index(other->messages, i);

		take_texts(library, message);
		library_add(library, message);
	}
	g_ptr_array_set_size(other->messages, 0);
}

struct library_work library_work_of(const struct model *model, const struct model_origin *origin)
{
	const struct model_graph *graph = model_graph_of(model, origin);
	const struct model_kernel *kernel = model_kernel_of(model, origin);
	const struct model_exchange *collective = collective_exchange_of(model, origin);
	struct library_work work = {.kind = "", .name = ""};

	if (origin->kernel & MODEL_IS_MEMORY) {
		const struct model_memory *memory = &g_array_index(
			model->memories, struct model_memory, origin->kernel & ~MODEL_IS_MEMORY);

		work.kind = memory->kind;
		work.name = memory->name;
		work.bytes = memory->bytes;
	} else if (graph && *graph->signature) {
		work.kind = "graph";
		work.name = graph->signature;
	} else if (kernel && kernel->defined && *kernel->name) {
		work.kind = "kernel";
		work.name = kernel->name;
		memcpy(work.grid, kernel->global, sizeof(work.grid));
		memcpy(work.block, kernel->local, sizeof(work.block));
		work.shared_bytes = model_shared_bytes(kernel);
		work.bytes = collective ? collective->bytes : 0;
	}
	return work;
}

bool library_same_work(const struct library_work *a, const struct library_work *b)
{
	return a->bytes == b->bytes && a->shared_bytes == b->shared_bytes &&
	       memcmp(a->grid, b->grid, sizeof(a->grid)) == 0 &&
	       memcmp(a->block, b->block, sizeof(a->block)) == 0 && strcmp(a->kind, b->kind) == 0 &&
	       strcmp(a->name, b->name) == 0;
}

bool library_other_shape(const struct library_work *a, const struct library_work *b)
{
	return strcmp(a->kind, "kernel") == 0 && strcmp(b->kind, "kernel") == 0 &&
	       strcmp(a->name, b->name) == 0;
}

char *library_id(const struct source *source)
{
	const struct model_recording *recording = source->recording;

	return g_strdup_printf("%s/%" G_GUINT64_FORMAT "/%s/%s", recording->machine,
		model_recorded_ns(recording), source->device, source->sensor->domain);
}

const struct model_gpu *library_gpu(const struct model *model, const struct source *source)
{
	for (guint i = 0; i < model->gpus->len; i++)
		if (source->covers[i])
			return &g_array_index(model->gpus, struct model_gpu, i);
	return NULL;
}

char *library_own_path(void)
{
	return g_build_filename(g_get_user_data_dir(), "pwrtrace", "powers.library", NULL);
}
