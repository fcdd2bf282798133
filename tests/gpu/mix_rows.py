#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rows of bench.sh's table from reports of py/mix.py (JSON): WHAT|MEASURED|LIMIT|CONDITION.

usage: mix_rows.py ALONE MIXED REPLAYED
"""
import json
import sys

LEAST_S = 0.2  # what ran shorter is not one of the kernels that are compared


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def power_w(row):
    """Mean power and half the width of its interval."""
    if not row or row["energy_j"] is None or not row["time_s"]:
        return None
    return row["energy_j"] / row["time_s"], (row["ci95_j"] or 0) / row["time_s"]


def shown(row):
    power = power_w(row)
    if not power:
        return "unknown"
    state = ""
    if row.get("sm_clock_mhz"):
        state = f" {row['sm_clock_mhz']:.0f} MHz"
    if row.get("throttled_share") is not None:
        state += f" {100 * row['throttled_share']:.0f} % limited"
    group = f" [{row['group']}]" if row["group"] else ""
    return f"{power[0]:.0f} ± {power[1]:.0f} W{state}{group}"


def reason(alone, mixed):
    """Why a kernel draws in the mix what it does not draw alone."""
    if not power_w(alone) or not power_w(mixed):
        return ""
    (before_w, before_ci), (after_w, after_ci) = power_w(alone), power_w(mixed)
    difference = f"{100 * (after_w / before_w - 1):+.1f} %"
    if abs(after_w - before_w) <= before_ci + after_ci:
        return f"{difference}, within the intervals"
    clocks = [row.get("sm_clock_mhz") for row in (alone, mixed)]
    limits = [row.get("throttled_share") or 0 for row in (alone, mixed)]
    if all(clocks) and abs(clocks[1] / clocks[0] - 1) > 0.02:
        return f"{difference}, at {100 * (clocks[1] / clocks[0] - 1):+.0f} % of clock"
    if max(limits) > 0.5:
        return f"{difference}, at the limit"
    return f"{difference}, by what runs before it"


def main():
    alone, mixed, replayed = (load(path) for path in sys.argv[1:4])
    fit = mixed["fits"][0]
    heldout = fit["heldout"]
    print(f"mix: left unexplained, autocorrelation, inflation|{fit['residual_w']:.1f} W,"
          f" {fit['autocorrelation']:.2f}, {fit['inflation']:.2f}||")
    for way, error in heldout.items():
        if way in ("blocks", "regress"):
            continue
        print(f"held-out error of 2 s blocks, {way}|{percent(error)}||")
    error = heldout["regress"]
    print(f"held-out error of 2 s blocks, regress ({heldout['blocks']} blocks)|{percent(error)}"
          f"|<= 1 %|{error if error is not None else 1} <= 0.01")
    for outcome in replayed.get("replays", {}).get("outcomes", []):
        print(f"replay: {outcome['reason'] or 'done'}|{outcome['classes']} classes||")
    before, after = ({(row["name"], row["shape"]): row for row in report["rows"]}
                     for report in (alone, replayed))
    for row in sorted(mixed["rows"], key=lambda row: -(row["time_s"] or 0)):
        if (row["time_s"] or 0) < LEAST_S:
            continue
        other = before.get((row["name"], row["shape"]))
        mean_us = 1e6 * row["time_s"] / row["executions"]
        print(f"{row['short_name'][:38]}, {mean_us:.1f} us|{shown(row)}||")
        print(f"  alone|{shown(other)}||{reason(other, row)}")
        again = after.get((row["name"], row["shape"]))
        if again and again.get("replays"):
            print(f"  in a mix, replayed|{shown(again)}||{reason(row, again)}")
            print(f"  its replays|{again['replays']['power_w']:.0f} W||")


def percent(share):
    return "unknown" if share is None else f"{100 * share:.2f} %"


main()
