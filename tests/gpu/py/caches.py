# SPDX-License-Identifier: MIT
"""Kernels one after another, each on one set of tensors or on a ring of sets, so that what it finds in the device's
cache is known: all of it, or nothing where the ring is many times as large.

usage: caches.py RING_MB SECONDS [PAUSE_MS [PARTS]]
  PAUSE_MS: the pause after every 128 launches (1; 6 after those that draw most); PARTS: kernels do 1/PARTS of the work (1)
"""
import math
import sys
import time

from client import print_counts, torch_on_gpu

torch = torch_on_gpu()
BURST = 128
TURNS = 2
HEAVY = ("product", "attention")
ROWS = 4096 // (int(sys.argv[4]) if len(sys.argv) > 4 else 1)


def half(*shape):
    return torch.randn(*shape, device="cuda", dtype=torch.float16)


def single(*shape):
    return torch.randn(*shape, device="cuda")


def on(tensors, function):
    """What is launched, and how many bytes it reads and writes."""
    return (lambda: function(*tensors)), sum(tensor.numel() * tensor.element_size() for tensor in tensors)


def halves(count, function):
    return lambda: on([half(ROWS, 2048) for _ in range(count)], function)


# Each makes a set of tensors of its kernel.  What torch returns new lies in the same memory each time.
WORKS = {
    "add": lambda: on([half(ROWS, 1024) for _ in range(3)], lambda a, b, c: torch.add(a, b, out=c)),
    "relu": halves(2, lambda a, b: torch.clamp_min(a, 0, out=b)),
    "tanh": halves(2, lambda a, b: torch.tanh(a, out=b)),
    "to half": lambda: on([single(ROWS, 1024), half(ROWS, 1024)], lambda a, b: b.copy_(a)),
    "sum": lambda: on([single(2 * ROWS, 1024), single(2 * ROWS)], lambda a, b: torch.sum(a, 1, out=b)),
    "softmax": halves(2, lambda a, b: torch.softmax(a, 1, out=b)),
    "layer norm": halves(1, lambda a: torch.native_layer_norm(a, [2048], None, None, 1e-5)),
    "dropout": halves(1, lambda a: torch.native_dropout(a, 0.1, True)),
    "matrix by vector": lambda: on([half(ROWS, 4096), half(4096), half(ROWS)], lambda a, b, c: torch.mv(a, b, out=c)),
    "product": lambda: on([half(ROWS, 1024), half(1024, 1024), half(ROWS, 1024)], lambda a, b, c: torch.mm(a, b, out=c)),
    "attention": lambda: on([half(ROWS // 256, 16, 256, 64) for _ in range(3)], torch.nn.functional.scaled_dot_product_attention),
}


def ring_of(make, ring_bytes):
    first, size = make()
    return [first] + [make()[0] for _ in range(math.ceil(ring_bytes / size) - 1)]


def main():
    torch.manual_seed(1)
    ring_bytes, seconds = float(sys.argv[1]) * 1e6, float(sys.argv[2])
    given_ms = float(sys.argv[3]) if len(sys.argv) > 3 else None
    rings = {name: ring_of(make, ring_bytes) for name, make in WORKS.items()}
    launches = 0
    torch.cuda.synchronize()
    for _ in range(TURNS):
        for name, ring in rings.items():
            pause_ms = (6 if name in HEAVY else 1) if given_ms is None else given_ms
            end_s = time.monotonic() + seconds / TURNS / len(rings)
            while time.monotonic() < end_s:
                for i in range(BURST):
                    ring[(launches + i) % len(ring)]()
                launches += BURST
                torch.cuda.synchronize()
                time.sleep(pause_ms / 1e3)
            time.sleep(0.05)
    print_counts(launched=launches)


main()
