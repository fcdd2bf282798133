/* SPDX-License-Identifier: MIT */
/* What became of replays, by kernel and by process. */
#include "analyzer/model/replays.h"

#include "tests/unit/analyzer/one_gpu.h"

static struct model_kernel *kernel_at(struct one_gpu *gpu, guint id)
{
	const struct model_process *process =
		&g_array_index(gpu->model.processes, struct model_process, 0);

	return table_slot(process->kernels, id);
}

static void replay(struct one_gpu *gpu, uint32_t kernel, uint64_t length_ns, uint64_t needed_ns)
{
	struct model_replay replay = {
		.span = {1000, 1000 + length_ns}, .kernel = kernel, .needed_ns = needed_ns};

	g_array_append_val(gpu->model.replays, replay);
}

static enum replays_outcome outcome(struct one_gpu *gpu, guint id)
{
	return replays_outcome(&gpu->model, kernel_at(gpu, id));
}

static void begin(struct one_gpu *gpu, guint kernels)
{
	one_gpu_begin(gpu, 1e6, 10e6, kernels);
	gpu->model.replays = g_array_new(FALSE, FALSE, sizeof(struct model_replay));
	one_gpu_set_source(gpu);
}

static void end(struct one_gpu *gpu)
{
	g_array_free(gpu->model.replays, TRUE);
	one_gpu_end(gpu);
}

static void outcomes(void **state)
{
	struct one_gpu gpu;

	(void)state;
	begin(&gpu, 4);
	replay(&gpu, 1, 0, 500);
	replay(&gpu, 2, 0, 0);
	replay(&gpu, 3, 700, 0);
	replay(&gpu, 0, 100, 0);
	assert_int_equal(outcome(&gpu, 1), REPLAYS_LEFT);
	assert_int_equal(outcome(&gpu, 2), REPLAYS_DONE);
	assert_int_equal(outcome(&gpu, 3), REPLAYS_DONE);
	assert_int_equal(outcome(&gpu, 4), REPLAYS_NONE);
	assert_int_equal(replays_needed_ns(&gpu.model, 0), 500 + 700 + 100);
	assert_int_equal(replays_needed_ns(&gpu.model, 1), 0);
	end(&gpu);
}

/* A kernel has another id where more is known of it. */
static void other_ids(void **state)
{
	struct one_gpu gpu;

	(void)state;
	begin(&gpu, 4);
	for (guint id = 2; id <= 4; id++)
		*kernel_at(&gpu, id) = *kernel_at(&gpu, 1);
	kernel_at(&gpu, 1)->code.shared_bytes = PWRTRACE_UNKNOWN_U32;
	kernel_at(&gpu, 2)->code.shared_bytes = 1024;
	kernel_at(&gpu, 3)->global[1] = 7;
	kernel_at(&gpu, 4)->local[2] = 7;
	replay(&gpu, 1, 0, 500);
	assert_int_equal(outcome(&gpu, 2), REPLAYS_LEFT);
	assert_int_equal(outcome(&gpu, 3), REPLAYS_NONE);
	assert_int_equal(outcome(&gpu, 4), REPLAYS_NONE);
	/* Left alone in one process, and replayed in another. */
	replay(&gpu, 2, 700, 0);
	assert_int_equal(outcome(&gpu, 1), REPLAYS_DONE);
	end(&gpu);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(outcomes),
		cmocka_unit_test(other_ids),
	};

	return cmocka_run_group_tests_name("replays", tests, NULL, NULL);
}
