#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Measures attribution against a known truth: a row per situation, over several seeds.

usage: accuracy.py BUILD [--seeds N] [--seconds S] [--rows NAME;...] [--check]

Errors are of a class's energy in its run, as a part of the truth.  A row's bars are those that the
project has set itself; --check ends with 1 where one is missed by more than its slack.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

GAUGE_100 = "period_ms=100 window_ms=100 noise_w=1 noise_part=0.005"
HOPPER_20 = "period_ms=20 window_ms=25 lag_ms=2.5 tail_ms=4 jitter_ms=2 noise_w=1 noise_part=0.005"
COUNTER_1 = "period_ms=1 window_ms=0 counter=1 noise_w=0 noise_part=0"

# name, what truth_writer is told, bars: mean and worst error of classes, of groups, in percent
ROWS = [
    ("replay, 100 ms", f"scenario=replay {GAUGE_100}", (1, 2), None),
    ("varied, 100 ms", f"scenario=varied {GAUGE_100}", (2, 5), None),
    ("varied, 20 ms, lag and tail", f"scenario=varied {HOPPER_20}", (2, None), None),
    ("varied, 100 ms, window 25, lag 40", "scenario=varied period_ms=100 window_ms=25 lag_ms=40 noise_w=1 noise_part=0.005", (2, 5), None),
    ("well mixed, 100 ms", f"scenario=mixed {GAUGE_100}", (7, None), (3, None)),
    ("well mixed, 20 ms", f"scenario=mixed {HOPPER_20}", (2, None), None),
    ("loop of 60 ms, 100 ms", f"scenario=loop60 {GAUGE_100}", None, (5, 10)),
    ("loop of 400 ms, 100 ms", f"scenario=loop400 {GAUGE_100}", None, (5, 10)),
    ("phases, 100 ms", f"scenario=phases {GAUGE_100}", None, (3, None)),
    ("1 ms counter, 20 s", f"scenario=mixed {COUNTER_1} seconds=20", (1, None), None),
    ("bursts, cold and warmed, 20 ms", f"scenario=bursts {HOPPER_20}", None, None),
    ("bursts, cold and warmed, 100 ms", f"scenario=bursts {GAUGE_100}", None, None),
    ("two classes always together", f"scenario=pair {GAUGE_100}", None, (1, None)),
    ("two streams that overlap, 20 ms", f"scenario=streams {HOPPER_20}", None, None),
    ("clock off by 50 µs, gain 0.95", f"scenario=varied {HOPPER_20} clock_error_us=50 gain=0.95", (2, None), None),
]
COVERAGE = (88, 98)


def run(build, folder, settings):
    trace = os.path.join(folder, "trace")
    subprocess.run(["rm", "-rf", trace], check=True)
    truth = subprocess.run([f"{build}/tests/truth_writer", *settings.split(), trace],
                           check=True, stdout=subprocess.PIPE).stdout
    report = subprocess.run([f"{build}/bin/pwrtrace", "report", "--format", "json", trace],
                            check=True, stdout=subprocess.PIPE).stdout
    return json.loads(truth), json.loads(report)


def compare(truth, report):
    """Errors of classes and of groups in percent, and who is covered."""
    true = {c["name"]: c["energy_j"] for c in truth["classes"] if c["executions"]}
    rows = {row["short_name"]: row for row in report["rows"]}
    classes, groups, covered = [], {}, []
    for name, energy in true.items():
        row = rows[name]
        error = abs(row["energy_j"] - energy)
        classes.append(100 * error / energy)
        covered.append(error <= row["ci95_j"])
        sums = groups.setdefault(row["group"] or name, [0, 0])
        sums[0] += row["energy_j"]
        sums[1] += energy
    group_errors = [100 * abs(a - b) / b for a, b in groups.values()]
    balance = report["balance"]
    closes = round(1e9 * (balance["attributed_j"] + balance["idle_j"] +
                          balance["unattributed_j"] - balance["measured_j"])) == 0
    pair = len({rows.get(name, {}).get("group") for name in ("k000", "k001")} - {None}) == 1
    return classes, group_errors, covered, closes, pair


def mean(values):
    return sum(values) / len(values) if values else float("nan")


def judge(value, bar, slack):
    return bar is None or value <= bar * slack


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--seconds", default="60")
    parser.add_argument("--rows", default="")
    parser.add_argument("--settings", default="")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    missed = 0

    print(f"{'situation, %d seeds' % options.seeds:36}  classes: mean worst  bars    groups: mean"
          f" worst  n   bars   covered  by groups")
    for name, settings, class_bars, group_bars in ROWS:
        if options.rows and not any(part in name for part in options.rows.split(";")):
            continue
        classes, groups, covered, closes, pairs, counts = [], [], [], [], [], []
        with tempfile.TemporaryDirectory() as folder:
            for seed in range(1, options.seeds + 1):
                truth, report = run(options.build, folder,
                                    f"seconds={options.seconds} {settings} seed={seed} {options.settings}".strip())
                own = compare(truth, report)
                classes += own[0]
                groups += own[1]
                covered += own[2]
                closes.append(own[3])
                pairs.append(own[4])
                counts.append(len(own[1]))
                if options.verbose:
                    print("  ", json.dumps(report["fits"][0]))
                    rows = {row["short_name"]: row for row in report["rows"]}
                    for c in truth["classes"]:
                        row = rows[c["name"]]
                        print(f"   {c['name']} {c['energy_j']:9.2f} {row['energy_j']:9.2f} "
                              f"{100*(row['energy_j']/c['energy_j']-1):7.2f}% ±{100*row['ci95_j']/row['energy_j']:6.2f}% {row['group']}")
        coverage = 100 * mean(covered)
        bars = lambda b: "/".join("-" if x is None else str(x) for x in b) if b else "-"
        bad = []
        for values, limits, what in ((classes, class_bars, "classes"), (groups, group_bars, "groups")):
            if limits and not judge(mean(values), limits[0], 1):
                bad.append(f"{what} mean")
            if limits and not judge(max(values), limits[1], 1):
                bad.append(f"{what} worst")
        if not COVERAGE[0] <= coverage <= COVERAGE[1]:
            bad.append("coverage")
        if not all(closes):
            bad.append("balance")
        if "together" in name and not all(pairs):
            bad.append("not one group")
        missed += bool(bad)
        print(f"{name:36}  {mean(classes):13.2f} {max(classes):5.1f}  {bars(class_bars):5}"
              f"  {mean(groups):13.2f} {max(groups):5.1f} {mean(counts):4.1f}  {bars(group_bars):5}"
              f"  {coverage:5.1f} %  {'ok' if not bad else 'MISSED: ' + ', '.join(bad)}", flush=True)
    return missed > 0


if __name__ == "__main__":
    sys.exit(main())
