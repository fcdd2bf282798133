#!/usr/bin/env python3
"""What grid, duration and kind of a kernel tell of its dynamic power.

usage: size_prior.py [--list] LIBRARY...

LIBRARY: pwrtrace library, of recordings in which kernels ran alone (--replay), all on devices of
compute capability 9.0, whose limits stand below.  For each candidate model this prints how well it
predicts the power of a kernel that it was not fitted to, and the coefficients by all of them.  Left
out are either the kernel alone or all shapes of its name; the spread of the prediction is that of
the kernels that it was fitted to.  Kernels known to worse than a tenth and 20 W are not used.
"""

import argparse
import json
import re
import sys

import numpy as np

UNITS, THREADS, SHARED, GROUPS = 132, 2048, 233472, 32
SPAN_W = 700 - 117  # limit less idle
KNOWN, KNOWN_W = 0.1, 20
SHORTEST_S = 5e-6  # shorter ones are fitted to, but errors are not relative to their power
FLOOR_W = 10
KINDS = ["other", "product", "one way", "transfer", "attention"]
FEW_VECTORS = re.compile(r"x8_64x")  # a product with them, which memory bounds
PRODUCT = re.compile(r"nvjet|gemm|cutlass|xmma|wgmma", re.I)
ONE_WAY = re.compile(r"FillFunctor|reduce_kernel", re.I)
ATTENTION = re.compile(r"flash|fmha|sdpa", re.I)
NAMES = [(4, ATTENTION), (0, FEW_VECTORS), (1, PRODUCT), (2, ONE_WAY)]  # indices of KINDS; the first counts


class Kernel:
    """What a kernel drew, in W, and what is known of it."""

    def __init__(self, told):
        self.name, self.kind = told["name"], told["kind"]
        self.seconds = told["median_ns"] / 1e9
        self.power_w, self.deviation_w = told["dynamic_w"], told["deviation_w"]
        self.threads = int(np.prod(told["block"])) or 1
        self.groups = max(1, int(np.prod(told["grid"])) // self.threads)
        fit = max(1, min(GROUPS, THREADS // self.threads, SHARED // (told["shared_bytes"] + 1024)))
        self.fill = min(1, self.groups / UNITS) if self.kind == "kernel" else 1
        self.waves = self.groups / (UNITS * fit) if self.kind == "kernel" else 1
        self.resident = min(1, min(fit, self.groups / UNITS) * self.threads / THREADS)
        self.resident = self.resident if self.kind == "kernel" else 1
        self.which = 3 if self.kind != "kernel" else \
            next((which for which, names in NAMES if names.search(self.name)), 0)


def kernels_of(path):
    with open(path, encoding="utf-8") as file:
        messages = json.load(file)["messages"]
    for told in (told for message in messages for told in message["classes"]):
        if told["kind"] in ("read", "write"):
            continue  # host memory and the bus decide about these
        if told["deviation_w"] < max(KNOWN_W, KNOWN * told["dynamic_w"]):
            yield Kernel(told)


def saturating(kernel, log_tau):
    return -np.log1p(np.exp(log_tau) / kernel.seconds)


# The parameters besides the level, and the logarithm of what they multiply it with.
MODELS = {
    "one mean": ([], lambda p, k: 0),
    "kind": (["product"], lambda p, k: p[0] * (k.which == 1)),
    "duration": (["log tau"], lambda p, k: saturating(k, p[0])),
    "duration, kind": (["log tau", "product"],
        lambda p, k: saturating(k, p[0]) + p[1] * (k.which == 1)),
    "duration, kind, one way": (["log tau", "product", "one way"],
        lambda p, k: saturating(k, p[0]) + p[1] * (k.which == 1) + p[2] * (k.which == 2)),
    "duration, kind, SMs": (["log tau", "product", "SMs"],
        lambda p, k: saturating(k, p[0]) + p[1] * (k.which == 1) + p[2] * np.log(k.fill)),
    "duration, kind, SMs, threads": (["log tau", "product", "SMs", "threads"],
        lambda p, k: saturating(k, p[0]) + p[1] * (k.which == 1) + p[2] * np.log(k.fill)
        + p[3] * np.log(k.resident)),
    "duration, kind, one way, SMs": (["log tau", "product", "one way", "SMs"],
        lambda p, k: saturating(k, p[0]) + p[1] * (k.which == 1) + p[2] * (k.which == 2)
        + p[3] * np.log(k.fill)),
    "duration, kind, one way, SMs, attention": (
        ["log tau", "product", "one way", "SMs", "attention"],
        lambda p, k: saturating(k, p[0]) + p[1] * (k.which == 1) + p[2] * (k.which == 2)
        + p[3] * np.log(k.fill) + p[4] * (k.which == 4)),
    "duration, kind, SMs, waves": (["log tau", "product", "SMs", "waves"],
        lambda p, k: saturating(k, p[0]) + p[1] * (k.which == 1) + p[2] * np.log(k.fill)
        - np.log1p(np.exp(p[3]) / k.waves)),
    "kind, SMs, power of duration": (["exponent", "product", "SMs"],
        lambda p, k: p[0] * np.log(k.seconds / 1e-5) + p[1] * (k.which == 1) + p[2] * np.log(k.fill)),
}
START = {"level": -0.5, "log tau": np.log(1e-5), "SMs": 0.5, "waves": -2}
WIDTH = {"log tau": 2, "waves": 2}


def predict(p, model, kernel):
    return SPAN_W * np.exp(p[0] + model(p[1:], kernel))


def solve(names, model, kernels):
    """The parameters by Gauss and Newton, of watts weighted by the prediction and the floor, with a
    weak prior; and the relative spread."""
    names = ["level", *names]
    start = np.array([START.get(name, 0) for name in names], float)
    width = np.array([WIDTH.get(name, 1) for name in names], float)
    seen = np.array([k.power_w for k in kernels])
    p, spread = start.copy(), 0.3
    for _ in range(60):
        at = np.array([predict(p, model, k) for k in kernels])
        weight = 1 / np.sqrt((spread * at) ** 2 + FLOOR_W ** 2)
        slope = np.empty((len(kernels), len(p)))
        for j in range(len(p)):
            moved = p.copy()
            moved[j] += 1e-4
            slope[:, j] = (np.array([predict(moved, model, k) for k in kernels]) - at) / 1e-4
        left = np.vstack([slope * weight[:, None], np.diag(1 / width)])
        right = np.concatenate([(seen - at) * weight, (start - p) / width])
        step = np.clip(np.linalg.lstsq(left, right, rcond=None)[0], -0.3, 0.3)
        p += step
        chi = np.sum(((seen - at) * weight) ** 2) / max(1, len(kernels) - len(p))
        spread = np.clip(spread * chi ** 0.25, 0.02, 3)
        if np.abs(step).max() < 1e-5 and abs(chi - 1) < 1e-3:
            break
    return p, spread


def left_out(names, model, kernels, same):
    errors, inside, fits = [], [], {}
    for kernel in kernels:
        key = same(kernel)
        if key not in fits:
            fits[key] = solve(names, model, [k for k in kernels if same(k) != key])
        p, spread = fits[key]
        expected = predict(p, model, kernel)
        half = 1.96 * np.sqrt((spread * expected) ** 2 + FLOOR_W ** 2 + kernel.deviation_w ** 2)
        inside.append(abs(expected - kernel.power_w) <= half)
        if kernel.seconds >= SHORTEST_S:
            errors.append(expected / kernel.power_w - 1)
    return np.sqrt(np.mean(np.square(errors))), np.mean(inside)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("libraries", nargs="+")
    parser.add_argument("--list", action="store_true", help="print the kernels and the last model")
    options = parser.parse_args()
    kernels = [kernel for path in options.libraries for kernel in kernels_of(path)]
    long = sum(k.seconds >= SHORTEST_S for k in kernels)
    print(f"{len(kernels)} kernels of {len({k.name for k in kernels})} names, {long} of them above 5 us")
    print(f"{'':40} {'kernel left out':>16} {'name left out':>16}")
    print(f"{'model':40} {'rms':>7} {'inside':>8} {'rms':>7} {'inside':>8} {'spread':>7}  coefficients")
    for title, (names, model) in MODELS.items():
        one = left_out(names, model, kernels, id)
        name = left_out(names, model, kernels, lambda k: k.name)
        p, spread = solve(names, model, kernels)
        told = ", ".join(f"{n} {v:.2f}" if n != "log tau" else f"tau {np.exp(v) * 1e6:.1f} us"
                         for n, v in zip(["level", *names], p))
        print(f"{title:40} {one[0]:7.1%} {one[1]:8.1%} {name[0]:7.1%} {name[1]:8.1%} {spread:7.2f}  {told}")
        if options.list:
            for k in sorted(kernels, key=lambda k: (k.which, k.seconds)):
                print(f"    {KINDS[k.which]:8} {k.name[-40:]:40} {k.groups:7} x {k.threads:4}"
                      f" {k.seconds * 1e6:8.2f} us {k.power_w:6.1f} W, expected {predict(p, model, k):6.1f} W")
    return 0


if __name__ == "__main__":
    sys.exit(main())
