#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints how many joules a report by launch (JSON, on stdin) attributes to what ran between two
times, in nanoseconds of CLOCK_MONOTONIC: energy_between.py BEGIN_NS END_NS"""
import json
import sys

begin_ns, end_ns = map(int, sys.argv[1:])
total_j = 0.0
for row in json.load(sys.stdin)["rows"]:
    row_ns = row["time_s"] * 1e9
    inside_ns = min(end_ns, row["begin_ns"] + row_ns) - max(begin_ns, row["begin_ns"])
    if inside_ns > 0:
        total_j += row["energy_j"] * inside_ns / row_ns
print(total_j)
