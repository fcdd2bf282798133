#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What one variant of a run adds to another, by pairs that ran one after the other.

usage: paired.py UNIT LIMIT PLAIN VARIANT [CUPTI]

Prints a row's columns for bench.sh, MEASURED|VERDICT: what VARIANT adds to PLAIN, in UNIT (% or another), and
with CUPTI, what CUPTI alone adds and what VARIANT adds to that.  The files have a figure of a run on each line,
or something else where it has none; a file may be missing where nothing has run.  The last of the differences is held against LIMIT, if that is not empty:
"ok" and "NO" where all of its interval lies within or beyond, else "open", as more pairs would tell.
"""
import math
import os
import statistics
import sys

# Student's t for a two-sided interval of 95 %, by degrees of freedom; beyond, the normal one's is near.
T_95 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
        2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042)


def interval(differences):
    """(median, mean, low, high) of differences: low and high bound their mean by 95 %; None if there are none,
    and infinite bounds if there is one."""
    if not differences:
        return None
    mean, count = statistics.mean(differences), len(differences)
    half = math.inf
    if count > 1:
        half = T_95[min(count - 1, len(T_95)) - 1] * statistics.stdev(differences) / math.sqrt(count)
    return statistics.median(differences), mean, mean - half, mean + half


def verdict(low, high, limit, pairs):
    if high <= limit:
        return "ok"
    return "NO" if low > limit else f"open, {pairs} pairs"


def figures(path):
    if not os.path.exists(path):
        return
    with open(path, encoding="utf-8") as file:
        for line in file:
            try:
                yield float(line)
            except ValueError:
                yield None


def shown(mean, low, high):
    return f"{mean:+.2f} ({low:+.2f} .. {high:+.2f})"


def main():
    unit, limit, *paths = sys.argv[1:]
    pairs = list(zip(*map(figures, paths)))
    runs = [run for run in pairs if None not in run]
    if not runs:
        print(f"no figure|{('NO' if pairs else 'open, 0 pairs') if limit else ''}")
        return

    def difference(of, to):
        return interval([(run[of] - run[to]) * (100 / run[0] if unit == "%" else 1) for run in runs])

    _, *compared = difference(1, 0)
    measured = shown(*compared)
    if len(paths) == 3:
        added, (_, *compared) = compared[0], difference(1, 2)
        measured = f"{added:+.2f}, CUPTI {difference(2, 0)[1]:+.2f}: {shown(*compared)}"
    told = verdict(*compared[1:], float(limit), len(runs)) if limit else ""
    print(f"{measured} {unit}|{told}")


if __name__ == "__main__":
    main()
