#!/usr/bin/env python3
"""What grid, duration and kind of a kernel tell of its dynamic power.

usage: size_prior.py [--list] PROGRAM...

PROGRAM: files of pwrtrace library, joined by commas, of recordings of one program in which kernels ran alone
(--replay), all on devices of compute capability 9.0, whose compute units and threads stand below.  Of a kernel in several of them
the median counts.  For each candidate model this prints how well it predicts the power of a kernel that it was
not fitted to, and the coefficients by all of them.  Left out are the kernel alone, all shapes of its name, or
its whole program, whose level is then the median of its kernels; the spread is that of the kernels that it
was fitted to, by Student's t, as single kernels are far off.
Kernels known to worse than a tenth and 8 W are not used.
"""

import argparse
import json
import math
import re
import sys
from pathlib import Path

import numpy as np

UNITS, THREADS = 132, 2048
KNOWN, KNOWN_W = 0.1, 8
SHORTEST_S = 5e-6  # shorter ones are fitted to, but their relative errors do not count
FLOOR_W = 56
DEGREES = 4
ROUNDS = 150
TABLE = Path(__file__).resolve().parents[2] / "analyzer/regress/design/size_prior.def"
KINDS = re.findall(r"^SIZE_KIND\((\w+), ([\d.]+), ([01])\)", TABLE.read_text(encoding="utf-8"), re.M)
NAMES = re.findall(r'^SIZE_NAME\((\w+), "(.+)"\)', TABLE.read_text(encoding="utf-8"), re.M)
WITH_FACTOR = [kind for kind, factor, _ in KINDS if factor != "1"]  # the others are what these are compared with
BY_THREADS = {kind for kind, _, by_threads in KINDS if by_threads == "1"}


class Kernel:
    """What a kernel drew, in W, and what is known of it."""

    def __init__(self, told, program):
        self.program, self.name = program, told["name"]
        self.seconds = told["median_ns"] / 1e9
        self.power_w, self.deviation_w = told["dynamic_w"], told["deviation_w"]
        self.threads = int(np.prod(told["block"])) or 1
        self.groups = max(1, int(np.prod(told["grid"])) // self.threads)
        self.fill = min(1, self.groups / UNITS)
        self.existing = min(1, self.groups * self.threads / (UNITS * THREADS)) / self.fill
        self.kind = next((kind for kind, text in NAMES if text.lower() in self.name.lower()), "OTHER")
        self.shape = (program, self.name, self.groups, self.threads, round(2 * math.log(self.seconds)))

    @property
    def counts(self):
        """Whether its error, relative to its power, says anything."""
        return self.seconds >= SHORTEST_S and self.deviation_w <= KNOWN * self.power_w


def kernels_of(program, paths):
    """The kernels of a program that were measured well, each once."""
    by_shape = {}
    for path in paths.split(","):
        with open(path, encoding="utf-8") as file:
            messages = json.load(file)["messages"]
        for told in (told for message in messages for told in message["classes"]):
            if told["kind"] != "kernel" or told["name"].startswith("pwrtrace_") or \
                    told["deviation_w"] >= max(KNOWN_W, KNOWN * told["dynamic_w"]):
                continue
            kernel = Kernel(told, program)
            by_shape.setdefault(kernel.shape, []).append(kernel)
    for same in by_shape.values():
        same[0].power_w = float(np.median([kernel.power_w for kernel in same]))
        same[0].deviation_w = float(np.median([kernel.deviation_w for kernel in same]))
        yield same[0]


# By title, the parameters of each model besides the level of a program.
MODELS = {
    "one mean": (),
    "kind": ("kinds",),
    "kind, duration": ("kinds", "rise"),
    "kind, duration, compute units": ("kinds", "rise", "units"),
    "the same, and a launch": ("kinds", "rise", "units", "launch"),
    "the same, and threads": ("kinds", "rise", "units", "launch", "threads"),
}
START = {"launch": math.log(60e-9), "rise": math.log(5e-6), "units": 1, "threads": 0.3}


class Model:
    """Fitted to kernels by Gauss and Newton, of watts with a weak prior; Student's t weighs them."""

    def __init__(self, words, kernels):
        self.programs = sorted({kernel.program for kernel in kernels})
        self.names = [word for word in ("launch", "rise", "units", "threads") if word in words]
        self.kinds = WITH_FACTOR if "kinds" in words else ()
        start = np.array([START[name] for name in self.names] + [0] * len(self.kinds) + [6.1] * len(self.programs))
        width = np.array([1.5] * len(self.names) + [1] * len(self.kinds) + [100] * len(self.programs))
        seen = np.array([kernel.power_w for kernel in kernels])
        errors = np.array([kernel.deviation_w for kernel in kernels])
        known = self.known(kernels)
        self.p, self.spread = start.copy(), 0.2
        for _ in range(ROUNDS):
            at = self.expected(self.p, known)
            slope = np.empty((len(kernels), len(start)))
            for j in range(len(start)):
                moved = self.p.copy()
                moved[j] += 1e-4
                slope[:, j] = (self.expected(moved, known) - at) / 1e-4
            variance = self.spread ** 2 * (at ** 2 + FLOOR_W ** 2) + errors ** 2
            squares = (seen - at) ** 2 / variance
            trust = (DEGREES + 1) / (DEGREES + squares)
            weight = np.sqrt(trust / variance)
            left = np.vstack([slope * weight[:, None], np.diag(1 / width)])
            right = np.concatenate([(seen - at) * weight, (start - self.p) / width])
            step = np.clip(np.linalg.lstsq(left, right, rcond=None)[0], -0.2, 0.2)
            self.p += step
            self.spread *= np.clip((np.sum(trust * squares) / (len(kernels) - len(start))) ** 0.25, 0.8, 1.25)
            if np.abs(step).max() < 1e-4:
                break

    def known(self, kernels):
        """What the kernels are told by, as arrays."""
        return {"seconds": np.array([kernel.seconds for kernel in kernels]),
                "fill": np.array([kernel.fill for kernel in kernels]),
                "existing": np.array([kernel.existing if kernel.kind in BY_THREADS else 1 for kernel in kernels]),
                "kinds": np.array([[kernel.kind == kind for kind in self.kinds] for kernel in kernels], float),
                "programs": np.array([[kernel.program == program for program in self.programs] for kernel in kernels], float)}

    def expected(self, p, known):
        of = dict(zip(self.names, p))
        rest = p[len(self.names):]
        part = np.exp(known["kinds"] @ rest[:len(self.kinds)])
        if "rise" in of:
            part = part * known["seconds"] / (known["seconds"] + math.exp(of["rise"]))
        if "units" in of:
            part = part * known["fill"] ** of["units"]
        if "threads" in of:
            part = part * known["existing"] ** of["threads"]
        if "launch" in of:
            part = part + math.exp(of["launch"]) / known["seconds"]
        return np.exp(known["programs"] @ rest[len(self.kinds):]) * part

    def predict(self, kernels):
        """Of kernels of one program."""
        expected = self.expected(self.p, self.known(kernels))
        if kernels[0].program in self.programs:
            return expected
        return expected * np.median([kernel.power_w for kernel in kernels] / expected)

    def told(self):
        of = dict(zip(self.names, self.p))
        kinds = self.p[len(self.names):]
        yield from (f"{kind} {math.exp(kinds[i]):.2f}" for i, kind in enumerate(self.kinds))
        yield from (f"{name} {1e9 * math.exp(of[name]):.3g} ns" for name in ("launch", "rise") if name in of)
        yield from (f"{name} {of[name]:.2f}" for name in ("units", "threads") if name in of)


def left_out(words, kernels, same):
    """Errors of the kernels whose relative errors count, in percent: rms, median; how many of all are inside;
    log-likelihood."""
    errors, inside, likelihood = [], [], 0
    constant = math.lgamma((DEGREES + 1) / 2) - math.lgamma(DEGREES / 2) - 0.5 * math.log(DEGREES * math.pi)
    for key in sorted({same(kernel) for kernel in kernels}):
        these = [kernel for kernel in kernels if same(kernel) == key]
        model = Model(words, [kernel for kernel in kernels if same(kernel) != key])
        for kernel, expected in zip(these, model.predict(these)):
            sd = math.sqrt(model.spread ** 2 * (expected ** 2 + FLOOR_W ** 2) + kernel.deviation_w ** 2)
            z = (kernel.power_w - expected) / sd
            inside.append(abs(z) < 2.776)  # 95 % of Student's t
            likelihood += constant - math.log(sd) - (DEGREES + 1) / 2 * math.log1p(z * z / DEGREES)
            if kernel.counts:
                errors.append(100 * abs(expected / kernel.power_w - 1))
    return math.sqrt(np.mean(np.square(errors))), np.median(errors), 100 * np.mean(inside), likelihood


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+", metavar="PROGRAM")
    parser.add_argument("--list", action="store_true", help="print the kernels and what the last model expects")
    options = parser.parse_args()
    kernels = [kernel for program, paths in enumerate(options.programs) for kernel in kernels_of(program, paths)]
    counted = sum(kernel.counts for kernel in kernels)
    print(f"{len(kernels)} kernels of {len({kernel.name for kernel in kernels})} names, {counted} of them above 5 us and known to a tenth")
    print(f"{'':32} {'kernel left out':^36} {'name left out':^36} {'program left out':^36}")
    columns = f"{'rms':>8} {'median':>8} {'inside':>8} {'log L':>9}"
    print(f"{'model':32} {columns} {columns} {columns}  spread  coefficients")
    for title, words in MODELS.items():
        rows = [left_out(words, kernels, same)
                for same in (lambda k: k.shape, lambda k: (k.program, k.name), lambda k: k.program)]
        model = Model(words, kernels)
        figures = " ".join(f"{rms:6.1f} % {median:6.1f} % {inside:6.1f} % {likelihood:9.1f}"
                           for rms, median, inside, likelihood in rows)
        print(f"{title:32} {figures}  {model.spread:6.3f}  {', '.join(model.told())}", flush=True)
    if options.list:
        for kernel in kernels:
            expected, = model.predict([kernel])
            print(f"    {kernel.kind:12} {kernel.name[-40:]:40} {kernel.groups:7} x {kernel.threads:4}"
                  f" {kernel.seconds * 1e6:8.2f} us {kernel.power_w:6.1f} W, expected {expected:6.1f} W")
    return 0


if __name__ == "__main__":
    sys.exit(main())
