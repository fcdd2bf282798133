/* SPDX-License-Identifier: MIT */
/*
 * The ranges of ranges.h by NVIDIA's own header of NVTX 3, and what NVTX has beyond: domains,
 * registered strings, categories, payloads, wide strings, marks.
 */
#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>

#include <pwrtrace/pwrtrace.h>

#include "ranges.h"

static void push(const char *name)
{
	if (nvtxRangePushA(name) != NVTX_NO_PUSH_POP_TRACKING)
		fail("a push answers otherwise than without a tool");
}

static void pop(void)
{
	if (nvtxRangePop() != NVTX_NO_PUSH_POP_TRACKING)
		fail("a pop answers otherwise than without a tool");
}

static nvtxEventAttributes_t event_of(const char *name)
{
	return (nvtxEventAttributes_t){.version = NVTX_VERSION,
		.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
		.messageType = NVTX_MESSAGE_TYPE_ASCII,
		.message.ascii = name};
}

/* Each domain has its own stack. */
static void domains(void)
{
	nvtxDomainHandle_t one = nvtxDomainCreateA("one"), two = nvtxDomainCreateW(L"zwö");
	nvtxStringHandle_t text = nvtxDomainRegisterStringA(one, "registered");
	nvtxEventAttributes_t event = event_of("in one");

	nvtxDomainRangePushEx(one, &event);
	event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
	event.message.registered = text;
	nvtxDomainRangePushEx(two, &event);
	launch(small, NULL, 1);
	expect("one:in one/zwö:registered", 1);
	nvtxDomainRangePop(one);
	launch(small, NULL, 2);
	expect("zwö:registered", 2);
	nvtxRangePop();
	nvtxDomainRangePop(one);
	launch(small, NULL, 3);
	expect("zwö:registered", 3);
	nvtxDomainRangePop(two);
	launch_outside();
	nvtxDomainRangeEnd(two, nvtxDomainRangeStartEx(two, &event));
	nvtxDomainDestroy(one);
	/* Stale handles, and some that never were. */
	nvtxDomainRangePushEx((nvtxDomainHandle_t)0x7fff12345678, &event);
	launch(small, NULL, 4);
	nvtxDomainRangePop((nvtxDomainHandle_t)0x7fff12345678);
	expect("registered", 4);
	event.message.registered = (nvtxStringHandle_t)0x7fff12345678;
	nvtxRangePushEx(&event);
	launch(small, NULL, 5);
	nvtxRangePop();
	event.size = 8;
	nvtxRangePushEx(&event);
	launch(small, NULL, 6);
	nvtxRangePop();
	expect("(unnamed)", 5 + 6);
}

/* nvtx.sh looks for these in the trace. */
static void attributes(void)
{
	nvtxEventAttributes_t event = event_of("with payload");

	nvtxNameCategoryA(7, "seventh");
	event.category = 7;
	event.payloadType = NVTX_PAYLOAD_TYPE_INT32;
	event.payload.iValue = -42;
	nvtxRangePushEx(&event);
	launch(small, NULL, 1);
	nvtxRangePop();
	expect("with payload", 1);
	event = event_of("of no name");
	event.category = 9;
	nvtxRangePushEx(&event);
	launch(small, NULL, 1);
	expect("of no name", 1);
	nvtxRangePop();
	nvtxRangePushW(L"weit — ☃");
	launch(small, NULL, 2);
	nvtxRangePop();
	expect("weit — ☃", 2);
	nvtxMarkA("a mark");
	event = event_of("a mark with 2.5");
	event.payloadType = NVTX_PAYLOAD_TYPE_DOUBLE;
	event.payload.dValue = 2.5;
	nvtxDomainMarkEx(nvtxDomainCreateA("one"), &event);
	nvtxRangePushA(NULL);
	nvtxRangePop();
}

/* As torch.autograd.profiler.emit_nvtx names operators. */
static void operators(void)
{
	for (int i = 0; i < 50; i++) {
		char name[64];

		snprintf(name, sizeof(name), "aten::add, seq = %d, op_id = %d", i, 2 * i);
		nvtxRangePushA(name);
		launch(small, NULL, 1);
		nvtxRangePop();
	}
	expect("aten::add", 50);
	nvtxRangePushA("f(a, b)");
	launch(small, NULL, 1);
	nvtxRangePop();
	expect("f(a, b)", 1);
}

/* Whoever opened a layer closes it. */
static void two_sources(void)
{
	pwrtrace_push("api");
	nvtxRangePushA("nvtx");
	launch(small, NULL, 1);
	nvtxRangePop();
	nvtxRangePop();
	launch(small, NULL, 2);
	nvtxRangePushA("nvtx");
	pwrtrace_pop();
	launch(small, NULL, 3);
	nvtxRangePop();
	expect("api/nvtx", 1);
	expect("api", 2);
	expect("nvtx", 3);
}

int main(void)
{
	open_small();
	all_ranges(&(struct range_api){push, pop, nvtxRangeStartA, nvtxRangeEnd});
	domains();
	attributes();
	operators();
	two_sources();
	return end_ranges();
}
#else
#include <stdio.h>

int main(void)
{
	puts("skipped: nvtx3/nvToolsExt.h is not installed");
	return 77;
}
#endif
