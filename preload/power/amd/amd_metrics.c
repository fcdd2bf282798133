/* SPDX-License-Identifier: MIT */
#include "preload/power/amd/amd_metrics.h"

#include <string.h>

#include "pwrtrace/units.h"

/* Where a number lies: bytes 0: nowhere. */
struct metrics_place {
	uint16_t offset;
	uint8_t bytes;
	uint8_t count; /* of several, the largest one counts */
};

struct metrics_layout {
	uint8_t format, content;
	uint16_t
		size; /* of the table, where that tells two layouts of one revision apart; else 0 */
	struct metrics_place metric[AMD_METRIC_COUNT];
	uint16_t mw;          /* per unit of power */
	uint8_t centi;        /* temperature and activity are in hundredths */
	uint16_t residencies; /* where the first one lies, 4 bytes each */
	uint8_t residency_count;
	uint8_t bits[AMD_RESIDENCIES_MAX]; /* of AMD_THROTTLE, one per residency */
};

#define NUMBERS(offset, bytes, count)                                                              \
	{                                                                                          \
		offset, bytes, count                                                               \
	}
#define U16(offset) NUMBERS(offset, 2, 1)
#define U32(offset) NUMBERS(offset, 4, 1)
#define U64(offset) NUMBERS(offset, 8, 1)

/* v1: graphics cards.  Up to v1.3, then the data-centre GPUs. */
#define CARD                                                                                       \
	.mw = 1000, .metric[AMD_TEMPERATURE_C] = U16(6), .metric[AMD_SOCKET_MW] = U16(22),         \
	.metric[AMD_GFX_PERCENT] = U16(16), .metric[AMD_MEMORY_PERCENT] = U16(18),                 \
	.metric[AMD_ENERGY] = U64(24), .metric[AMD_GFX_MHZ] = U16(54),                             \
	.metric[AMD_MEMORY_MHZ] = U16(58)
#define ACCELERATOR                                                                                \
	.mw = 1000, .metric[AMD_TEMPERATURE_C] = U16(4), .metric[AMD_SOCKET_MW] = U16(10),         \
	.metric[AMD_GFX_PERCENT] = U16(12), .metric[AMD_MEMORY_PERCENT] = U16(14)
#define ACCELERATOR_CLOCKS(energy, stamp, clocks, memory)                                          \
	.metric[AMD_ENERGY] = U64(energy), .metric[AMD_STAMP] = U64(stamp),                        \
	.metric[AMD_GFX_MHZ] = NUMBERS(clocks, 2, 8), .metric[AMD_MEMORY_MHZ] = U16(memory)

/* PROCHOT_GFX, PPT0, TEMP_HOTSPOT, TEMP_VR_GFX, TEMP_MEM */
#define ACCELERATOR_RESIDENCIES(offset)                                                            \
	.residencies = offset, .residency_count = 5, .bits = {47, 0, 36, 38, 34}

/* v2: APUs.  Units as the driver's own hwmon takes them, which v2.4 says too. */
#define APU                                                                                        \
	.mw = 1, .centi = 1, .metric[AMD_TEMPERATURE_C] = U16(4),                                  \
	.metric[AMD_GFX_PERCENT] = U16(28), .metric[AMD_SOCKET_MW] = U16(40),                      \
	.metric[AMD_CPU_MW] = U16(42), .metric[AMD_SOC_MW] = U16(44),                              \
	.metric[AMD_GFX_MW] = U16(46), .metric[AMD_GFX_MHZ] = U16(76),                             \
	.metric[AMD_MEMORY_MHZ] = U16(80)

/*
 * The structs of the kernel's drivers/gpu/drm/amd/include/kgd_pp_interface.h, naturally aligned.
 * throttle_status means something else on each chip; indep_throttle_status does not.
 */
static const struct metrics_layout layouts[] = {
	{.format = 1,
		.content = 0,
		.mw = 1000,
		.metric = {[AMD_TEMPERATURE_C] = U16(18),
			[AMD_GFX_PERCENT] = U16(28),
			[AMD_MEMORY_PERCENT] = U16(30),
			[AMD_SOCKET_MW] = U16(34),
			[AMD_ENERGY] = U32(36),
			[AMD_GFX_MHZ] = U16(54),
			[AMD_MEMORY_MHZ] = U16(58)}},
	{.format = 1, .content = 1, CARD},
	{.format = 1, .content = 2, CARD, .metric[AMD_STAMP] = U64(96)},
	{.format = 1,
		.content = 3,
		CARD,
		.metric[AMD_STAMP] = U64(96),
		.metric[AMD_THROTTLE] = U64(112)},
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
		.metric = {[AMD_TEMPERATURE_C] = U16(16),
			[AMD_GFX_PERCENT] = U16(40),
			[AMD_SOCKET_MW] = U16(44),
			[AMD_CPU_MW] = U16(46),
			[AMD_SOC_MW] = U16(48),
			[AMD_GFX_MW] = U16(50),
			[AMD_GFX_MHZ] = U16(80),
			[AMD_MEMORY_MHZ] = U16(84)}},
	{.format = 2, .content = 1, APU},
	{.format = 2, .content = 2, APU, .metric[AMD_THROTTLE] = U64(120)},
	{.format = 2, .content = 3, APU, .metric[AMD_THROTTLE] = U64(120)},
	{.format = 2, .content = 4, APU, .metric[AMD_THROTTLE] = U64(120)},
	/* Its activity is in percent or in hundredths of that, depending on the firmware. */
	{.format = 3,
		.content = 0,
		.mw = 1,
		.centi = 1,
		.metric = {[AMD_TEMPERATURE_C] = U16(4),
			[AMD_SOCKET_MW] = U32(112),
			[AMD_GFX_MW] = U32(124),
			[AMD_CPU_MW] = U32(132),
			[AMD_GFX_MHZ] = U16(174),
			[AMD_MEMORY_MHZ] = U16(186)},
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

static const struct metrics_layout attribute_layout = {.mw = 1000, ACCELERATOR_RESIDENCIES(0)};

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

static void take_layout(struct amd_metrics *metrics, const struct metrics_layout *layout,
	const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < AMD_METRIC_COUNT; i++) {
		const struct metrics_place *place = &layout->metric[i];

		if (place->bytes && place->offset + (size_t)place->bytes * place->count <= size)
			metrics->value[i] =
				largest_at(bytes + place->offset, place->bytes, place->count);
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

static void set_units(struct amd_metrics *metrics, const struct metrics_layout *layout)
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

static const struct metrics_layout *layout_of(
	unsigned int format, unsigned int content, size_t size)
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
	const struct metrics_layout *layout = NULL;
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
