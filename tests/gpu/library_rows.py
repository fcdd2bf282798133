#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rows of bench.sh's table from reports of py/mix.py (JSON): WHAT|MEASURED|LIMIT|CONDITION.

usage: library_rows.py RECORDING...
  A RECORDING is named GPU-SEED-EMPHASIS, with its report without a library in RECORDING.json, and that with the
  library of each other one in RECORDING-by-OTHER.json.  A power that a library expects is compared with that in
  the report without one, both beside the static power.
"""
import collections
import json
import math
import sys

LEAST_S = 0.2  # what ran shorter is not one of the kernels that are compared


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def fit_of(report):
    """That of the GPU that worked."""
    return max(report["fits"], key=lambda fit: fit["classes"])


def found(report):
    """The dynamic power of each kernel, and half its interval's width."""
    static_w, powers = fit_of(report)["static_w"], {}
    for row in report["rows"]:
        measured_s = (row["time_s"] or 0) - (row["unmeasured_s"] or 0)
        if measured_s > LEAST_S and row["ci95_j"] is not None:
            powers[row["name"], row["shape"]] = row["energy_j"] / measured_s - static_w, row["ci95_j"] / measured_s
    return powers


def differences(of, by):
    """By how much each expected power is off, as a part of it; and as a part of the joint interval's half."""
    powers = found(load(f"{of}.json"))
    for kernel in fit_of(load(f"{of}-by-{by}.json")).get("library", {}).get("expected", []):
        expected_w, own_w = kernel["expected_w"], powers.get((kernel["name"], kernel["shape"]))
        if own_w:
            off_w = expected_w - own_w[0]
            yield off_w / own_w[0], off_w / math.hypot(kernel["expected_ci95_w"], own_w[1]), kernel["expected_ci95_w"] / expected_w


def main():
    by_board = collections.defaultdict(list)
    for of in sys.argv[1:]:
        for by in sys.argv[1:]:
            if of != by:
                board = "the same board" if of.split("-")[0] == by.split("-")[0] else "another board"
                by_board[board, of.split("-", 1)[1]].extend(differences(of, by))
                by_board[board, ""].extend(differences(of, by))
    for (board, mix), all_off in sorted(by_board.items()):
        if not all_off:
            print(f"libraries of mixes of {board}|no kernel is known|one|0")
            continue
        inside = sum(abs(part) <= 1 for _, part, _ in all_off)
        share = 100 * inside / len(all_off)
        rms = math.sqrt(sum(off ** 2 for off, _, _ in all_off) / len(all_off))
        width = sum(width for _, _, width in all_off) / len(all_off)
        told = f"{inside} of {len(all_off)} ({share:.0f} %), {100 * rms:.1f} % rms, expected to ±{100 * width:.0f} %"
        if mix:
            print(f"  of them in {mix}|{told}||")
        else:
            print(f"libraries of mixes of {board}: powers inside|{told}|88 to 98 %|88 <= {share} && {share} <= 98")


if __name__ == "__main__":
    main()
