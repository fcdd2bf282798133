/* SPDX-License-Identifier: MIT */
#include "preload/record/torn.h"
#include "tests/unit/preload/tree.h"

#define PACKET_BYTES 4096
#define STREAM "ust/uid/0/64-bit/flow_0"

/* Writes a stream of packets, of which the torn one (numbered from 0) is cut short by 1000 bytes.
 */
static void write_stream(int packets, int torn)
{
	struct {
		uint32_t magic, unused[13];
		uint64_t packet_bits;
	} * head;
	char path[TREE_PATH_MAX], bytes[8 * PACKET_BYTES] = "";
	size_t size = 0;

	for (int i = 0; i < packets; i++) {
		head = (void *)(bytes + size);
		head->magic = 0xC1FC1FC1;
		head->packet_bits = PACKET_BYTES * 8;
		size += PACKET_BYTES - (i == torn ? 1000 : 0);
	}
	tree_path(path, STREAM);
	tree_write(path, bytes, size);
	tree_put("", "ust/uid/0/64-bit/index/flow_0.idx");
	tree_put("not packets", "ust/uid/0/64-bit/metadata");
}

static off_t size_of(const char *file)
{
	struct stat stat_of;
	char path[TREE_PATH_MAX];

	tree_path(path, "%s", file);
	return stat(path, &stat_of) ? -1 : stat_of.st_size;
}

/* Checks what is cut off, and that nothing is when it is looked at again. */
static void expect(uint64_t cut_off, off_t left)
{
	assert_int_equal(torn_cut_off(tree_root), cut_off);
	assert_int_equal(size_of(STREAM), left);
	assert_int_equal(size_of("ust/uid/0/64-bit/index/flow_0.idx"), cut_off ? -1 : 1);
	assert_int_equal(size_of("ust/uid/0/64-bit/metadata"), 12);
	assert_int_equal(torn_cut_off(tree_root), 0);
}

static void what_is_whole_stays(void **state)
{
	(void)state;
	write_stream(3, -1);
	expect(0, 3 * PACKET_BYTES);
}

static void a_torn_end_goes(void **state)
{
	(void)state;
	write_stream(3, 2);
	expect(PACKET_BYTES - 1000, 2 * PACKET_BYTES);
}

static void what_follows_a_torn_packet_goes(void **state)
{
	(void)state;
	write_stream(4, 1);
	expect(3 * PACKET_BYTES - 1000, PACKET_BYTES);
}

static void nothing_stays_of_one_torn_packet(void **state)
{
	(void)state;
	write_stream(1, 0);
	expect(PACKET_BYTES - 1000, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(what_is_whole_stays),
		TREE_TEST(a_torn_end_goes),
		TREE_TEST(what_follows_a_torn_packet_goes),
		TREE_TEST(nothing_stays_of_one_torn_packet),
	};

	return cmocka_run_group_tests_name("torn", tests, NULL, NULL);
}
