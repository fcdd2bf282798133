#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rows of bench.sh's table from reports of py/caches.py (JSON): WHAT|MEASURED|LIMIT|CONDITION.

usage: cache_rows.py RING_MB OWN REPLAYED
  OWN: it worked most of the time, and nothing was replayed; REPLAYED: it hardly did, so that all is told by replays
"""
import sys

from replay_rows import agreement, load, powers


def main():
    data = "memory" if float(sys.argv[1]) else "the cache"
    own = powers(load(sys.argv[2]))
    told = {key: power for key, power in powers(load(sys.argv[3]), 0).items() if power[2].get("replays")}
    for key in sorted(own.keys() & told.keys(), key=lambda key: -own[key][2]["energy_j"]):
        (power_w, ci95_w, row), (told_w, told_ci95_w, told_row) = own[key], told[key]
        times_us = [1e6 * each["time_s"] / each["executions"] for each in (row, told_row)]
        print(f"{row['short_name'][:30]}, {times_us[0]:.1f} and {times_us[1]:.1f} us|{power_w:.0f} ± {ci95_w:.0f} W, by replays"
              f" {told_w:.0f} ± {told_ci95_w:.0f}: {100 * (told_w / power_w - 1):+.1f} %||")
    inside, pairs, words = agreement(own, told)
    print(f"data from {data}: powers by replays as in the program|{words}|>= 88 %|{inside} >= 0.88 * {pairs} && {pairs} > 0")


main()
