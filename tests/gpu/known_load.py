# SPDX-License-Identifier: MIT
"""A load of an NVIDIA GPU whose activity is known, through the driver by ctypes: kernels that note when they ran."""
import ctypes
import random
import time
from collections import namedtuple
from ctypes import byref, c_char_p, c_int, c_size_t, c_uint32, c_uint64, c_void_p

MULTIPROCESSORS = 16  # CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT
THREADS = 1024
COPIED = 4 << 30
KERNEL_NS = 1_000_000
MAX_KERNELS = 1000

# A function of the module, and how many blocks it has on a device with so many multiprocessors.
Kind = namedtuple("Kind", "function blocks sm_share")
KINDS = {
    "fma": Kind("fma", lambda sms: sms, lambda sms: 1),
    "tensor": Kind("tensor", lambda sms: sms, lambda sms: 1),
    "copy": Kind("copy", lambda sms: 2 * sms, lambda sms: 1),
    "fma, half of the SMs": Kind("fma", lambda sms: sms // 2, lambda sms: (sms // 2) / sms),
    "fma, one SM": Kind("fma", lambda sms: 1, lambda sms: 1 / sms),
}

ENTRY = """
.visible .entry %s(.param .u64 begins, .param .u64 ends, .param .u32 slot, .param .u32 count,
                   .param .u64 source, .param .u64 target)
{
  .reg .pred %%p<4>; .reg .b32 %%r<32>; .reg .b64 %%d<16>; .reg .f32 %%f<32>;
  ld.param.u32 %%r1, [slot];
  ld.param.u64 %%d2, [begins];
  ld.param.u64 %%d3, [ends];
  ld.param.u32 %%r3, [count];
  ld.param.u64 %%d7, [source];
  ld.param.u64 %%d8, [target];
  cvta.to.global.u64 %%d2, %%d2;
  cvta.to.global.u64 %%d3, %%d3;
  cvta.to.global.u64 %%d7, %%d7;
  cvta.to.global.u64 %%d8, %%d8;
  mul.wide.u32 %%d1, %%r1, 8;
  add.u64 %%d2, %%d2, %%d1;
  add.u64 %%d3, %%d3, %%d1;
  mov.u32 %%r2, %%tid.x;
  setp.ne.u32 %%p1, %%r2, 0;
  @%%p1 bra BEGUN;
  mov.u64 %%d4, %%globaltimer;
  red.global.min.u64 [%%d2], %%d4;
BEGUN:
%s
  bar.sync 0;
  @%%p1 bra DONE;
  mov.u64 %%d4, %%globaltimer;
  red.global.max.u64 [%%d3], %%d4;
DONE:
  ret;
}
"""

# The last store never happens, but the compiler cannot know.
COUNTED = """
  mov.u32 %%r4, 0;
AGAIN:
%s
  add.u32 %%r4, %%r4, 1;
  setp.lt.u32 %%p2, %%r4, %%r3;
  @%%p2 bra AGAIN;
%s
  setp.ne.f32 %%p3, %%f0, 0f4B123456;
  @%%p3 bra KEPT;
  st.global.f32 [%%d8], %%f0;
KEPT:
"""

COPY = """
  mov.u32 %r4, %ntid.x;
  mov.u32 %r5, %ctaid.x;
  mad.lo.u32 %r6, %r5, %r4, %r2;
  mov.u32 %r7, %nctaid.x;
  mul.lo.u32 %r7, %r7, %r4;
AGAIN:
  setp.ge.u32 %p2, %r6, %r3;
  @%p2 bra KEPT;
  mul.wide.u32 %d9, %r6, 16;
  add.u64 %d10, %d7, %d9;
  add.u64 %d11, %d8, %d9;
  ld.global.v4.u32 {%r8, %r9, %r10, %r11}, [%d10];
  st.global.v4.u32 [%d11], {%r8, %r9, %r10, %r11};
  add.u32 %r6, %r6, %r7;
  bra AGAIN;
KEPT:
"""


def fma_body():
    start = "\n".join(f"  add.u32 %r5, %r2, {at};\n  cvt.rn.f32.u32 %f{at}, %r5;" for at in range(8))
    start += "\n  cvt.rn.f32.u32 %f8, %r3;\n  rcp.approx.f32 %f8, %f8;\n  mov.f32 %f9, %f8;"
    step = "\n".join(f"  fma.rn.f32 %f{at}, %f{at}, %f8, %f9;" for at in range(8))
    return start + COUNTED % ("\n".join([step] * 4), sums(8))


def tensor_body():
    start = "\n".join(f"  mov.f32 %f{at}, 0f00000000;" for at in range(16))
    # Halves below 1 of mixed bits.
    start += "".join(f"\n  mul.lo.u32 %r{at}, %r2, {2654435761 + 97 * at & 0x7fffffff};"
                     f"\n  and.b32 %r{at}, %r{at}, 0x3bff3bff;" for at in range(10, 16))
    step = "".join(f"""
  mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {{{many}}}, {{%r10, %r11, %r12, %r13}}, {{%r14, %r15}}, {{{many}}};"""
                   for many in (", ".join(f"%f{4 * of + at}" for at in range(4)) for of in range(4)))
    return start + COUNTED % (step, sums(16))


def sums(count):
    return "\n".join(f"  add.f32 %f0, %f0, %f{at};" for at in range(1, count))


def module():
    head = ".version 7.0\n.target sm_80\n.address_size 64\n"
    return head + "".join(ENTRY % of for of in (("fma", fma_body()), ("tensor", tensor_body()), ("copy", COPY)))


class NvidiaError(Exception):
    """A call of one of NVIDIA's libraries was refused, or is not there."""


def say(text):
    print(text, flush=True)


def load_library(*names):
    """The first of names that can be loaded.  Give it a describe(code) before use."""
    for name in names:
        try:
            return ctypes.CDLL(name)
        except OSError as error:
            missing = error
    raise NvidiaError(f"no library: {missing}")


said = set()


def check(library, name, *arguments):
    """Calls name, says what it returned where that is new, and raises NvidiaError unless it is 0."""
    try:
        function = getattr(library, name)
    except AttributeError:
        raise NvidiaError(f"{name} is not in {library._name}") from None
    code = function(*arguments)
    if (name, code) not in said:
        said.add((name, code))
        say(f"  {name}: {code} {library.describe(code)}")
    if code:
        raise NvidiaError(f"{name}: {code} {library.describe(code)}")


class Load:
    """The load, on device 0."""

    def __init__(self):
        self.cuda = load_library("libcuda.so.1")

        def describe(code):
            text = c_char_p()
            self.cuda.cuGetErrorName(code, byref(text))
            return text.value.decode() if text.value else "?"

        self.cuda.describe = describe
        device, context, count = c_int(), c_void_p(), c_int()
        self.call("cuInit", 0)
        self.call("cuDeviceGet", byref(device), 0)
        self.call("cuDeviceGetAttribute", byref(count), MULTIPROCESSORS, device)
        self.call("cuDevicePrimaryCtxRetain", byref(context), device)
        self.call("cuCtxSetCurrent", context)
        self.sms, self.functions, loaded = count.value, {}, c_void_p()
        self.call("cuModuleLoadData", byref(loaded), c_char_p(module().encode()))
        for kind in KINDS.values():
            function = self.functions[kind.function] = c_void_p()
            self.call("cuModuleGetFunction", byref(function), loaded, kind.function.encode())
        self.begins, self.ends, self.source, self.target = (
            self.allocate(size) for size in (8 * MAX_KERNELS, 8 * MAX_KERNELS, COPIED, COPIED))
        self.epoch_ns = 0
        self.counts = {kind: COPIED // 16 if kind == "copy" else 20_000 for kind in KINDS}
        self.calibrate()
        self.epoch_ns = self.run(list(KINDS))[0][1]
        # Stretches of one kind, so that longer intervals differ too.
        rng = random.Random(1)
        self.order = [kind for _ in range(8) for kind in rng.sample(list(KINDS), len(KINDS))
                      for _ in range(rng.randint(1, 9))]
        self.seconds = len(self.order) * KERNEL_NS / 1e9
        say(f"  {self.sms} SMs; {len(self.order)} kernels take {Load.duration_ns(self.run()) / 1e6:.1f} ms")

    def calibrate(self):
        """Lets a kernel of each kind take about KERNEL_NS, on a warm device."""
        for _ in range(3):
            taken = {kind: end - begin for kind, begin, end in self.run(list(KINDS) * 4)}
            for kind, count in self.counts.items():
                count = max(1, int(count * KERNEL_NS / max(taken[kind], 1)))
                self.counts[kind] = min(count, COPIED // 16) if kind == "copy" else count

    def call(self, name, *arguments):
        check(self.cuda, name, *arguments)

    def allocate(self, size):
        memory = c_uint64()
        self.call("cuMemAlloc_v2", byref(memory), c_size_t(size))
        return memory

    def start(self, kind, slot, count):
        arguments = (self.begins, self.ends, c_uint32(slot), c_uint32(count), self.source, self.target)
        places = (c_void_p * len(arguments))(*(ctypes.addressof(argument) for argument in arguments))
        self.call("cuLaunchKernel", self.functions[KINDS[kind].function], KINDS[kind].blocks(self.sms), 1, 1, THREADS,
                  1, 1, 0, None, places, None)

    def clear(self):
        self.call("cuMemsetD8_v2", self.begins, 0xff, c_size_t(8 * MAX_KERNELS))
        self.call("cuMemsetD8_v2", self.ends, 0, c_size_t(8 * MAX_KERNELS))
        self.call("cuCtxSynchronize")

    def times(self, count):
        columns = []
        for memory in (self.begins, self.ends):
            columns.append((c_uint64 * count)())
            self.call("cuMemcpyDtoH_v2", columns[-1], memory, c_size_t(8 * count))
        return zip(*columns)

    def run(self, order=None):
        """Runs the load, and returns its kernels: kind, begin and end in ns of the device's clock since self.epoch_ns."""
        order = order or self.order
        self.clear()
        for slot, kind in enumerate(order):
            self.start(kind, slot, self.counts[kind])
        self.call("cuCtxSynchronize")
        return [(kind, begin - self.epoch_ns, end - self.epoch_ns) for kind, (begin, end) in zip(order, self.times(len(order)))]

    def launch(self, count=5000):
        """What a launch of a short kernel takes, in ns."""
        begun = time.monotonic_ns()
        for _ in range(count):
            self.start("fma, one SM", MAX_KERNELS - 1, 1)
        self.call("cuCtxSynchronize")
        return (time.monotonic_ns() - begun) / count

    @staticmethod
    def duration_ns(kernels):
        """From the first begin to the last end."""
        return kernels[-1][2] - kernels[0][1]

    def device_lead_ns(self):
        """What is to be added to time.monotonic_ns() for times as of run, to some 10 us."""
        tries = []
        for _ in range(20):
            self.clear()
            begun = time.monotonic_ns()
            self.start("fma, one SM", 0, 1)
            self.call("cuCtxSynchronize")
            ended = time.monotonic_ns()
            (begin, end), = self.times(1)
            tries.append((ended - begun, (begin + end - begun - ended) / 2 - self.epoch_ns))
        return min(tries)[1]
