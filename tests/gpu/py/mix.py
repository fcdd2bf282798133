# SPDX-License-Identifier: MIT
"""Kernels of 20 µs to 1.7 ms with random data: each alone, or all in a random mix that changes.

usage: mix.py alone|mixed SECONDS [SEED [EMPHASIS]]
  EMPHASIS: on which kernels most of the time goes: balanced, compute, memory or short
"""
import random
import sys
import time

from client import print_counts, torch_on_gpu

torch = torch_on_gpu()
AHEAD_S = 0.05          # the most work that waits in the stream
PHASE_S = (0.05, 0.6)   # how long the odds of a mix last
EMPHASIZED = 4          # by how much the odds of these are higher
EMPHASES = {
    "balanced": (),
    "compute": ("product 8192", "product 4096", "attention"),
    "memory": ("relu", "add", "copy", "matrix by vector", "sum"),
    "short": ("product 2048", "sum", "tanh", "softmax"),
}


def bf16(*shape):
    return torch.randn(*shape, device="cuda", dtype=torch.bfloat16)


def product(size):
    a, b, c = bf16(size, size), bf16(size, size), bf16(size, size)
    return lambda: torch.mm(a, b, out=c)


def works():
    """Name and function of each; each launches one kernel or copy."""
    big, other = bf16(8192, 8192), bf16(8192, 8192)
    heads = [bf16(16, 16, 2048, 64) for _ in range(3)]
    matrix, vector, product_of = bf16(16384, 16384), bf16(16384), bf16(16384)
    sums = bf16(8192)
    return {
        "product 8192": product(8192),
        "product 4096": product(4096),
        "product 2048": product(2048),
        "softmax": lambda: torch.softmax(big, 1),
        "attention": lambda: torch.nn.functional.scaled_dot_product_attention(*heads),
        "relu": lambda: torch.clamp_min(big, 0, out=other),
        "tanh": lambda: torch.tanh(big, out=other),
        "add": lambda: torch.add(big, big, out=other),
        "sum": lambda: torch.sum(big, 1, out=sums),
        "matrix by vector": lambda: torch.mv(matrix, vector, out=product_of),
        "copy": lambda: other.copy_(big),
    }


def durations_s(functions):
    """How long one launch of each takes."""
    durations = []
    for function in functions:
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        for count in (5, 50):
            begin.record()
            for _ in range(count):
                function()
            end.record()
            torch.cuda.synchronize()
        durations.append(begin.elapsed_time(end) / 50 / 1e3)
    return durations


class Ahead:
    """Launches without running ahead of the device by more than twice AHEAD_S."""

    def __init__(self):
        self.queued_s, self.last, self.launches = 0.0, None, 0

    def launch(self, function, duration_s):
        function()
        self.launches += 1
        self.queued_s += duration_s
        if self.queued_s > AHEAD_S:
            if self.last:
                self.last.synchronize()
            self.last, self.queued_s = torch.cuda.Event(), 0.0
            self.last.record()


def alone(ahead, functions, costs_s, seconds):
    for function, cost_s in zip(functions, costs_s):
        end_s = time.monotonic() + seconds / len(functions)
        while time.monotonic() < end_s:
            ahead.launch(function, cost_s)
        torch.cuda.synchronize()


def mixed(ahead, functions, costs_s, seconds, odds_of, favours):
    """Odds of the time on the device, not of launches: else the longest would hide the others."""
    end_s = time.monotonic() + seconds
    while (now_s := time.monotonic()) < end_s:
        phase_end_s = now_s + odds_of.uniform(*PHASE_S)
        odds = [favour * odds_of.expovariate(1) ** 2 / cost_s for favour, cost_s in zip(favours, costs_s)]
        while time.monotonic() < phase_end_s:
            for which in odds_of.choices(range(len(functions)), odds, k=20):
                ahead.launch(functions[which], costs_s[which])
    torch.cuda.synchronize()


def main():
    torch.manual_seed(1)
    way, seconds = sys.argv[1], float(sys.argv[2])
    odds_of = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    emphasized = EMPHASES[sys.argv[4] if len(sys.argv) > 4 else "balanced"]
    named = works()
    functions = list(named.values())
    costs_s = durations_s(functions)
    ahead = Ahead()
    if way == "alone":
        alone(ahead, functions, costs_s, seconds)
    else:
        mixed(ahead, functions, costs_s, seconds, odds_of, [EMPHASIZED if name in emphasized else 1 for name in named])
    print_counts(launched=ahead.launches)


main()
