/* SPDX-License-Identifier: MIT */
#include "preload/engine/callstack/python.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "preload/common/launch_path.h"
#include "preload/common/log.h"
#include "preload/engine/callstack/arena.h"
#include "preload/engine/callstack/unwind_rule.h"

READ_AT_LAUNCH struct python_loop python_loop = {0};

/* ---- offsets in the structs of each version, in bytes, from CPython's headers (Include/cpython/
 * pystate.h, code.h, unicodeobject.h, frameobject.h, Include/internal/pycore_frame.h) ---- */

enum { NOWHERE = 0xffff }; /* the version has no such field */

/* How to see that C code called a frame: each frame is one, a flag says so, or the frame below it
 * is a shim that the interpreter pushes for such a call. */
enum entry_test { ENTRY_ALWAYS, ENTRY_FLAG, ENTRY_BELOW_SHIM };

static const struct python_layout {
	unsigned minor;
	uint16_t thread_cframe,
		thread_frame; /* in the thread's state, or in the struct that cframe points to */
	uint16_t frame_code, frame_back, frame_entry;
	enum entry_test entry;
	uint16_t code_line, code_file, code_name, code_version;
	uint16_t text_ascii, text_wide; /* the characters of ASCII strings, and of others */
} layouts[] = {
	{8, NOWHERE, 24, 32, 24, 0, ENTRY_ALWAYS, 40, 104, 112, NOWHERE, 48, 72},
	{9, NOWHERE, 24, 32, 24, 0, ENTRY_ALWAYS, 40, 104, 112, NOWHERE, 48, 72},
	{10, NOWHERE, 24, 32, 24, 0, ENTRY_ALWAYS, 40, 104, 112, NOWHERE, 48, 72},
	{11, 56, 8, 32, 48, 68, ENTRY_FLAG, 72, 112, 128, NOWHERE, 48, 72},
	{12, 56, 0, 0, 8, 70, ENTRY_BELOW_SHIM, 68, 112, 128, 92, 40, 56},
	{13, NOWHERE, 72, 0, 8, 70, ENTRY_BELOW_SHIM, 68, 112, 128, 92, 40, 56},
};

enum { OBJECT_TYPE = 8, TEXT_LENGTH = 16, TEXT_STATE = 32, OWNED_BY_C = 3 };

static const struct python_layout *layout;
static void *(*thread_state)(void);
static uint64_t code_type, text_type;

/* ---- reading memory; until the layout is verified, through the kernel, which cannot crash ---- */

static bool verified;

typedef uint64_t loader(uint64_t address);

static inline uint64_t load(uint64_t address)
{
	return *(const uint64_t *)address;
}

static inline uint64_t load_carefully(uint64_t address)
{
	uint64_t value = 0;

	peek_memory(address, &value);
	return value;
}

static inline uint8_t load_byte(loader *load_word, uint64_t address)
{
	if (load_word == load)
		return *(const uint8_t *)address;
	return (uint8_t)(load_word(address & ~7ULL) >> (address & 7) * 8);
}

static inline bool is_of(loader *load_word, uint64_t object, uint64_t type)
{
	return object && load_word(object + OBJECT_TYPE) == type;
}

static inline uint64_t innermost_frame(const struct python_layout *at, loader *load_word)
{
	uint64_t state = (uint64_t)thread_state();

	if (state && at->thread_cframe != NOWHERE)
		state = load_word(state + at->thread_cframe);
	return state ? load_word(state + at->thread_frame) : 0;
}

static inline bool is_shim(const struct python_layout *at, loader *load_word, uint64_t frame)
{
	return at->entry == ENTRY_BELOW_SHIM &&
	       load_byte(load_word, frame + at->frame_entry) == OWNED_BY_C;
}

/* ---- functions, by the address of their code object ---- */

#define SLOTS (1u << 14)
#define ARENA_BYTES (8u << 20)
#define TEXT_MAX 255 /* the most bytes of a name or path that are kept */

static uint32_t slots[SLOTS];
static struct arena arena;

struct python_function *python_function(uint32_t number)
{
	return arena_at(&arena, number);
}

static char *put_utf8(char *to, uint32_t character)
{
	if (character < 0x80) {
		*to++ = (char)character;
		return to;
	}
	if (character >= 0x10000) {
		*to++ = (char)(0xf0 | character >> 18);
		*to++ = (char)(0x80 | (character >> 12 & 0x3f));
	} else if (character >= 0x800) {
		*to++ = (char)(0xe0 | character >> 12);
	}
	if (character >= 0x800)
		*to++ = (char)(0x80 | (character >> 6 & 0x3f));
	else
		*to++ = (char)(0xc0 | character >> 6);
	*to++ = (char)(0x80 | (character & 0x3f));
	return to;
}

/* Copies a Python string to `to`, with a NUL.  Of a string that is too long the end is kept,
 * because the end of a path says most.  Returns the position after the NUL. */
static char *copy_text(char *to, uint64_t text)
{
	uint64_t length = load(text + TEXT_LENGTH), i = 0;
	uint32_t state = (uint32_t)load(text + TEXT_STATE);
	unsigned width = state >> 2 & 7;
	bool is_compact = state >> 5 & 1, is_ascii = state >> 6 & 1;
	const char *end = to + TEXT_MAX - 4;
	const char *from =
		(const char *)(text + (is_ascii ? layout->text_ascii : layout->text_wide));

	if (length > TEXT_MAX / 4 && !is_ascii)
		i = length - TEXT_MAX / 4;
	else if (length > TEXT_MAX - 4)
		i = length - (TEXT_MAX - 4);
	for (; is_compact && i < length && to < end; i++)
		to = put_utf8(to, width == 1   ? ((const uint8_t *)from)[i]
				  : width == 2 ? ((const uint16_t *)from)[i]
					       : ((const uint32_t *)from)[i]);
	*to++ = 0;
	return to;
}

static APART uint32_t add_function(
	uint32_t *slot, uint64_t code, uint64_t name, uint64_t file, uint32_t line)
{
	char texts[2 * (TEXT_MAX + 1)];
	struct python_function *function;
	uint32_t number;
	size_t bytes;

	if (!is_of(load, name, text_type) || !is_of(load, file, text_type))
		return 0;
	bytes = (size_t)(copy_text(copy_text(texts, name), file) - texts);
	number = arena_take(&arena, sizeof(*function) + bytes);
	if (!number)
		return 0;
	function = python_function(number);
	*function = (struct python_function){code, name, file, line, 0, 0};
	memcpy(function->name_and_file, texts, bytes);
	function->next = __atomic_load_n(slot, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(
		slot, &function->next, number, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
	return number;
}

/* Another code object may get the address of a freed one: its name, file and line tell them apart.
 */
static inline uint32_t function_of(const struct python_layout *at, uint64_t code)
{
	uint64_t name = load(code + at->code_name), file = load(code + at->code_file);
	uint32_t line = (uint32_t)load(code + at->code_line);
	uint32_t *slot = &slots[code * 0x9e3779b97f4a7c15ULL >> 50];
	uint32_t number = __atomic_load_n(slot, __ATOMIC_ACQUIRE);

	while (number) {
		const struct python_function *known = python_function(number);

		if (known->code == code && known->name_object == name &&
			known->file_object == file && known->line == line)
			return number;
		number = known->next;
	}
	return add_function(slot, code, name, file, line);
}

/* ---- frames ---- */

/* Checks that the structs are as the version's headers say: every frame of this thread must have a
 * code object with a name and a file. */
static bool is_as_expected(void)
{
	uint64_t back;

	for (uint64_t frame = innermost_frame(layout, load_carefully); frame; frame = back) {
		uint64_t code = load_carefully(frame + layout->frame_code);

		back = load_carefully(frame + layout->frame_back);
		if (!is_shim(layout, load_carefully, frame) &&
			(!is_of(load_carefully, code, code_type) ||
				!is_of(load_carefully, load_carefully(code + layout->code_name),
					text_type) ||
				!is_of(load_carefully, load_carefully(code + layout->code_file),
					text_type)))
			return false;
	}
	return true;
}

/* Runs that check on the first thread that runs Python; if it fails, Python is left out for good.
 */
static APART bool verify(void)
{
	if (!innermost_frame(layout, load_carefully))
		return false;
	verified = is_as_expected();
	if (!verified)
		layout = NULL;
	return verified;
}

unsigned python_walk_loop(uint64_t *frames, unsigned max)
{
	const struct python_layout *at = layout;
	uint64_t frame, back, type = code_type;
	unsigned count = 0;
	bool shim, back_is_shim, entry;

	if (!at || (!verified && !verify()))
		return 0;
	frame = innermost_frame(at, load);
	shim = frame && is_shim(at, load, frame);
	for (; frame && count < max; frame = back, shim = back_is_shim) {
		uint64_t code = load(frame + at->frame_code);

		back = load(frame + at->frame_back);
		back_is_shim = back && is_shim(at, load, back);
		if (shim || !is_of(load, code, type))
			continue;
		entry = at->entry == ENTRY_BELOW_SHIM ? !back || back_is_shim
			: at->entry == ENTRY_FLAG     ? load_byte(load, frame + at->frame_entry)
						      : true;
		frames[count++] = function_of(at, code) | (entry ? PYTHON_ENTRY : 0);
	}
	return count;
}

/* ---- frames that are there again ---- */

/* Tells a code object from a freed one that had its address: by a number that the interpreter gives
 * to one alone as long as it has any, or else by name, file and line. */
static inline uint32_t identity_of(const struct python_layout *at, uint64_t code)
{
	uint64_t mixed = at->code_version == NOWHERE ? 0 : (uint32_t)load(code + at->code_version);

	if (mixed)
		return (uint32_t)mixed;
	mixed = load(code + at->code_name) * 31 + load(code + at->code_file);
	mixed = mixed * 31 + (uint32_t)load(code + at->code_line);
	return (uint32_t)(mixed * 0x9e3779b97f4a7c15ULL >> 32);
}

static inline bool says_entry(const struct python_layout *at, uint64_t frame)
{
	return at->entry == ENTRY_FLAG && load_byte(load, frame + at->frame_entry);
}

unsigned python_note(struct python_frame *frames, unsigned max)
{
	const struct python_layout *at = layout;
	unsigned count = 0;

	if (!at || !verified)
		return 0;
	for (uint64_t frame = innermost_frame(at, load); frame;
		frame = load(frame + at->frame_back), count++) {
		uint64_t code = load(frame + at->frame_code);
		bool has_function = !is_shim(at, load, frame) && is_of(load, code, code_type);

		if (count < max)
			frames[count] = (struct python_frame){.frame = frame,
				.code = code,
				.identity = has_function ? identity_of(at, code) : 0,
				.entry = says_entry(at, frame)};
	}
	return count;
}

bool python_is_noted(const struct python_frame *frames, unsigned count)
{
	const struct python_layout *at = layout;
	uint64_t frame;

	if (!at || !verified)
		return !at && !count;
	frame = innermost_frame(at, load);
	for (unsigned i = 0; i < count; i++) {
		uint64_t noted = frames[i].frame, address = noted;

		/* Reads by the noted address, not by that which the frame before has just given: so
		 * the processor need not wait for the one load to begin the next.  The compiler
		 * must not see that the two are equal. */
		__asm__("" : "+r"(address));
		if (frame != noted || load(address + at->frame_code) != frames[i].code ||
			(frames[i].identity &&
				identity_of(at, frames[i].code) != frames[i].identity) ||
			says_entry(at, address) != frames[i].entry)
			return false;
		frame = load(address + at->frame_back);
	}
	return !frame;
}

static unsigned minor_version(void)
{
	const char *(*version)(void) = (const char *(*)(void))dlsym(RTLD_DEFAULT, "Py_GetVersion");
	unsigned minor = 0;

	return version && sscanf(version(), "3.%u", &minor) == 1 ? minor : 0;
}

static void find_loop(void *function)
{
	const ElfW(Sym) *symbol = NULL;
	Dl_info info;

	if (!function || !dladdr1(function, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol)
		return;
	python_loop =
		(struct python_loop){(uint64_t)function, (uint64_t)function + symbol->st_size};
}

void python_start(void)
{
	unsigned minor = minor_version();

	for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++)
		if (layouts[i].minor == minor)
			layout = &layouts[i];
	if (!layout) {
		if (minor)
			log_debug("Python 3.%u: its functions are not named in call stacks", minor);
		return;
	}
	thread_state = (void *(*)(void))dlsym(RTLD_DEFAULT, "PyGILState_GetThisThreadState");
	code_type = (uint64_t)dlsym(RTLD_DEFAULT, "PyCode_Type");
	text_type = (uint64_t)dlsym(RTLD_DEFAULT, "PyUnicode_Type");
	find_loop(dlsym(RTLD_DEFAULT, "_PyEval_EvalFrameDefault"));
	if (!thread_state || !code_type || !text_type || !python_loop.begin ||
		!arena_make(&arena, ARENA_BYTES))
		layout = NULL;
}
