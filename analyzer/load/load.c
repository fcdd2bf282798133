/* SPDX-License-Identifier: MIT */
#include "analyzer/load/load.h"

#include "analyzer/load/loader.h"
#include "analyzer/load/resolve.h"
#include "analyzer/load/take.h"
#include "analyzer/model/order.h"
#include "analyzer/print/message.h"
#include "analyzer/trace/reader.h"

/* How many events there were, with those that are known to be lost. */
static uint64_t events_of(const struct model *model)
{
	uint64_t sum = model->damaged + model->discarded;

	for (size_t i = 0; i < PWRTRACE_EV_COUNT; i++)
		sum += model->event_count[i];
	return sum;
}

/* Returns false, after an error message, where a directory has no events. */
static bool read_directory(struct loader *loader, const char *directory)
{
	const struct reader_sink sink = {.event = take_event,
		.wants = take_wants,
		.is_new = take_is_new,
		.damaged = take_damaged,
		.discarded = take_discarded,
		.data = loader};
	const struct model *model = loader->model;
	uint64_t before = events_of(model);
	guint repeats = loader->repeats;
	int read = reader_read(directory, &sink);

	if (read < 0)
		return false;
	if (loader->repeats > repeats)
		message_warn("%s holds a trace that was named before, and counts once", directory);
	if (read && events_of(model) == before)
		message_error("%s holds no event of pwrtrace; record with pwrtrace record, or "
			      "enable pwrtrace:* in a session of your own",
			directory);
	if (read)
		g_ptr_array_add(loader->model->directories, (gpointer)directory);
	return !read || events_of(model) > before;
}

struct model *load_traces(char *const *directories, const struct load_options *options)
{
	struct loader *loader = loader_new(options->layers);
	struct model *model = loader->model;
	bool fine = true;

	if (options->order || options->waits)
		model->order = model_order_new(options->order);
	for (; fine && *directories; directories++)
		fine = read_directory(loader, *directories);
	fine = fine && resolve(loader, options);
	loader_free(loader);
	if (fine)
		return model;
	model_free(model);
	return NULL;
}
