#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What each mechanism of the estimator earns: attribution with and without it, row by row.

usage: ablation.py BUILD [--seeds N] [--rows NAME;...] [--mechanisms NAME,...] [--settings "KEY=VALUE ..."]

BUILD/ablation holds an analyzer built with -DPWRTRACE_ABLATION; the mechanisms are the rows of
analyzer/response/ablation.h.  For each row of accuracy.py, and for the recording of an H200 in
tests/data, prints the estimator as a whole and then every mechanism without which a report differs:
the mean error of the classes' energies and the mean half-width of their 95 % intervals, in percent;
how many intervals hold the truth; the groups' mean error and how many energies are told apart.  The
recording has no truth: its error is how far energies move from those of the whole.  Ends with the
mechanisms that change nothing in any row.
"""
import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

import accuracy

HERE = os.path.dirname(os.path.abspath(__file__))
RECORDED = "recorded: an H200, a square load"
WHOLE = ""


def mechanisms():
    with open(os.path.join(HERE, "../../analyzer/response/ablation.h"), encoding="utf-8") as file:
        return re.findall(r'ROW\(\w+,\s*"([^"]+)"', file.read())


def report(build, trace, mechanism):
    environment = dict(os.environ, PWRTRACE_ABLATE=mechanism)
    return json.loads(subprocess.run([f"{build}/ablation/bin/pwrtrace", "report", "--format", "json",
                                      "--library", "none", trace],
                                     check=True, stdout=subprocess.PIPE, env=environment).stdout)


def reports(build, trace, names):
    return {name: report(build, trace, name) for name in [WHOLE, *names]}


def of_seed(build, settings, names):
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "trace")
        truth = json.loads(subprocess.run([*accuracy.ROADS["written"](build), *settings.split(), trace],
                                          check=True, stdout=subprocess.PIPE).stdout)
        return truth, reports(build, trace, names)


def of_recording(build, names):
    """The whole's own energies stand for the truth."""
    with tempfile.TemporaryDirectory() as folder:
        text = subprocess.run(["/usr/bin/python3", os.path.join(HERE, "../e2e/h200_trace.py"),
                               os.path.join(HERE, "../data/h200-square")], check=True, stdout=subprocess.PIPE).stdout
        trace = os.path.join(folder, "trace")
        subprocess.run([f"{build}/tests/trace_text", trace], check=True, input=text)
        found = reports(build, trace, names)
    classes = [{"name": row["short_name"], "energy_j": row["energy_j"], "executions": row["executions"]}
               for row in found[WHOLE]["rows"] if row["energy_j"]]
    return {"classes": classes, "static_w": found[WHOLE]["fits"][0]["static_w"] or 0}, found


class Tally:
    """The runs of a row without one mechanism."""

    def __init__(self):
        self.situation, self.widths, self.same = accuracy.Situation(), [], True

    def add(self, truth, found, whole):
        self.situation.add(truth, found, False)
        self.widths += [100 * row["ci95_j"] / row["energy_j"] for row in found["rows"]
                        if row["energy_j"] and row["ci95_j"] is not None]
        self.same &= found["rows"] == whole["rows"]

    def line(self, name):
        mean, situation = accuracy.mean, self.situation
        return (f"  {name or 'the whole':20} {mean(situation.classes):8.3f} {max(situation.classes):7.2f}"
                f" {mean(self.widths):8.3f} {100 * mean(situation.covered):7.1f}"
                f" {mean(situation.groups):8.3f} {mean(situation.counts):6.1f}")


def table(title, runs, names):
    """Prints a row; returns the mechanisms without which no report differs."""
    tallies = {name: Tally() for name in [WHOLE, *names]}
    for truth, found in runs:
        for name, tally in tallies.items():
            tally.add(truth, found[name], found[WHOLE])
    print(title)
    for name, tally in tallies.items():
        if name == WHOLE or not tally.same:
            print(tally.line(name))
    sys.stdout.flush()
    return {name for name in names if tallies[name].same}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--seeds", type=int, default=8)
    parser.add_argument("--rows", default="")
    parser.add_argument("--mechanisms", default="")
    parser.add_argument("--settings", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    names = options.mechanisms.split(",") if options.mechanisms else mechanisms()
    runners = concurrent.futures.ThreadPoolExecutor(options.jobs)
    idle = set(names)

    print(f"{f'without, {options.seeds} seeds':22} error, mean  worst   ± 95 %  held, % groups  told apart")
    for title, settings, *_ in [*accuracy.ROWS, (RECORDED, None)]:
        if options.rows and title not in options.rows.split(";"):
            continue
        if settings is None:
            runs = [of_recording(options.build, names)]
        else:
            runs = runners.map(lambda seed, words=f"{settings} {options.settings}": of_seed(
                options.build, f"{words} seed={seed}", names), range(1, options.seeds + 1))
        idle &= table(title, runs, names)
    print("changes nothing in any of these rows:", ", ".join(sorted(idle, key=names.index)) or "none")


if __name__ == "__main__":
    main()
