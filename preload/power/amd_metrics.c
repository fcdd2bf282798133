/* SPDX-License-Identifier: MIT */
#include "preload/power/amd_metrics.h"

#include <string.h>

#include "pwrtrace/units.h"

/* Where a number lies: bytes 0: nowhere. */
struct place {
	uint16_t offset;
	uint8_t bytes;
	uint8_t count; /* of several, the largest one counts; 0 is 1 */
};

struct layout {
	uint8_t format, content;
	uint16_t
		size; /* of the table, where that tells two layouts of one revision apart; else 0 */
	struct place metric[AMD_METRIC_COUNT];
	uint16_t mw;          /* per unit of power */
	uint8_t centi;        /* temperature and activity are in hundredths */
	uint16_t residencies; /* where the first one lies, 4 bytes each */
	uint8_t residency_count;
	uint8_t bits[AMD_RESIDENCIES_MAX]; /* of AMD_THROTTLE, one per residency */
};

/* v1: graphics cards.  Up to v1.3, then the data-centre GPUs. */
#define CARD                                                                                       \
	.mw = 1000, .metric[AMD_TEMPERATURE_C] = {6, 2}, .metric[AMD_SOCKET_MW] = {22, 2},         \
	.metric[AMD_GFX_PERCENT] = {16, 2}, .metric[AMD_MEMORY_PERCENT] = {18, 2},                 \
	.metric[AMD_ENERGY] = {24, 8}, .metric[AMD_GFX_MHZ] = {54, 2},                             \
	.metric[AMD_MEMORY_MHZ] = {58, 2}
#define ACCELERATOR                                                                                \
	.mw = 1000, .metric[AMD_TEMPERATURE_C] = {4, 2}, .metric[AMD_SOCKET_MW] = {10, 2},         \
	.metric[AMD_GFX_PERCENT] = {12, 2}, .metric[AMD_MEMORY_PERCENT] = {14, 2}
#define ACCELERATOR_CLOCKS(energy, stamp, clocks, memory)                                          \
	.metric[AMD_ENERGY] = {energy, 8}, .metric[AMD_STAMP] = {stamp, 8},                        \
	.metric[AMD_GFX_MHZ] = {clocks, 2, 8}, .metric[AMD_MEMORY_MHZ] = {memory, 2}

/* PROCHOT_GFX, PPT0, TEMP_HOTSPOT, TEMP_VR_GFX, TEMP_MEM */
#define ACCELERATOR_RESIDENCIES(offset)                                                            \
	.residencies = offset, .residency_count = 5, .bits = {47, 0, 36, 38, 34}

/* v2: APUs.  Units as the driver's own hwmon takes them, which v2.4 says too. */
#define APU                                                                                        \
	.mw = 1, .centi = 1, .metric[AMD_TEMPERATURE_C] = {4, 2},                                  \
	.metric[AMD_GFX_PERCENT] = {28, 2}, .metric[AMD_SOCKET_MW] = {40, 2},                      \
	.metric[AMD_CPU_MW] = {42, 2}, .metric[AMD_SOC_MW] = {44, 2},                              \
	.metric[AMD_GFX_MW] = {46, 2}, .metric[AMD_GFX_MHZ] = {76, 2},                             \
	.metric[AMD_MEMORY_MHZ] = {80, 2}

/*
 * The structs of the kernel's drivers/gpu/drm/amd/include/kgd_pp_interface.h, naturally aligned.
 * throttle_status means something else on each chip; indep_throttle_status does not.
 */
static const struct layout layouts[] = {
	{.format = 1,
		.content = 0,
		.mw = 1000,
		.metric = {[AMD_TEMPERATURE_C] = {18, 2},
			[AMD_GFX_PERCENT] = {28, 2},
			[AMD_MEMORY_PERCENT] = {30, 2},
			[AMD_SOCKET_MW] = {34, 2},
			[AMD_ENERGY] = {36, 4},
			[AMD_GFX_MHZ] = {54, 2},
			[AMD_MEMORY_MHZ] = {58, 2}}},
	{.format = 1, .content = 1, CARD},
	{.format = 1, .content = 2, CARD, .metric[AMD_STAMP] = {96, 8}},
	{.format = 1,
		.content = 3,
		CARD,
		.metric[AMD_STAMP] = {96, 8},
		.metric[AMD_THROTTLE] = {112, 8}},
	{.format = 1, .content = 4, ACCELERATOR, ACCELERATOR_CLOCKS(24, 232, 240, 280)},
	{.format = 1, .content = 5, ACCELERATOR, ACCELERATOR_CLOCKS(88, 304, 312, 352)},
	/* Linux 6.10 has this one, later kernels the next one. */
	{.format = 1,
		.content = 6,
		.size = 384,
		ACCELERATOR,
		ACCELERATOR_CLOCKS(88, 328, 336, 376),
		ACCELERATOR_RESIDENCIES(108)},
	{.format = 1,
		.content = 6,
		ACCELERATOR,
		ACCELERATOR_CLOCKS(16, 256, 264, 304),
		ACCELERATOR_RESIDENCIES(36)},
	{.format = 1,
		.content = 7,
		ACCELERATOR,
		ACCELERATOR_CLOCKS(24, 288, 296, 336),
		ACCELERATOR_RESIDENCIES(44)},
	{.format = 1,
		.content = 8,
		ACCELERATOR,
		ACCELERATOR_CLOCKS(24, 288, 296, 336),
		ACCELERATOR_RESIDENCIES(44)},
	{.format = 2,
		.content = 0,
		.mw = 1,
		.centi = 1,
		.metric = {[AMD_TEMPERATURE_C] = {16, 2},
			[AMD_GFX_PERCENT] = {40, 2},
			[AMD_SOCKET_MW] = {44, 2},
			[AMD_CPU_MW] = {46, 2},
			[AMD_SOC_MW] = {48, 2},
			[AMD_GFX_MW] = {50, 2},
			[AMD_GFX_MHZ] = {80, 2},
			[AMD_MEMORY_MHZ] = {84, 2}}},
	{.format = 2, .content = 1, APU},
	{.format = 2, .content = 2, APU, .metric[AMD_THROTTLE] = {120, 8}},
	{.format = 2, .content = 3, APU, .metric[AMD_THROTTLE] = {120, 8}},
	{.format = 2, .content = 4, APU, .metric[AMD_THROTTLE] = {120, 8}},
	/* Its activity is in percent or in hundredths of that, depending on the firmware. */
	{.format = 3,
		.content = 0,
		.mw = 1,
		.centi = 1,
		.metric = {[AMD_TEMPERATURE_C] = {4, 2},
			[AMD_SOCKET_MW] = {112, 4},
			[AMD_GFX_MW] = {124, 4},
			[AMD_CPU_MW] = {132, 4},
			[AMD_GFX_MHZ] = {174, 2},
			[AMD_MEMORY_MHZ] = {186, 2}},
		/* PROCHOT_CPU, SPL, FPPT, SPPT, TEMP_CORE, TEMP_GPU, TEMP_SOC */
		.residencies = 228,
		.residency_count = 7,
		.bits = {46, 4, 5, 6, 33, 32, 37}},
};

/* v1.9 is a list of attributes: amdgpu_metrics_attr_id of the same header. */
static const struct {
	unsigned int id;
	enum amd_metric metric;
} attributes[] = {
	{0, AMD_TEMPERATURE_C},
	{3, AMD_SOCKET_MW},
	{4, AMD_GFX_PERCENT},
	{5, AMD_MEMORY_PERCENT},
	{7, AMD_ENERGY},
	{32, AMD_STAMP},
	{33, AMD_GFX_MHZ},
	{37, AMD_MEMORY_MHZ},
};

#define FIRST_RESIDENCY_ID 10 /* prochot, ppt, socket, regulators, memory */

static const struct layout attribute_layout = {.mw = 1000, ACCELERATOR_RESIDENCIES(0)};

/* The tables are those of the machine they come from: little-endian ones. */
static uint64_t number_at(const uint8_t *bytes, size_t width)
{
	uint64_t number = 0, ones = width < 8 ? (UINT64_C(1) << 8 * width) - 1 : UINT64_MAX;

	for (size_t i = 0; i < width; i++)
		number |= (uint64_t)bytes[i] << 8 * i;
	return number == ones ? PWRTRACE_UNKNOWN_U64 : number;
}

static uint64_t largest_at(const uint8_t *bytes, size_t width, size_t count)
{
	uint64_t largest = PWRTRACE_UNKNOWN_U64;

	for (size_t i = 0; i < count; i++) {
		uint64_t number = number_at(bytes + i * width, width);

		if (number != PWRTRACE_UNKNOWN_U64 &&
			(largest == PWRTRACE_UNKNOWN_U64 || number > largest))
			largest = number;
	}
	return largest;
}

static void take_layout(
	struct amd_metrics *metrics, const struct layout *layout, const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < AMD_METRIC_COUNT; i++) {
		const struct place *place = &layout->metric[i];
		size_t count = place->count ? place->count : 1;

		if (place->bytes && place->offset + place->bytes * count <= size)
			metrics->value[i] = largest_at(bytes + place->offset, place->bytes, count);
	}
	for (size_t i = 0; i < layout->residency_count; i++)
		if (layout->residencies + 4 * (i + 1) <= size)
			metrics->residency[i] = number_at(bytes + layout->residencies + 4 * i, 4);
}

static void take_attribute(
	struct amd_metrics *metrics, size_t id, const uint8_t *bytes, size_t width, size_t count)
{
	size_t residency = id - FIRST_RESIDENCY_ID;

	for (size_t i = 0; i < sizeof(attributes) / sizeof(*attributes); i++)
		if (attributes[i].id == id)
			metrics->value[attributes[i].metric] = largest_at(bytes, width, count);
	if (residency < attribute_layout.residency_count)
		metrics->residency[residency] = number_at(bytes, width);
}

/* Each is what and how many it is, in 64 bits, and then the numbers. */
static int take_attributes(struct amd_metrics *metrics, const uint8_t *bytes, size_t size)
{
	size_t offset = 8;

	for (uint64_t left = number_at(bytes + 4, 4); left; left--) {
		uint64_t encoding;
		size_t count, width;

		if (offset + 8 > size)
			return -1;
		encoding = number_at(bytes + offset, 8);
		count = encoding & 0x3ff;
		width = (size_t)1 << (encoding >> 21 & 0x7); /* types: u8, s8, u16 ... s64 */
		offset += 8;
		if (width > 8 || offset + width * count > size)
			return -1;
		take_attribute(metrics, encoding >> 10 & 0x3ff, bytes + offset, width, count);
		offset += width * count;
	}
	return 0;
}

static void scale(uint64_t *value, uint64_t factor, uint64_t divisor)
{
	if (*value != PWRTRACE_UNKNOWN_U64)
		*value = *value * factor / divisor;
}

static void set_units(struct amd_metrics *metrics, const struct layout *layout)
{
	static const enum amd_metric powers[] = {AMD_SOCKET_MW, AMD_GFX_MW, AMD_CPU_MW, AMD_SOC_MW};

	for (size_t i = 0; i < sizeof(powers) / sizeof(*powers); i++)
		scale(&metrics->value[powers[i]], layout->mw, 1);
	if (!layout->centi)
		return;
	scale(&metrics->value[AMD_TEMPERATURE_C], 1, 100);
	scale(&metrics->value[AMD_GFX_PERCENT], 1, 100);
}

uint64_t amd_metrics_throttle(const struct amd_metrics *now, const struct amd_metrics *before)
{
	uint64_t reasons = now->value[AMD_THROTTLE];

	for (size_t i = 0; i < now->residency_count; i++) {
		if (now->residency[i] == PWRTRACE_UNKNOWN_U64 ||
			before->residency[i] == PWRTRACE_UNKNOWN_U64)
			continue;
		reasons = reasons == PWRTRACE_UNKNOWN_U64 ? 0 : reasons;
		if (now->residency[i] != before->residency[i])
			reasons |= UINT64_C(1) << now->bits[i];
	}
	return reasons;
}

static const struct layout *layout_of(unsigned int format, unsigned int content, size_t size)
{
	for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++)
		if (layouts[i].format == format && layouts[i].content == content &&
			(!layouts[i].size || layouts[i].size == size))
			return &layouts[i];
	return NULL;
}

int amd_metrics_decode(struct amd_metrics *metrics, const void *table, size_t size)
{
	const uint8_t *bytes = table;
	const struct layout *layout = NULL;
	bool listed;

	*metrics = (struct amd_metrics){0};
	memset(metrics->value, 0xff, sizeof(metrics->value));
	memset(metrics->residency, 0xff, sizeof(metrics->residency));
	if (size < 8)
		return -1;
	metrics->format = bytes[2];
	metrics->content = bytes[3];
	metrics->apu = metrics->format > 1;
	listed = metrics->format == 1 && metrics->content == 9;
	layout = listed ? &attribute_layout
			: layout_of(metrics->format, metrics->content, number_at(bytes, 2));
	if (!layout || number_at(bytes, 2) > size)
		return -1;
	if (!listed)
		take_layout(metrics, layout, bytes, size);
	else if (take_attributes(metrics, bytes, size))
		return -1;
	set_units(metrics, layout);
	metrics->residency_count = layout->residency_count;
	metrics->bits = layout->bits;
	return 0;
}
