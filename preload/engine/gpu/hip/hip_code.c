/* SPDX-License-Identifier: MIT */
/*
 * What the code of kernels needs and can reach, by name: from a profiler, or from code objects.
 * Code objects in memory are read when the program loads them.  Those in files, including the
 * program and its libraries, are read by the collector or before a replay, once a kernel is not
 * known yet.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preload/common/conf.h"
#include "preload/common/intern.h"
#include "preload/common/log.h"
#include "preload/engine/core/handles.h"
#include "preload/engine/core/loaded_modules.h"
#include "preload/engine/gpu/code/code_object.h"
#include "preload/engine/gpu/hip/hip.h"

/* ---- by name ---- */

static struct intern codes;    /* struct gpu_code */
static struct handles told_of; /* from a profiler, by the hash of the name */
static struct handles code_of; /* likewise, from code objects */

/* What a kernel can reach: ids of texts (gpu_add_name), 0: unknown. */
struct reach_ids {
	uint32_t arguments, variables, constants, calls_host;
};

static struct intern reaches;
static struct handles reach_of; /* likewise */

/* FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/ */
static const void *hash(const char *name, size_t bytes)
{
	uint64_t sum = 0xcbf29ce484222325;

	for (size_t i = 0; i < bytes; i++)
		sum = (sum ^ (uint8_t)name[i]) * 0x100000001b3;
	return (const void *)sum;
}

/* Returns whether there is an entry. */
static bool get(const struct handles *map, const void *key, struct gpu_code *code)
{
	uint32_t id = handles_get(map, key);

	*code = id ? *(const struct gpu_code *)intern_get(&codes, id)->bytes : GPU_CODE_UNKNOWN;
	return id != 0;
}

static void set(struct handles *map, const void *key, const struct gpu_code *code)
{
	handles_set(map, key, intern(&codes, code, sizeof(*code)));
}

void hip_code_tell(const char *name, const struct gpu_code *code)
{
	set(&told_of, hash(name, strlen(name)), code);
}

/* Returns a list that contains two lists of variables; 0 if either is unknown. */
static uint32_t both(uint32_t names, uint32_t others)
{
	uint32_t id = 0;
	char *all;

	if (!names || !others || strstr(gpu_name(names), gpu_name(others)))
		return others ? names : 0;
	if (asprintf(&all, "%s%s", gpu_name(names), gpu_name(others)) >= 0) {
		id = gpu_add_name(all);
		free(all);
	}
	return id;
}

/* Several code objects may have a kernel of the same name: the union of what they reach is kept. */
static void add_reach(const void *key, struct reach_ids reach)
{
	uint32_t id = handles_get(&reach_of, key);

	if (id) {
		const struct reach_ids *other = (const void *)intern_get(&reaches, id)->bytes;

		if (reach.arguments != other->arguments)
			reach.arguments = 0;
		reach.variables = both(other->variables, reach.variables);
		reach.constants |= other->constants;
		reach.calls_host |= other->calls_host;
	}
	handles_set(&reach_of, key, intern(&reaches, &reach, sizeof(reach)));
}

static struct reach_ids reach_by(const struct code_kernel *kernel)
{
	/* A list that fills the room may have been cut. */
	bool whole = strlen(kernel->arguments) + 1 < sizeof(kernel->arguments);

	return (struct reach_ids){whole ? gpu_add_name(kernel->arguments) : 0,
		kernel->variables ? gpu_add_name(kernel->variables) : 0, kernel->constants,
		kernel->calls_host};
}

static void seen(void *data, const struct code_kernel *kernel)
{
	const void *key = hash(kernel->name, kernel->name_bytes);
	struct gpu_code code = kernel->code;

	(void)data;
	if (*kernel->arguments)
		code.arguments = gpu_add_name(kernel->arguments);
	set(&code_of, key, &code);
	add_reach(key, reach_by(kernel));
}

/* ---- the processors of this machine ---- */

static struct code_targets targets;

/* Reads the processor of a node of Linux's amdkfd.  gfx_target_version is 90402 for gfx942 and
 * 90010 for gfx90a: major, minor and stepping, two digits each; 0 for a CPU.  Returns false after
 * the last node. */
static bool read_target(unsigned node)
{
	char path[512], line[128];
	unsigned version = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/class/kfd/kfd/topology/nodes/%u/properties", conf.sysfs,
		node);
	file = fopen(path, "re");
	if (!file)
		return false;
	while (fgets(line, sizeof(line), file) &&
		sscanf(line, "gfx_target_version %u", &version) != 1)
		;
	fclose(file);
	if (version)
		snprintf(targets.names[targets.count++], sizeof(targets.names[0]), "gfx%u%x%x",
			version / 10000, version / 100 % 100, version % 100);
	return targets.count < CODE_TARGETS_MAX;
}

static void read_targets(void)
{
	for (unsigned node = 0; read_target(node); node++)
		;
}

/* ---- code objects ---- */

static void say(enum code_result result, const char *where)
{
	static const char *const texts[] = {
		[CODE_COMPRESSED] = "are compressed (CCOB), which is not read",
		[CODE_VERSION_2] = "are of version 2, whose metadata is not read",
		[CODE_DAMAGED] = "are damaged",
		[CODE_AMBIGUOUS] = "are for several processors, and it is not known which is here",
	};
	static bool said[sizeof(texts) / sizeof(*texts)];

	if ((size_t)result >= sizeof(texts) / sizeof(*texts) || !texts[result] ||
		__atomic_exchange_n(&said[result], true, __ATOMIC_RELAXED))
		return;
	log_notice(
		"%s: code objects %s: what its kernels need stays unknown", where, texts[result]);
}

static void read_code(const struct code_source *source, const char *where)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, read_targets);
	say(code_read(source, &targets, seen, NULL), where);
}

void hip_code_in_memory(const void *image)
{
	struct code_source source = {.memory = image, .size = code_image_bytes(image)};
	int error = errno;

	read_code(&source, "an image in memory");
	errno = error;
}

static struct intern files; /* paths */

void hip_code_in_file(const char *path)
{
	char whole[PATH_MAX];
	int error = errno;

	if (realpath(path, whole))
		intern(&files, whole, strlen(whole));
	errno = error;
}

/* ---- for the collector and replays ---- */

static pthread_mutex_t reading = PTHREAD_MUTEX_INITIALIZER;

void hip_code_forked(void)
{
	reading = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

static void read_file(const char *path)
{
	struct code_source source = {.fd = open(path, O_RDONLY | O_CLOEXEC)};
	struct stat stat_of;

	if (source.fd < 0)
		return;
	if (fstat(source.fd, &stat_of) == 0 && S_ISREG(stat_of.st_mode)) {
		source.size = (uint64_t)stat_of.st_size;
		read_code(&source, path);
	}
	close(source.fd);
}

/* Runs under the loader's lock, for which exceptions of the program wait: so it must be quick. */
static int add_module(struct dl_phdr_info *info, size_t size, void *data)
{
	const char *path = info->dlpi_name;
	unsigned long long *adds = data;

	(void)size;
	if (*adds == info->dlpi_adds)
		return 1;
	if (*path == '/')
		intern(&files, path, strlen(path));
	else
		hip_code_in_file(*path ? path : "/proc/self/exe");
	return 0;
}

static int count_adds(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)size;
	*(unsigned long long *)data = info->dlpi_adds;
	return 1;
}

static void read_new_files(void)
{
	static unsigned long long adds;
	static uint32_t read;

	pthread_mutex_lock(&reading);
	loaded_modules_each(add_module, &adds);
	loaded_modules_each(count_adds, &adds);
	while (read < intern_count(&files))
		read_file(intern_get(&files, ++read)->bytes);
	pthread_mutex_unlock(&reading);
}

static void fill_in(uint32_t *number, uint32_t by)
{
	if (*number == PWRTRACE_UNKNOWN_U32)
		*number = by;
}

struct gpu_code hip_code(const char *name)
{
	const void *key = hash(name, strlen(name));
	struct gpu_code code, read;
	bool told = get(&told_of, key, &code);

	if (!get(&code_of, key, &read) && !told) {
		read_new_files();
		get(&code_of, key, &read);
	}
	fill_in(&code.registers, read.registers);
	fill_in(&code.scalar_registers, read.scalar_registers);
	fill_in(&code.accumulation_registers, read.accumulation_registers);
	fill_in(&code.shared_bytes, read.shared_bytes);
	fill_in(&code.scratch_bytes, read.scratch_bytes);
	fill_in(&code.kernarg_bytes, read.kernarg_bytes);
	fill_in(&code.wavefront_size, read.wavefront_size);
	code.arguments = read.arguments;
	return code;
}

bool hip_code_reach(const char *name, struct hip_reach *reach)
{
	const void *key = hash(name, strlen(name));
	const struct reach_ids *of;

	if (!handles_get(&reach_of, key))
		read_new_files();
	if (!handles_get(&reach_of, key))
		return false;
	of = (const void *)intern_get(&reaches, handles_get(&reach_of, key))->bytes;
	*reach = (struct hip_reach){of->arguments ? gpu_name(of->arguments) : NULL,
		of->variables ? gpu_name(of->variables) : NULL, of->constants, of->calls_host};
	return true;
}
