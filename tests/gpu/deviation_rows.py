#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How the powers of kernels by replays alone deviate from those by the program alone, above the static power.

usage: deviation_rows.py REPORT...
  REPORT: of a recording with replays whose program tells the powers of its kernels itself, as py/mix.py does, made by
  PWRTRACE_ABLATE=replays-tell pwrtrace report --library none --format json RECORDING
  of a build with CFLAGS="-O2 -DPWRTRACE_ABLATION".
"""
import math
import sys

from library_rows import fit_of, load

EXACT = 0.05  # the widest interval of what the program tells, as a part of it


def deviations(path):
    report = load(path)
    static_w = fit_of(report)["static_w"]
    for row in report["rows"]:
        replays = row.get("replays")
        if not replays or not row["power_w"] or not row["ci95_j"] or row["ci95_j"] > EXACT * row["energy_j"]:
            continue
        own_w, replayed_w = row["power_w"] - static_w, replays["power_w"] - static_w
        own_us, replayed_us = (1e6 * times["time_s"] / times["executions"] for times in (row, replays))
        off = math.log(replayed_w / own_w) if own_w > 0 and replayed_w > 0 else math.nan
        print(f"{row['short_name'][:36]:36} {own_us:9.2f} us, replayed {replayed_us:9.2f}"
              f" {own_w:6.0f} ± {row['ci95_j'] / row['time_s']:4.0f} W, by replays {replayed_w:6.0f}: {100 * off:+6.1f} %")
        yield off


def main():
    off = [part for path in sys.argv[1:] for part in deviations(path)]
    if not off:
        sys.exit("no kernel is told by both the program and its replays")
    print(f"{len(off)} kernels: {100 * math.sqrt(sum(part ** 2 for part in off) / len(off)):.1f} % rms")


main()
