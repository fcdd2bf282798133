/* SPDX-License-Identifier: MIT */
/* Tables as drivers write them (amd_tables.h), read back by the offsets of amd_metrics.c. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "preload/power/amd/amd_metrics.h"
#include "pwrtrace/units.h"
#include "tests/unit/preload/amd_tables.h"
#include "tests/unit/unit.h"

static uint8_t table[AMD_METRICS_MAX];

/* A table of all ones except the header, as the driver initializes it. */
static void *begin(size_t size, unsigned int format, unsigned int content)
{
	struct v1_0 *header = (void *)table;

	memset(table, 0xff, sizeof(table));
	header->structure_size = (uint16_t)size;
	header->format = (uint8_t)format;
	header->content = (uint8_t)content;
	return table;
}

static struct amd_metrics decode(size_t size)
{
	struct amd_metrics metrics;

	assert_int_equal(amd_metrics_decode(&metrics, table, size), 0);
	return metrics;
}

#define BEGIN(type, format, content) struct type *t = begin(sizeof(*t), format, content)
#define IS(metric, expected) assert_true(m.value[metric] == (uint64_t)(expected))
#define NOT_THERE(metric) IS(metric, PWRTRACE_UNKNOWN_U64)

static void nothing_is_there(const struct amd_metrics *metrics)
{
	for (size_t i = 0; i < AMD_METRIC_COUNT; i++)
		assert_true(metrics->value[i] == PWRTRACE_UNKNOWN_U64);
}

#define CHECK_CARD(type, content)                                                                  \
	do {                                                                                       \
		BEGIN(type, 1, content);                                                           \
		struct amd_metrics m = decode(sizeof(*t));                                         \
                                                                                                   \
		nothing_is_there(&m);                                                              \
		t->energy = 123456789;                                                             \
		t->socket = 301;                                                                   \
		t->temperature = 71;                                                               \
		t->gfx_activity = 98;                                                              \
		t->umc_activity = 33;                                                              \
		t->current_gfx = 2100;                                                             \
		t->current_u = 1250;                                                               \
		m = decode(sizeof(*t));                                                            \
		assert_false(m.apu);                                                               \
		IS(AMD_ENERGY, 123456789);                                                         \
		IS(AMD_SOCKET_MW, 301000);                                                         \
		IS(AMD_TEMPERATURE_C, 71);                                                         \
		IS(AMD_GFX_PERCENT, 98);                                                           \
		IS(AMD_MEMORY_PERCENT, 33);                                                        \
		IS(AMD_GFX_MHZ, 2100);                                                             \
		IS(AMD_MEMORY_MHZ, 1250);                                                          \
		NOT_THERE(AMD_STAMP);                                                              \
		NOT_THERE(AMD_THROTTLE);                                                           \
		NOT_THERE(AMD_GFX_MW);                                                             \
	} while (0)

static void cards(void **state)
{
	(void)state;
	CHECK_CARD(v1_0, 0);
	CHECK_CARD(v1_1, 1);
	CHECK_CARD(v1_2, 2);
	CHECK_CARD(v1_3, 3);
}

static void what_newer_tables_of_cards_add(void **state)
{
	struct amd_metrics m;

	(void)state;
	{
		BEGIN(v1_2, 1, 2);
		t->stamp = 0x123456789abcdef0;
		m = decode(sizeof(*t));
		IS(AMD_STAMP, 0x123456789abcdef0);
	}
	{
		BEGIN(v1_3, 1, 3);
		t->stamp = 77;
		t->throttle = UINT64_C(1) << 36;
		m = decode(sizeof(*t));
		IS(AMD_STAMP, 77);
		IS(AMD_THROTTLE, UINT64_C(1) << 36);
	}
}

#define CHECK_ACCELERATOR(type, content)                                                           \
	do {                                                                                       \
		BEGIN(type, 1, content);                                                           \
		struct amd_metrics m = decode(sizeof(*t));                                         \
                                                                                                   \
		nothing_is_there(&m);                                                              \
		t->energy = UINT64_C(1) << 40;                                                     \
		t->stamp = UINT64_C(1) << 41;                                                      \
		t->socket = 749;                                                                   \
		t->temperature = 85;                                                               \
		t->gfx_activity = 100;                                                             \
		t->umc_activity = 41;                                                              \
		t->current_gfx[0] = 1700;                                                          \
		t->current_gfx[5] = 2100; /* six dies of eight */                                  \
		t->current_u = 1300;                                                               \
		m = decode(sizeof(*t));                                                            \
		IS(AMD_ENERGY, UINT64_C(1) << 40);                                                 \
		IS(AMD_STAMP, UINT64_C(1) << 41);                                                  \
		IS(AMD_SOCKET_MW, 749000);                                                         \
		IS(AMD_TEMPERATURE_C, 85);                                                         \
		IS(AMD_GFX_PERCENT, 100);                                                          \
		IS(AMD_MEMORY_PERCENT, 41);                                                        \
		IS(AMD_GFX_MHZ, 2100);                                                             \
		IS(AMD_MEMORY_MHZ, 1300);                                                          \
	} while (0)

static void accelerators(void **state)
{
	(void)state;
	CHECK_ACCELERATOR(v1_4, 4);
	CHECK_ACCELERATOR(v1_5, 5);
	CHECK_ACCELERATOR(v1_6_of_6_10, 6);
	CHECK_ACCELERATOR(v1_6, 6);
	CHECK_ACCELERATOR(v1_7, 7);
	CHECK_ACCELERATOR(v1_7, 8); /* the same up to what we need */
}

#define CHECK_RESIDENCIES(type, content)                                                           \
	do {                                                                                       \
		BEGIN(type, 1, content);                                                           \
		struct amd_metrics before, m;                                                      \
                                                                                                   \
		before = decode(sizeof(*t));                                                       \
		assert_true(amd_metrics_throttle(&before, &before) == PWRTRACE_UNKNOWN_U64);       \
		for (size_t i = 0; i < 5; i++)                                                     \
			t->residency[i] = 1000;                                                    \
		before = decode(sizeof(*t));                                                       \
		assert_true(amd_metrics_throttle(&before, &before) == 0);                          \
		t->residency[1]++;                                                                 \
		t->residency[4]++;                                                                 \
		m = decode(sizeof(*t));                                                            \
		assert_true(amd_metrics_throttle(&m, &before) == (1 | UINT64_C(1) << 34));         \
	} while (0)

static void what_throttled_follows_from_for_how_long(void **state)
{
	(void)state;
	CHECK_RESIDENCIES(v1_6_of_6_10, 6);
	CHECK_RESIDENCIES(v1_6, 6);
	CHECK_RESIDENCIES(v1_7, 7);
	CHECK_RESIDENCIES(v1_7, 8);
}

#define CHECK_APU(type, content)                                                                   \
	do {                                                                                       \
		BEGIN(type, 2, content);                                                           \
		struct amd_metrics m = decode(sizeof(*t));                                         \
                                                                                                   \
		nothing_is_there(&m);                                                              \
		t->temperature = 6512;                                                             \
		t->gfx_activity = 9700;                                                            \
		t->socket = 28001;                                                                 \
		t->cpu = 8002;                                                                     \
		t->soc_power = 3003;                                                               \
		t->gfx = 15004;                                                                    \
		t->current_gfx = 1600;                                                             \
		t->current_u = 800;                                                                \
		m = decode(sizeof(*t));                                                            \
		assert_true(m.apu);                                                                \
		IS(AMD_TEMPERATURE_C, 65);                                                         \
		IS(AMD_GFX_PERCENT, 97);                                                           \
		IS(AMD_SOCKET_MW, 28001);                                                          \
		IS(AMD_CPU_MW, 8002);                                                              \
		IS(AMD_SOC_MW, 3003);                                                              \
		IS(AMD_GFX_MW, 15004);                                                             \
		IS(AMD_GFX_MHZ, 1600);                                                             \
		IS(AMD_MEMORY_MHZ, 800);                                                           \
		NOT_THERE(AMD_ENERGY);                                                             \
		NOT_THERE(AMD_STAMP);                                                              \
	} while (0)

#define CHECK_APU_THROTTLE(type, content)                                                          \
	do {                                                                                       \
		BEGIN(type, 2, content);                                                           \
		struct amd_metrics m;                                                              \
                                                                                                   \
		t->throttle = 0x20;                                                                \
		m = decode(sizeof(*t));                                                            \
		IS(AMD_THROTTLE, 0x20);                                                            \
	} while (0)

static void apus(void **state)
{
	(void)state;
	CHECK_APU(v2_0, 0);
	CHECK_APU(v2_1, 1);
	CHECK_APU(v2_2, 2);
	CHECK_APU(v2_3, 3);
	CHECK_APU(v2_4, 4);
	CHECK_APU_THROTTLE(v2_2, 2);
	CHECK_APU_THROTTLE(v2_3, 3);
	CHECK_APU_THROTTLE(v2_4, 4);
}

static void newer_apus(void **state)
{
	BEGIN(v3_0, 3, 0);
	struct amd_metrics m = decode(sizeof(*t)), before;

	(void)state;
	nothing_is_there(&m);
	t->temperature = 5999;
	t->socket = 120001;
	t->gfx = 70002;
	t->cpu = 40003;
	t->current_gfx = 2900;
	t->current_u = 1000;
	memset(t->residency, 0, sizeof(t->residency));
	before = decode(sizeof(*t));
	t->residency[3] = 5;
	m = decode(sizeof(*t));
	IS(AMD_TEMPERATURE_C, 59);
	IS(AMD_SOCKET_MW, 120001);
	IS(AMD_GFX_MW, 70002);
	IS(AMD_CPU_MW, 40003);
	IS(AMD_GFX_MHZ, 2900);
	IS(AMD_MEMORY_MHZ, 1000);
	assert_true(amd_metrics_throttle(&m, &before) == 1 << 6);
}

/* Types of amdgpu_metrics_attr_type. */
enum { U16 = 2, U32 = 4, U64 = 6 };

static size_t attribute(
	size_t at, unsigned int id, unsigned int type, unsigned int count, const void *values)
{
	uint64_t encoding = (uint64_t)type << 20 | (uint64_t)id << 10 | count;
	size_t width = (size_t)1 << type / 2;

	memcpy(table + at, &encoding, 8);
	memcpy(table + at + 8, values, width * count);
	return at + 8 + width * count;
}

static size_t fill_attributes(uint32_t power_residency)
{
	const uint16_t temperature = 88, socket = 1234, clocks[] = {1000, 65535, 2400};
	const uint64_t energy = UINT64_C(1) << 50, stamp = 99;
	size_t at = 8;
	uint32_t count = 7;

	begin(0, 1, 9);
	memcpy(table + 4, &count, 4);
	at = attribute(at, 0, U16, 1, &temperature);
	at = attribute(at, 300, U32, 3, table); /* something newer */
	at = attribute(at, 3, U16, 1, &socket);
	at = attribute(at, 7, U64, 1, &energy);
	at = attribute(at, 11, U32, 1, &power_residency);
	at = attribute(at, 32, U64, 1, &stamp);
	at = attribute(at, 33, U16, 3, clocks);
	memcpy(table, &(uint16_t){(uint16_t)at}, 2);
	return at;
}

static void a_list_of_attributes(void **state)
{
	size_t size = fill_attributes(10);
	struct amd_metrics before = decode(size), m;

	(void)state;
	m = decode(fill_attributes(11));
	IS(AMD_TEMPERATURE_C, 88);
	IS(AMD_SOCKET_MW, 1234000);
	IS(AMD_ENERGY, UINT64_C(1) << 50);
	IS(AMD_STAMP, 99);
	IS(AMD_GFX_MHZ, 2400);
	NOT_THERE(AMD_MEMORY_MHZ);
	assert_true(amd_metrics_throttle(&m, &before) == 1);
	for (size_t cut = 0; cut < size; cut++)
		assert_int_equal(amd_metrics_decode(&m, table, cut), -1);
}

static void what_is_not_known_is_refused(void **state)
{
	struct amd_metrics m;

	(void)state;
	begin(128, 1, 10);
	assert_int_equal(amd_metrics_decode(&m, table, 128), -1);
	assert_int_equal(m.content, 10);
	begin(128, 4, 0);
	assert_int_equal(amd_metrics_decode(&m, table, 128), -1);
	begin(sizeof(struct v1_3), 1, 3);
	assert_int_equal(amd_metrics_decode(&m, table, sizeof(struct v1_3) - 1), -1);
	assert_int_equal(amd_metrics_decode(&m, table, 4), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cards),
		cmocka_unit_test(what_newer_tables_of_cards_add),
		cmocka_unit_test(accelerators),
		cmocka_unit_test(what_throttled_follows_from_for_how_long),
		cmocka_unit_test(apus),
		cmocka_unit_test(newer_apus),
		cmocka_unit_test(a_list_of_attributes),
		cmocka_unit_test(what_is_not_known_is_refused),
	};

	return cmocka_run_group_tests_name("amd_metrics", tests, NULL, NULL);
}
