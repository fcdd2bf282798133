/* SPDX-License-Identifier: MIT */
/* HIP's devices and its version; all other files of HIP's use it. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preload/common/log.h"
#include "preload/common/uuid.h"
#include "preload/engine/gpu/hip/hip.h"

#define TEXT_BYTES 256

const struct engine_host *hip_host;

bool hip_succeeded(hipError_t result)
{
	if (result != hipSuccess && HIP(hipGetLastError))
		HIP(hipGetLastError)();
	return result == hipSuccess;
}

int hip_version(void)
{
	static int version;
	int now = __atomic_load_n(&version, __ATOMIC_RELAXED);

	if (!now && HIP(hipRuntimeGetVersion)) {
		HIP(hipRuntimeGetVersion)(&now);
		__atomic_store_n(&version, now, __ATOMIC_RELAXED);
	}
	return now;
}

int hip_ordinal(hipStream_t stream)
{
	int ordinal = -1;

	if ((uintptr_t)stream > (uintptr_t)STREAM_PER_THREAD && HIP(hipGetStreamDeviceId))
		return HIP(hipGetStreamDeviceId)(stream);
	if (!HIP(hipGetDevice) || HIP(hipGetDevice)(&ordinal) != hipSuccess)
		return -1;
	return ordinal;
}

/* The bytes of the UUID are the characters of the driver's unique_id of the card in hexadecimal
 * (ROCclr, rocdevice.cpp), or binary as with CUDA. */
static void write_uuid(char *text, const hipUUID *uuid)
{
	size_t digits = strnlen(uuid->bytes, sizeof(uuid->bytes));
	bool is_text = digits > 0;

	for (size_t i = 0; i < digits; i++)
		is_text &= isxdigit((unsigned char)uuid->bytes[i]) != 0;
	if (is_text) {
		sprintf(text, "GPU-%.16s", uuid->bytes);
		return;
	}
	uuid_write(text, uuid->bytes);
}

/* The texts go into a definition and are never freed. */
struct device_texts {
	char name[TEXT_BYTES];
	char pci[TEXT_BYTES];
	char uuid[TEXT_BYTES];
	char driver[32];
};

/* Partitions of a card (MI300's CPX, DPX and QPX modes) are devices of their own with different PCI
 * functions; the card and its sensors have function 0.  Changes the address to function 0.  Returns
 * whether it was a partition's. */
static bool is_partition(char *pci)
{
	char *dot = strrchr(pci, '.');

	if (!dot || strcmp(dot, ".0") == 0)
		return false;
	strcpy(dot, ".0");
	return true;
}

static void say_partitions(const char *pci)
{
	static char said[TEXT_BYTES];

	if (strcmp(said, pci) == 0)
		return;
	snprintf(said, sizeof(said), "%s", pci);
	log_notice("several HIP devices are partitions of one card, %s, whose sensors measure it "
		   "whole: what runs at the same time on them shares its power",
		pci);
}

static void fill_in(struct device_texts *texts, int ordinal)
{
	int version = hip_version();
	hipUUID uuid;

	if (HIP(hipDeviceGetName) &&
		HIP(hipDeviceGetName)(texts->name, TEXT_BYTES, ordinal) != hipSuccess)
		texts->name[0] = 0;
	if (HIP(hipDeviceGetPCIBusId) &&
		HIP(hipDeviceGetPCIBusId)(texts->pci, TEXT_BYTES, ordinal) != hipSuccess)
		texts->pci[0] = 0;
	/* In lower case as Linux writes it, to match the addresses of sensors. */
	for (char *c = texts->pci; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	if (is_partition(texts->pci))
		say_partitions(texts->pci);
	if (HIP(hipDeviceGetUuid) && HIP(hipDeviceGetUuid)(&uuid, ordinal) == hipSuccess)
		write_uuid(texts->uuid, &uuid);
	if (version)
		snprintf(texts->driver, sizeof(texts->driver), "HIP %d.%d.%d", version / 10000000,
			version / 100000 % 100, version % 100000);
}

static uint32_t add_device(int ordinal)
{
	static const struct device_texts none;
	struct device_texts *told = calloc(1, sizeof(*told));
	const struct device_texts *texts = told ? told : &none;
	struct pwrtrace_device definition;
	int units = 0;

	if (told)
		fill_in(told, ordinal);
	if (HIP(hipDeviceGetAttribute))
		HIP(hipDeviceGetAttribute)(&units, hipDeviceAttributeMultiprocessorCount, ordinal);
	/* Compared byte by byte, so that padding must be zero. */
	memset(&definition, 0, sizeof(definition));
	definition.compute_units = units ? (uint32_t)units : PWRTRACE_UNKNOWN_U32;
	definition.api = "hip";
	definition.kind = "gpu";
	definition.name = texts->name;
	definition.vendor = "AMD";
	definition.driver = texts->driver;
	definition.uuid = texts->uuid;
	definition.pci = texts->pci;
	return gpu_add_device(&definition);
}

uint32_t hip_device(int ordinal)
{
	static struct gpu_ordinals devices = {.add = add_device};

	return gpu_device_at(&devices, ordinal);
}

void *hip_place(int ordinal)
{
	return (void *)(intptr_t)(ordinal + 1);
}
