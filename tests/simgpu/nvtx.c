/* SPDX-License-Identifier: MIT */
/* A simulated libnvToolsExt.so.1 (NVTX 2), as it behaves without a tool. */
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT int nvtxRangePushA(const char *message);
EXPORT int nvtxRangePushA(const char *message)
{
	(void)message;
	return -2;
}

EXPORT int nvtxRangePop(void);
EXPORT int nvtxRangePop(void)
{
	return -2;
}

EXPORT uint64_t nvtxRangeStartA(const char *message);
EXPORT uint64_t nvtxRangeStartA(const char *message)
{
	(void)message;
	return 0;
}

EXPORT void nvtxRangeEnd(uint64_t id);
EXPORT void nvtxRangeEnd(uint64_t id)
{
	(void)id;
}
