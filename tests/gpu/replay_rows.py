#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rows of bench.sh's table from reports of one program (JSON): WHAT|MEASURED|LIMIT|CONDITION.

usage: replay_rows.py PROGRAM ALONE WITH_LIBRARY REPLAYED [AGAIN]
  ALONE: recorded without replay, and reported without a library; WITH_LIBRARY: the same recording with
  a library of REPLAYED, a recording of another run in which kernels were replayed; AGAIN: one more such run.
"""
import json
import math
import sys


def load(path):
    with open(path, encoding="utf-8") as file:
        return [row for row in json.load(file)["rows"] if row["energy_j"] is not None]


def share_within(rows, percent):
    """The percentage of the energy in rows whose interval is at most so wide on each side."""
    total = sum(row["energy_j"] for row in rows)
    within = sum(row["energy_j"] for row in rows
                 if row["ci95_j"] is not None and row["ci95_j"] <= percent / 100 * row["energy_j"])
    return 100 * within / total if total else 0


def powers(rows, least_s=0.05):
    """Mean power and half its interval's width, of the kernels that ran for so long, by what tells them apart."""
    return {(row["name"], row["shape"], row["kind"]): (row["energy_j"] / row["time_s"], row["ci95_j"] / row["time_s"], row)
            for row in rows if row["time_s"] and row["time_s"] > least_s and row["ci95_j"] is not None}


def agreement(one, other):
    """How many kernels of both agree within the joint interval, of how many; and what that and the rms of the
    differences are in words."""
    pairs = [(one[key], other[key]) for key in one.keys() & other.keys()]
    inside = sum(abs(a[0] - b[0]) <= math.hypot(a[1], b[1]) for a, b in pairs)
    weight = sum(a[2]["energy_j"] for a, _ in pairs)
    square = sum(a[2]["energy_j"] * (b[0] / a[0] - 1) ** 2 for a, b in pairs)
    rms = f"{100 * math.sqrt(square / weight):.1f} % rms by energy" if weight else "unknown"
    return inside, len(pairs), f"{inside} of {len(pairs)}, {rms}"


def main():
    program = sys.argv[1]
    alone, library, replayed, *again = (load(path) for path in sys.argv[2:6])
    for what, rows, percent, least in (
            ("recorded alone", alone, 5, None), ("recorded alone", alone, 15, None),
            ("replayed", replayed, 5, 80), ("with a library of its replay", library, 5, None),
            ("with a library of its replay", library, 15, 80)):
        share = share_within(rows, percent)
        limit, condition = (f">= {least} %", f"{share} >= {least}") if least else ("", "")
        print(f"{program}, {what}: energy within ±{percent} %|{share:.0f} % of {len(rows)} kernels and copies|{limit}|{condition}")
    for what, rows in (("alone", alone), ("with a library", library)):
        print(f"{program}, {what}: powers as in the replay|{agreement(powers(replayed), powers(rows))[2]}||")
    for rows in again:
        inside, pairs, told = agreement(powers(replayed), powers(rows))
        print(f"{program}, replayed twice: powers agree|{told}|>= 88 %|{inside} >= 0.88 * {pairs}")


if __name__ == "__main__":
    main()
