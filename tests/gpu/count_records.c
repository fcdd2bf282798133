/* SPDX-License-Identifier: MIT */
/*
 * What the device did, counted by CUPTI alone and without pwrtrace: the second opinion on programs
 * that cannot count for themselves.  Named in CUDA_INJECTION64_PATH, it writes the lines of
 * clients/client.h to $COUNT_RECORDS.PID at the end of each process that used CUDA.
 */
#include <cupti.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define BUFFER_BYTES (1 << 20)

/* Of single launches, and of nodes of graphs. */
static unsigned long kernels[2], memory[2], dropped;

/* Records of newer CUPTIs are longer, but their beginnings are the same. */
static void count(const CUpti_Activity *record)
{
	switch (record->kind) {
	case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
		kernels[((const CUpti_ActivityKernel9 *)record)->graphNodeId != 0]++;
		break;
	case CUPTI_ACTIVITY_KIND_MEMCPY:
		memory[((const CUpti_ActivityMemcpy5 *)record)->graphNodeId != 0]++;
		break;
	case CUPTI_ACTIVITY_KIND_MEMCPY2:
		memory[((const CUpti_ActivityMemcpyPtoP4 *)record)->graphNodeId != 0]++;
		break;
	case CUPTI_ACTIVITY_KIND_MEMSET:
		memory[((const CUpti_ActivityMemset4 *)record)->graphNodeId != 0]++;
		break;
	default:
		break;
	}
}

static void CUPTIAPI request(uint8_t **buffer, size_t *bytes, size_t *records)
{
	*buffer = aligned_alloc(64, BUFFER_BYTES);
	*bytes = *buffer ? BUFFER_BYTES : 0;
	*records = 0;
}

static void CUPTIAPI complete(
	CUcontext context, uint32_t stream, uint8_t *buffer, size_t bytes, size_t valid)
{
	CUpti_Activity *record = NULL;
	size_t lost = 0;

	(void)bytes;
	while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS)
		count(record);
	cuptiActivityGetNumDroppedRecords(context, stream, &lost);
	dropped += lost;
	free(buffer);
}

static void report(void)
{
	const char *prefix = getenv("COUNT_RECORDS");
	char path[4096];
	FILE *out;

	cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
	snprintf(path, sizeof(path), "%s.%d", prefix ? prefix : "count_records", (int)getpid());
	out = fopen(path, "w");
	if (!out)
		return;
	fprintf(out, "kernels=%lu memory=%lu node_kernels=%lu node_memory=%lu dropped=%lu\n",
		kernels[0], memory[0], kernels[1], memory[1], dropped);
	fclose(out);
}

int InitializeInjection(void);
int InitializeInjection(void)
{
	static const CUpti_ActivityKind kinds[] = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
		CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMCPY2,
		CUPTI_ACTIVITY_KIND_MEMSET};

	if (cuptiActivityRegisterCallbacks(request, complete) != CUPTI_SUCCESS)
		return 1;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		cuptiActivityEnable(kinds[i]);
	atexit(report);
	return 1;
}
