# SPDX-License-Identifier: MIT
"""What kernels take and draw whose data lie in the device's cache, and the same kernels whose data come from its
memory: a table.  It knows NVML and nothing of pwrtrace.

Each kernel is launched by CUDA graphs, on one set of tensors or on a ring of sets that no cache holds, in turns.

usage: cold_power.py [SECONDS]      of each measurement (0.8)
"""
import ctypes
import math
import sys
import time

from client import torch_on_gpu

torch = torch_on_gpu()
RING_BYTES = 600e6  # many times the cache
BURST_S = 0.004
TURNS = 2
nvml = ctypes.CDLL("libnvidia-ml.so.1")


def half(*shape):
    return torch.randn(*shape, device="cuda", dtype=torch.float16)


def single(*shape):
    return torch.randn(*shape, device="cuda")


def on(tensors, function):
    """What is launched, and how many bytes it reads and writes."""
    return (lambda: function(*tensors)), sum(tensor.numel() * tensor.element_size() for tensor in tensors)


def product(rows, columns, inner):
    return on([half(rows, inner), half(inner, columns), half(rows, columns)], lambda a, b, c: torch.mm(a, b, out=c))


PAUSE_S = 0.0005  # between bursts
LONG_PAUSE_S, HEAVY = 0.004, ("product 1024", "product 4096", "attention")  # which draw more than the device may

# Each makes a set of tensors of its kernel.
WORKS = {
    "add": lambda: on([half(4096, 1024) for _ in range(3)], lambda a, b, c: torch.add(a, b, out=c)),
    "relu": lambda: on([half(4096, 2048) for _ in range(2)], lambda a, b: torch.clamp_min(a, 0, out=b)),
    "tanh": lambda: on([half(4096, 2048) for _ in range(2)], lambda a, b: torch.tanh(a, out=b)),
    "to half": lambda: on([single(4096, 1024), half(4096, 1024)], lambda a, b: b.copy_(a)),
    "sum": lambda: on([single(8192, 1024), single(8192)], lambda a, b: torch.sum(a, 1, out=b)),
    "softmax": lambda: on([half(4096, 2048) for _ in range(2)], lambda a, b: torch.softmax(a, 1, out=b)),
    "layer norm": lambda: on([half(4096, 2048)], lambda a: torch.native_layer_norm(a, [2048], None, None, 1e-5)),
    "dropout": lambda: on([half(4096, 2048)], lambda a: torch.native_dropout(a, 0.1, True)),
    "matrix by vector": lambda: on([half(4096, 4096), half(4096), half(4096)], lambda a, b, c: torch.mv(a, b, out=c)),
    "product 1024": lambda: product(4096, 1024, 1024),
    "product 4096": lambda: product(4096, 1024, 4096),
    "attention": lambda: on([half(16, 16, 256, 64) for _ in range(3)], torch.nn.functional.scaled_dot_product_attention),
}


class Counter:
    """The device's energy, and its clock."""

    def __init__(self):
        self.device = ctypes.c_void_p()
        nvml.nvmlInit_v2()
        nvml.nvmlDeviceGetHandleByIndex_v2(0, ctypes.byref(self.device))

    def energy_j(self):
        energy_mj = ctypes.c_ulonglong()
        if nvml.nvmlDeviceGetTotalEnergyConsumption(self.device, ctypes.byref(energy_mj)):
            sys.exit("NVML does not tell the device's energy")
        return energy_mj.value / 1e3

    def clock_mhz(self):
        clock_mhz = ctypes.c_uint()
        return clock_mhz.value if not nvml.nvmlDeviceGetClockInfo(self.device, 1, ctypes.byref(clock_mhz)) else math.nan

    def at_tick(self, meanwhile):
        """When the counter moves next, and where it is then."""
        first_j = now_j = self.energy_j()
        while now_j == first_j:
            meanwhile()
            now_j = self.energy_j()
        return time.monotonic(), now_j


def graph_of(launches, count):
    launches[0]()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for i in range(count):
            launches[i % len(launches)]()
    return graph


def measure(counter, idle_w, graph, count, pause_s, seconds):
    """The time of a launch in us, the power while they run in W, idle power included, and the lowest clock in MHz."""
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    state = {"busy_s": 0.0, "launches": 0, "mhz": math.inf, "replays": 1}

    def burst():
        begin.record()
        for _ in range(state["replays"]):
            graph.replay()
        end.record()
        torch.cuda.synchronize()
        state["busy_s"] += begin.elapsed_time(end) / 1e3
        state["launches"] += state["replays"] * count
        state["mhz"] = min(state["mhz"], counter.clock_mhz())
        time.sleep(pause_s)

    burst()
    state["busy_s"] = 0.0
    burst()
    state["replays"] = max(1, round(BURST_S / state["busy_s"]))
    warm_until_s = time.monotonic() + seconds / 2
    while time.monotonic() < warm_until_s:
        burst()
    begin_s, begin_j = counter.at_tick(burst)
    state.update(busy_s=0.0, launches=0, mhz=math.inf)
    while time.monotonic() < begin_s + seconds:
        burst()
    end_s, end_j = counter.at_tick(burst)
    idle_j = idle_w * (end_s - begin_s - state["busy_s"])
    return 1e6 * state["busy_s"] / state["launches"], (end_j - begin_j - idle_j) / state["busy_s"], state["mhz"]


def idle_power_w(counter, seconds):
    """The power of a device that is awake, as between bursts."""
    x = single(1024)

    def short():
        x.add_(1)
        torch.cuda.synchronize()
        time.sleep(0.002)

    begin_s, begin_j = counter.at_tick(short)
    while time.monotonic() < begin_s + seconds:
        short()
    end_s, end_j = counter.at_tick(short)
    return (end_j - begin_j) / (end_s - begin_s)


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 0.8
    counter = Counter()
    idle_w = idle_power_w(counter, seconds)
    print(f"idle, awake: {idle_w:.0f} W")
    print(f"{'kernel':16} {'MB':>4} | {'cached us':>9} {'W':>5} | {'from memory us':>14} {'W':>5} | {'time':>6} {'power':>6} | lowest MHz")
    for name, make in WORKS.items():
        pause_s = LONG_PAUSE_S if name in HEAVY else PAUSE_S
        first, size = make()
        count = max(2, math.ceil(RING_BYTES / size))
        ring = [first] + [make()[0] for _ in range(count - 1)]
        sums = {"cached": [0, 0, math.inf], "memory": [0, 0, math.inf]}
        for _ in range(TURNS):
            for which, launches in (("cached", [first]), ("memory", ring)):
                time_us, power_w, mhz = measure(counter, idle_w, graph_of(launches, count), count, pause_s, seconds)
                total = sums[which]
                sums[which] = [total[0] + time_us / TURNS, total[1] + power_w / TURNS, min(total[2], mhz)]
        cached, memory = sums["cached"], sums["memory"]
        print(f"{name:16} {size / 1e6:4.0f} | {cached[0]:9.2f} {cached[1]:5.0f} | {memory[0]:14.2f} {memory[1]:5.0f} | "
              f"x{memory[0] / cached[0]:5.2f} x{memory[1] / cached[1]:5.2f} | {min(cached[2], memory[2]):.0f}", flush=True)


main()
