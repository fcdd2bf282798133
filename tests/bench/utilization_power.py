#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the parts of a device draw: the coefficients of analyzer/regress/utilization/utilization_power.def.

usage: utilization_power.py REPORT.json...

Each report is of a recording with --counters whose powers are known: of a program that was replayed, or of
kernels in a random mix (pwrtrace report --library none --format json).  Prints the coefficients, and how far
they are off for each kernel when the others tell them.
"""
import json
import math
import sys

PARTS = ("compute", "issue", "tensor", "cache", "read", "write")
LEAST_S, SHORTEST_S = 5e-3, 5e-6  # of a kernel's time in all, and of an execution
KNOWN = 0.35                      # the widest interval of a power, as a part of it
SPREAD = 0.14                     # of kernels about the sum of what their parts draw
CLOCK_MHZ = 1980                  # to which powers are brought
COMPUTE_BOUND = 0.3               # of the tensor cores: power goes with this exponent of the clock, else 1
EXPONENT = 2.5


def kernels(path):
    """(name, shares, dynamic watts, their standard deviation) of each kernel whose power is known."""
    with open(path, encoding="utf-8") as file:
        rows = json.load(file)["rows"]
    for row in rows:
        if (row.get("kind") not in ("kernel", "memory") or not row["executions"] or not row["dynamic_j"]
                or row.get("utilization_compute") is None or row["time_s"] < LEAST_S
                or row["time_s"] / row["executions"] < SHORTEST_S or row["ci95_j"] > KNOWN * row["dynamic_j"]):
            continue
        share = [min(row[f"utilization_{part}"], 1) for part in PARTS]
        clock = (CLOCK_MHZ / row["sm_clock_mhz"]) ** (EXPONENT if share[2] > COMPUTE_BOUND else 1)
        yield (row["name"], share, clock * row["dynamic_j"] / row["time_s"],
               clock * row["ci95_j"] / 1.96 / row["time_s"])


def solved(matrix, right):
    rows = [row[:] + [value] for row, value in zip(matrix, right)]
    for i in range(len(rows)):
        pivot = max(range(i, len(rows)), key=lambda k: abs(rows[k][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for k, row in enumerate(rows):
            if k != i:
                rows[k] = [a - row[i] / rows[i][i] * b for a, b in zip(row, rows[i])]
    return [row[-1] / row[i] for i, row in enumerate(rows)]


def coefficients(known):
    """Least squares with coefficients >= 0: the most negative one is left out until there is none."""
    used = list(range(len(PARTS)))
    while True:
        weights = [1 / ((SPREAD * power) ** 2 + deviation ** 2) for _, _, power, deviation in known]
        matrix = [[sum(w * share[i] * share[k] for w, (_, share, _, _) in zip(weights, known)) * (1 + 1e-4 * (i == k))
                   for k in used] for i in used]
        right = [sum(w * share[i] * power for w, (_, share, power, _) in zip(weights, known)) for i in used]
        found = solved(matrix, right)
        if min(found) >= 0:
            return [found[used.index(i)] if i in used else 0 for i in range(len(PARTS))]
        used.pop(found.index(min(found)))


def main():
    known = [kernel for path in sys.argv[1:] for kernel in kernels(path)]
    if len(known) < 2 * len(PARTS):
        sys.exit(f"{len(known)} kernels whose power is known are too few" if sys.argv[1:] else __doc__.strip())
    squares = noise = inside = 0
    for i, (name, share, power, deviation) in enumerate(known):
        expected = sum(a * b for a, b in zip(coefficients(known[:i] + known[i + 1:]), share))
        off = expected / power - 1
        squares += off ** 2
        noise += (deviation / power) ** 2
        inside += abs(off) < 1.96 * math.hypot(SPREAD, deviation / power)
        print(f"{off:+6.0%} of {power:4.0f} W  " + " ".join(f"{100 * value:3.0f}" for value in share) + f"  {name[:60]}")
    count = len(known)
    print(", ".join(f"{part} {value:.0f}" for part, value in zip(PARTS, coefficients(known))))
    print(f"{count} kernels, each left out: off by {math.sqrt(squares / count):.1%} rms, "
          f"{math.sqrt(max(squares - noise, 0) / count):.1%} without the readings' own error; "
          f"{inside} within 1.96 deviations at a spread of {SPREAD}")


if __name__ == "__main__":
    main()
