#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A row of bench.sh's table from reports of py/mix.py (JSON): WHAT|MEASURED|LIMIT|CONDITION.

usage: again_rows.py RECORDING...
  A RECORDING has its report without a library in RECORDING.json.  Another recording of the same mix has its report
  without a library in again-RECORDING.json, and in again-RECORDING-by-RECORDING.json that with the library of the
  first, which expects the powers of the first at the clocks of the second.
"""
import json
import math
import sys

from library_rows import fit_of, found, load

LIMIT = 95  # of 100 kernels


def differences(name):
    """By how much the power of each kernel is off, as a part of it; and as a part of the joint interval's half."""
    one, other = load(f"{name}.json"), load(f"again-{name}.json")
    static_w, other_static_w = fit_of(one)["static_w"], fit_of(other)["static_w"]
    first, second = found(one), found(other)
    for kernel in fit_of(load(f"again-{name}-by-{name}.json")).get("library", {}).get("expected", []):
        key = kernel["name"], kernel["shape"]
        if key in first and key in second:
            power_w = second[key][0] + other_static_w
            off_w = power_w - static_w - kernel["expected_w"]
            yield off_w / power_w, off_w / math.hypot(first[key][1], second[key][1])


def main():
    off = [pair for name in sys.argv[1:] for pair in differences(name)]
    inside = sum(abs(part) <= 1 for _, part in off)
    rms = math.sqrt(sum(by ** 2 for by, _ in off) / max(len(off), 1))
    print(f"a mix recorded again: powers at one clock agree|{inside} of {len(off)}, {100 * rms:.1f} % rms|"
          f">= {LIMIT} %|{100 * inside} >= {LIMIT * max(len(off), 1)}")


main()
