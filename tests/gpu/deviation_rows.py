#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How the powers of kernels by replays alone deviate from those by the program alone, above the static power.

usage: deviation_rows.py REPORT...
  REPORT: of a recording with replays whose program tells the powers of its kernels itself, as py/mix.py does, made by
  PWRTRACE_ABLATE=replays-tell pwrtrace report --library none --format json RECORDING
  of a build with CFLAGS="-O2 -DPWRTRACE_ABLATION".

At equal clock: less what the report's own influences say that the clock does, by how much faster the kernel ran in its
replays.
"""
import math
import sys

from library_rows import fit_of, load

EXACT = 0.05  # the widest interval of what the program tells, and of what replays tell, as a part of it


def relative(power_w, ci95_w, static_w):
    """Half the interval, as a part of the power above the static one."""
    return ci95_w / (power_w - static_w) if ci95_w and power_w and power_w > static_w else math.inf


def by_clock(fit, row, replays):
    """The logarithm of by how much more the replays draw, as they ran at another clock."""
    factors = {influence["name"]: influence["factor"] for influence in fit["influences"]}
    own_s, replayed_s = (times["time_s"] / times["executions"] for times in (row, replays))
    clocks_mhz = replays["sm_clock_mhz"], row["sm_clock_mhz"]
    sampled = math.log(clocks_mhz[0] / clocks_mhz[1]) if all(clocks_mhz) else 0
    return ((factors.get("speed", 0) + factors.get("clock", 0)) * math.log(own_s / replayed_s)
            + factors.get("sampled clock", 0) * sampled)


def deviations(path):
    report = load(path)
    fit = fit_of(report)
    static_w = fit["static_w"]
    for row in report["rows"]:
        replays = row.get("replays")
        if not replays or row["ci95_j"] is None:
            continue
        own = relative(row["power_w"], row["ci95_j"] / row["time_s"], static_w)
        replayed = relative(replays["power_w"], replays["ci95_w"], static_w)
        if max(own, replayed) > EXACT:
            continue
        own_w, replayed_w = row["power_w"] - static_w, replays["power_w"] - static_w
        off = math.log(replayed_w / own_w)
        equal = off - by_clock(fit, row, replays)
        print(f"{row['short_name'][:36]:36} {own_w:6.0f} ± {own * own_w:4.0f} W, by replays {replayed_w:6.0f} ±"
              f" {replayed * replayed_w:4.0f}: {100 * off:+6.1f} %, at equal clock {100 * equal:+6.1f} ±"
              f" {100 * math.hypot(own, replayed):.1f} %")
        yield off, equal


def rms(parts):
    return f"{100 * math.sqrt(sum(part ** 2 for part in parts) / len(parts)):.1f} % rms"


def main():
    off = [parts for path in sys.argv[1:] for parts in deviations(path)]
    if not off:
        sys.exit("no kernel is told by both the program and its replays")
    print(f"{len(off)} kernels: {rms([own for own, _ in off])}, at equal clock {rms([equal for _, equal in off])}")


main()
