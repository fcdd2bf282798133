/* SPDX-License-Identifier: MIT */
/*
 * The layer source "nvtx".
 *
 * NVTX 3 is a header: each module that uses it asks InitializeInjectionNvtx2 of the library that
 * NVTX_INJECTION64_PATH names to fill in its function pointers.  NVTX 2 is a library, whose
 * functions we stand before.  Both lead here.
 *
 * Handles of domains and strings are ids in our tables, so that a foreign or stale one is only
 * unknown.  Answers to push and pop are those of an NVTX without a tool.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "preload/api/apis.h"
#include "preload/common/intern.h"
#include "preload/common/table_lock.h"
#include "preload/shim/hook/hook.h"
#include "preload/shim/layer/name.h"
#include "preload/shim/layer/stack.h"

#define EXPORT __attribute__((visibility("default")))

static struct intern domains; /* names with a colon behind */
static struct intern strings;

static const char *known_text(const struct intern *set, const void *handle)
{
	uintptr_t id = (uintptr_t)handle;

	return id && id <= intern_count(set) ? intern_get(set, (uint32_t)id)->bytes : "";
}

static void *handle_of(struct intern *set, const char *text)
{
	return (void *)(uintptr_t)intern(set, text, strlen(text));
}

static layer_owner owner_of(const void *domain)
{
	uintptr_t id = (uintptr_t)domain;

	return LAYER_nvtx | (layer_owner)(id <= intern_count(&domains) ? id << 8 : 0);
}

/* ---- categories ---- */

#define CATEGORIES_MAX 256

static struct category {
	const void *domain;
	uint32_t category;
	uint32_t name; /* in strings */
} categories[CATEGORIES_MAX];
static unsigned category_count;

static struct category *find_category(const void *domain, uint32_t category)
{
	unsigned count = __atomic_load_n(&category_count, __ATOMIC_ACQUIRE);

	for (unsigned i = 0; i < count; i++)
		if (categories[i].domain == domain && categories[i].category == category)
			return &categories[i];
	return NULL;
}

static void name_category(const void *domain, uint32_t category, const char *name)
{
	uint32_t id = name ? intern(&strings, name, strnlen(name, LAYER_NAME_MAX)) : 0;
	struct category *known;

	table_lock();
	known = find_category(domain, category);
	if (known) {
		__atomic_store_n(&known->name, id, __ATOMIC_RELAXED);
	} else if (category_count < CATEGORIES_MAX) {
		categories[category_count] = (struct category){domain, category, id};
		__atomic_store_n(&category_count, category_count + 1, __ATOMIC_RELEASE);
	}
	table_unlock();
}

/* number: where the text of a category without a name may lie. */
static const char *category_text(const void *domain, uint32_t category, char number[16])
{
	const struct category *known = category ? find_category(domain, category) : NULL;

	if (known && known->name)
		return intern_get(&strings, known->name)->bytes;
	if (category)
		snprintf(number, 16, "%u", category);
	return category ? number : "";
}

/* ---- what an event says ---- */

/* What PyTorch's emit_nvtx adds to the name of an operator, another number at each call. */
static size_t constant_part(const char *name)
{
	static const char *const added[] = {", seq = ", ", op_id = ", ", sizes = "};
	const char *comma = name;

	while ((comma = strchr(comma, ','))) {
		for (size_t i = 0; i < sizeof(added) / sizeof(*added); i++)
			if (strncmp(comma, added[i], strlen(added[i])) == 0)
				return (size_t)(comma - name);
		comma++;
	}
	return SIZE_MAX;
}

struct said {
	struct layer_range range;
	char name[LAYER_NAME_MAX + 1];
	char category[16];
};

static void say(struct said *said, const void *domain, const char *name)
{
	size_t constant = name && !domain ? constant_part(name) : SIZE_MAX;

	if (constant < sizeof(said->name)) {
		memcpy(said->name, name, constant);
		said->name[constant] = 0;
		name = said->name;
	}
	said->range = (struct layer_range){.owner = owner_of(domain),
		.domain = known_text(&domains, domain),
		.category = "",
		.name = name,
		.payload = NAN};
}

static void say_wide(struct said *said, const wchar_t *name)
{
	char text[LAYER_NAME_MAX + 1];

	say(said, NULL, name_of_wide(text, sizeof(text), name));
	if (said->range.name == text)
		said->range.name = memcpy(said->name, text, sizeof(text));
}

static double payload_of(const struct nvtx_event *event)
{
	switch (event->payload_type) {
	case PWR_NVTX_PAYLOAD_TYPE_UNSIGNED_INT64:
		return (double)event->payload.u64;
	case PWR_NVTX_PAYLOAD_TYPE_INT64:
		return (double)event->payload.i64;
	case PWR_NVTX_PAYLOAD_TYPE_DOUBLE:
		return event->payload.f64;
	case PWR_NVTX_PAYLOAD_TYPE_UNSIGNED_INT32:
		return event->payload.u32;
	case PWR_NVTX_PAYLOAD_TYPE_INT32:
		return event->payload.i32;
	case PWR_NVTX_PAYLOAD_TYPE_FLOAT:
		return (double)event->payload.f32;
	default:
		return NAN;
	}
}

static void say_event(struct said *said, const void *domain, const struct nvtx_event *event)
{
	bool whole = event && event->size >= sizeof(*event);

	if (whole && event->message_type == PWR_NVTX_MESSAGE_TYPE_UNICODE)
		say_wide(said, event->message.unicode);
	else if (whole && event->message_type == PWR_NVTX_MESSAGE_TYPE_ASCII)
		say(said, domain, event->message.ascii);
	else if (whole && event->message_type == PWR_NVTX_MESSAGE_TYPE_REGISTERED)
		say(said, domain, known_text(&strings, event->message.registered));
	else
		say(said, domain, NULL);
	said->range.owner = owner_of(domain);
	said->range.domain = known_text(&domains, domain);
	if (whole) {
		said->range.category = category_text(domain, event->category, said->category);
		said->range.payload = payload_of(event);
	}
}

/* ---- the functions of ranges.def ---- */

static void mark(const struct said *said)
{
	char name[LAYER_NAME_MAX + 1];
	const char *own = said->range.name && *said->range.name ? said->range.name : "(unnamed)";
	size_t length = name_append(name, 0, sizeof(name), said->range.domain);

	name_append(name, length, sizeof(name), own);
	layer_mark(name, said->range.payload, "", false);
}

static uint64_t start(const struct said *said)
{
	static uint64_t last;
	uint64_t id = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);

	layer_start(&said->range, id);
	return id;
}

static int push(const struct said *said)
{
	layer_push_range(&said->range);
	return PWR_NVTX_NO_PUSH_POP_TRACKING;
}

static int pop(const void *domain)
{
	layer_pop(owner_of(domain));
	return PWR_NVTX_NO_PUSH_POP_TRACKING;
}

/* Each way to say what is meant, for marks, starts and pushes alike. */
#define ON_EACH(ret, function, name)                                                               \
	static ret on_nvtx##name##Ex(const struct nvtx_event *event)                               \
	{                                                                                          \
		struct said said;                                                                  \
                                                                                                   \
		say_event(&said, NULL, event);                                                     \
		return function(&said);                                                            \
	}                                                                                          \
	static ret on_nvtx##name##A(const char *message)                                           \
	{                                                                                          \
		struct said said;                                                                  \
                                                                                                   \
		say(&said, NULL, message);                                                         \
		return function(&said);                                                            \
	}                                                                                          \
	static ret on_nvtx##name##W(const wchar_t *message)                                        \
	{                                                                                          \
		struct said said;                                                                  \
                                                                                                   \
		say_wide(&said, message);                                                          \
		return function(&said);                                                            \
	}                                                                                          \
	static ret on_nvtxDomain##name##Ex(void *domain, const struct nvtx_event *event)           \
	{                                                                                          \
		struct said said;                                                                  \
                                                                                                   \
		say_event(&said, domain, event);                                                   \
		return function(&said);                                                            \
	}
ON_EACH(void, mark, Mark)
ON_EACH(uint64_t, start, RangeStart)
ON_EACH(int, push, RangePush)

static void on_nvtxRangeEnd(uint64_t id)
{
	layer_end(LAYER_nvtx, id);
}

static void on_nvtxDomainRangeEnd(void *domain, uint64_t id)
{
	(void)domain;
	layer_end(LAYER_nvtx, id);
}

static int on_nvtxRangePop(void)
{
	return pop(NULL);
}

static int on_nvtxDomainRangePop(void *domain)
{
	return pop(domain);
}

static void on_nvtxDomainNameCategoryA(void *domain, uint32_t category, const char *name)
{
	name_category(domain, category, name);
}

static void on_nvtxDomainNameCategoryW(void *domain, uint32_t category, const wchar_t *name)
{
	char text[LAYER_NAME_MAX + 1];

	name_category(domain, category, name_of_wide(text, sizeof(text), name));
}

static void on_nvtxNameCategoryA(uint32_t category, const char *name)
{
	on_nvtxDomainNameCategoryA(NULL, category, name);
}

static void on_nvtxNameCategoryW(uint32_t category, const wchar_t *name)
{
	on_nvtxDomainNameCategoryW(NULL, category, name);
}

static void *on_nvtxDomainRegisterStringA(void *domain, const char *text)
{
	char name[LAYER_NAME_MAX + 1];

	(void)domain;
	name_append(name, 0, sizeof(name), text ? text : "");
	return handle_of(&strings, name);
}

static void *on_nvtxDomainRegisterStringW(void *domain, const wchar_t *text)
{
	char name[LAYER_NAME_MAX + 1];

	return on_nvtxDomainRegisterStringA(domain, name_of_wide(name, sizeof(name), text));
}

static void *on_nvtxDomainCreateA(const char *name)
{
	char text[LAYER_NAME_MAX / 2];
	size_t length = name_append(text, 0, sizeof(text) - 1, name ? name : "");

	name_append(text, length, sizeof(text), ":");
	return handle_of(&domains, text);
}

static void *on_nvtxDomainCreateW(const wchar_t *name)
{
	char text[LAYER_NAME_MAX / 2];

	return on_nvtxDomainCreateA(name_of_wide(text, sizeof(text), name));
}

/* ---- version 3: the injection ---- */

static const struct callback {
	int module;
	unsigned id;
	void (*function)(void);
} callbacks[] = {
#define NVTX(module, cbid, ret, name, params, args)                                                \
	{PWR_NVTX_CB_MODULE_##module, cbid, (void (*)(void))on_##name},
#define ROCTX(...)
#include "preload/api/ranges.def"
};

static void fill_module(const struct nvtx_callbacks *export, int module)
{
	void (***table)(void) = NULL;
	unsigned size = 0;

	if (!export->get_module_function_table(module, &table, &size) || !table)
		return;
	for (size_t i = 0; i < sizeof(callbacks) / sizeof(*callbacks); i++) {
		const struct callback *callback = &callbacks[i];

		if (callback->module == module && callback->id < size && table[callback->id])
			*table[callback->id] = callback->function;
	}
}

EXPORT int InitializeInjectionNvtx2(nvtx_get_export_table *get_export_table);
EXPORT int InitializeInjectionNvtx2(nvtx_get_export_table *get_export_table)
{
	const struct nvtx_callbacks *export = get_export_table(PWR_NVTX_ETID_CALLBACKS);

	if (!layer_wanted[LAYER_nvtx] || !export || export->struct_size < sizeof(*export))
		return 0;
	fill_module(export, PWR_NVTX_CB_MODULE_CORE);
	fill_module(export, PWR_NVTX_CB_MODULE_CORE2);
	return 1;
}

/* ---- version 2: the exported functions ---- */

/* Where another tool listens to NVTX it keeps what it has: one tool at a time, in both versions.
 * Decided at the first call. */
static bool is_ours(void)
{
	static int decided; /* 1: ours, 2: not */

	if (!decided)
		decided = layer_wanted[LAYER_nvtx] && !layer_source_other_tool(LAYER_nvtx) ? 1 : 2;
	return decided == 1;
}

#define NVTX(module, cbid, ret, name, params, args)                                                \
	EXPORT ret name params;                                                                    \
	EXPORT ret name params                                                                     \
	{                                                                                          \
		ret(*target) params = on_##name;                                                   \
                                                                                                   \
		if (!is_ours())                                                                    \
			target = hook_next(HOOK_##name);                                           \
		return target ? target args : (ret)PWR_NVTX_NO_PUSH_POP_TRACKING;                  \
	}
#define ROCTX(...)
#include "preload/api/ranges.def"
