#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A row of bench.sh's table from reports of py/mix.py (JSON): WHAT|MEASURED|LIMIT|CONDITION.

usage: again_rows.py RECORDING...
  A RECORDING has its report without a library in RECORDING.json and its library in RECORDING.library; another one
  of the same mix has its report without a library in again-RECORDING.json, and that with the library of the first
  one, which tells its powers at the clocks of the second, in again-RECORDING-by-RECORDING.json.
"""
import json
import math
import sys

from library_rows import LEAST_S, fit_of, load

LIMIT = 95  # of 100 kernels


def powers(report):
    """The mean power of each kernel, half its interval's width, and the static part of the former."""
    return {(row["name"], row["shape"]): (row["power_w"], row["ci95_j"] / row["time_s"], row["static_j"] / row["time_s"])
            for row in report["rows"] if (row["time_s"] or 0) > LEAST_S and row["ci95_j"] is not None}


def differences(name):
    """By how much the power of each kernel is off, as a part of it; and as a part of the joint interval's half."""
    first, second = powers(load(f"{name}.json")), powers(load(f"again-{name}.json"))
    for kernel in fit_of(load(f"again-{name}-by-{name}.json"))["library"]["expected"]:
        key = kernel["name"], kernel["shape"]
        if key in first and key in second:
            (_, width_w, static_w), (again_w, again_width_w, _) = first[key], second[key]
            off_w = again_w - static_w - kernel["expected_w"]
            yield off_w / again_w, off_w / math.hypot(width_w, again_width_w)


def main():
    off = [pair for name in sys.argv[1:] for pair in differences(name)]
    inside = sum(abs(part) <= 1 for _, part in off)
    rms = math.sqrt(sum(by ** 2 for by, _ in off) / max(len(off), 1))
    print(f"a mix recorded again: powers at one clock agree|{inside} of {len(off)}, {100 * rms:.1f} % rms|"
          f">= {LIMIT} %|{100 * inside} >= {LIMIT * max(len(off), 1)}")


main()
