#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What recording by CUPTI alone costs, without pwrtrace, in several of its configurations.

usage: cupti_floor.py [--pairs N] [--limit SECONDS] [--samples FILE] [--only NAME,...] WAY...

WAY is empty (a launch of an empty kernel), or one of py/step_times.py.  Configurations run in turns,
back and forth, and each is compared with the sample of plain of its group.  Samples are appended to FILE as
they come, and those that it has count too.  For PyTorch, one process imports it, and each sample is a child of that.
Needs build/tests/gpu/count_records.so and empty_launches (make gpu-clients).

Measured on an H100 with CUDA 13 on 2026-11-23, as what is added to plain:
  empty, 3 pairs (medians, in %): spare 7.5, one-host-buffer 10.6, spare-zeroed 10.1, as-pwrtrace 7.2; default
  26.1; synchronization 70.7.  Intervals are some 20 to 100 % wide on either side, so this only chooses what
  to look at.  semaphores is refused (27), hardware-trace too (15).
  10 pairs (means with their 95 % intervals, in %):
                        train-small             generate
    as-pwrtrace          8.2 (-5.6 .. 21.9)     17.6 (3.4 .. 31.9)
    as-pwrtrace-64M     11.6 (-9.0 .. 32.2)     16.0 (5.5 .. 26.6)
    as-pwrtrace-zeroed   8.9 (-10.1 .. 27.8)    19.1 (5.6 .. 32.6)
  These do not differ as far as the intervals tell, so pwrtrace keeps its configuration.
"""
import argparse
import collections
import ctypes
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import traceback

from paired import interval

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.join(HERE, "../../build/tests/gpu")
MIB = 1 << 20
CHILD_S = 90  # at most
GROUP = 6  # configurations between two samples of plain
# Names, and what they are in CUPTI_SETUP; None: without CUPTI.
CONFIGURATIONS = {
    "plain": None,
    "default": "",
    "kernels-only": "memory=0",
    "serial-kernels": "serial=1",
    "synchronization": "synchronization=1",
    "device-1M": f"device-buffer={1 * MIB}",
    "device-16M": f"device-buffer={16 * MIB}",
    "device-64M": f"device-buffer={64 * MIB}",
    "device-64M-first-8": f"device-buffer={64 * MIB} device-buffers-first=8",
    "device-first-16": "device-buffers-first=16",
    "pinned": "pinned=1",
    "pinned-64M": f"pinned=1 device-buffer={64 * MIB}",
    "semaphores": "semaphores=65536",
    "host-8M": f"host-buffer={8 * MIB}",
    "host-64K": f"host-buffer={64 << 10}",
    "spare": "spare-buffers=8",
    "spare-zeroed": "spare-buffers=8 zeroed=1",
    "spare-zeroed-8M": f"host-buffer={8 * MIB} spare-buffers=8 zeroed=1",
    "one-host-buffer": "per-thread=0",
    "our-clock": "our-clock=1",
    "callbacks-single": "callbacks=1",
    "callbacks-domain": "callbacks=2",
    "flush-100ms": "flush-ms=100",
    "flush-1s": "flush-ms=1000",
    "flush-period-100ms": "flush-period-ms=100",
    "hardware-trace": "hardware-trace=1",
    # As pwrtrace uses it, and that with what may be cheaper.
    "as-pwrtrace": "spare-buffers=4 our-clock=1 callbacks=1 flush-ms=100",
    "as-pwrtrace-pinned": "spare-buffers=4 our-clock=1 callbacks=1 flush-ms=100 pinned=1",
    "as-pwrtrace-64M": f"spare-buffers=4 our-clock=1 callbacks=1 flush-ms=100 device-buffer={64 * MIB}",
    "as-pwrtrace-zeroed": "spare-buffers=4 our-clock=1 callbacks=1 flush-ms=100 zeroed=1",
    "as-pwrtrace-flush-1s": "spare-buffers=4 our-clock=1 callbacks=1 flush-ms=1000",
}
UNITS = {"empty": "ns"}


def environment(name, folder):
    """The environment of a sample, to be added to this process's."""
    if CONFIGURATIONS[name] is None:
        return {}
    return {"CUDA_INJECTION64_PATH": os.path.join(PROGRAMS, "count_records.so"),
            "COUNT_RECORDS": os.path.join(folder, "count"), "CUPTI_SETUP": CONFIGURATIONS[name]}


def run_program(env, errors):
    """What a launch of an empty kernel took."""
    done = subprocess.run([os.path.join(PROGRAMS, "empty_launches"), "--batches", "12"], env=os.environ | env, stdout=subprocess.PIPE,
                          stderr=errors, text=True, timeout=60, check=True)
    return {"empty": float(done.stdout.split("launch_ns=")[1].split()[0])}


def import_torch(ways):
    """Imports what the children need and does not use CUDA, which does not outlive a fork."""
    sys.path.insert(0, os.path.join(HERE, "py"))
    # Asks NVML whether there is a GPU, as CUDA must not be used before the fork.
    os.environ["PYTORCH_NVML_BASED_CUDA_CHECK"] = "1"
    import torch
    if "generate" in ways:
        try:
            from transformers import LlamaForCausalLM
        except ImportError:
            pass
    assert not torch.cuda.is_initialized()


def time_steps(ways, env, out):
    """The life of a child.  It ends as C programs do, so that count_records.so writes its count, and never returns."""
    try:
        signal.alarm(CHILD_S)
        os.environ.update(env)
        import step_times
        for way in ways:
            print(way, step_times.way_ms(way)[0], file=out, flush=True)
        ctypes.CDLL(None).exit(0)
    except BaseException:  # pylint: disable=broad-except
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(1)


def run_child(ways, env, errors):
    """What steps took, in a child that this process forks."""
    ours, theirs = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.close(ours)
        os.dup2(errors.fileno(), 2)
        time_steps(ways, env, os.fdopen(theirs, "w"))
    os.close(theirs)
    with os.fdopen(ours) as lines:
        times = {way: float(ms) for way, ms in map(str.split, lines)}
    os.waitpid(child, 0)
    return times


def run_fresh(ways, env, errors):
    """As run_child, in a process that imports PyTorch itself."""
    done = subprocess.run([sys.executable, os.path.join(HERE, "py/step_times.py"), *ways], env=os.environ | env,
                          stdout=subprocess.PIPE, stderr=errors, text=True, timeout=CHILD_S, check=False)
    times = (line.split("=") for line in done.stdout.splitlines() if "=" in line)
    return {way: float(ms) for way, ms in times if way in ways}


def sample(name, ways, run_steps):
    """The times of a run by way, and what is to be noted of it."""
    with tempfile.TemporaryDirectory() as folder, open(os.path.join(folder, "errors"), "w+") as errors:
        env, times = environment(name, folder), {}
        if "empty" in ways:
            times |= run_program(env, errors)
        steps = [way for way in ways if way != "empty"]
        if steps:
            times |= run_steps(steps, env, errors)
        errors.seek(0)
        notes = {line[15:].strip() for line in errors if line.startswith("count_records: ")}
        if set(times) != set(ways):
            errors.seek(0)
            notes.add("failed: " + (errors.read().strip().splitlines() or ["no message"])[-1])
        counts = [open(os.path.join(folder, entry)).read().split() for entry in os.listdir(folder)
                  if entry.startswith("count.")]
        if env and (not counts or any("kernels=0" in words for words in counts)):
            notes.add("no kernel was counted")
        for words in counts:
            notes |= {word for word in words if word.startswith("dropped=") and word != "dropped=0"}
        return times, sorted(notes)


def table(samples):
    """Prints what each configuration adds to plain, cheapest first."""
    by_turn, notes = collections.defaultdict(dict), collections.defaultdict(set)
    for row in samples:
        for way, value in row["times"].items():
            by_turn[way, row["turn"]][row["name"]] = value
        notes[row["name"]].update(row["notes"])
    for way in dict.fromkeys(way for way, _ in by_turn):
        turns = [values for (of, _), values in by_turn.items() if of == way and "plain" in values]
        if not turns:
            continue
        unit = UNITS.get(way, "ms")
        print(f"{way}: {statistics.median(turn['plain'] for turn in turns):.2f} {unit} without CUPTI")
        rows = []
        for name in CONFIGURATIONS:
            pairs = [(turn["plain"], turn[name]) for turn in turns if name in turn]
            if name != "plain" and pairs:
                percent = interval([(with_cupti / plain - 1) * 100 for plain, with_cupti in pairs])
                rows.append((percent[1], name, percent, interval([b - a for a, b in pairs]), len(pairs)))
        for _, name, (middle, mean, low, high), absolute, count in sorted(rows):
            print(f"  {name:22} {middle:+7.2f} %  mean {mean:+7.2f} ({low:+7.2f} .. {high:+7.2f}) %  "
                  f"{absolute[0]:+9.3f} {unit}  {count:3} pairs  {'; '.join(sorted(notes[name]))}")


def read_samples(path):
    if not path or not os.path.exists(path):
        return []
    with open(path) as file:
        return [json.loads(line) for line in file]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--limit", type=float, default=540, metavar="SECONDS")
    parser.add_argument("--samples", metavar="FILE")
    parser.add_argument("--only", metavar="NAME,...", default=",".join(CONFIGURATIONS))
    parser.add_argument("--fresh", action="store_true", help="import PyTorch for each sample anew")
    parser.add_argument("ways", nargs="+", metavar="WAY")
    options = parser.parse_args()
    names = [name for name in options.only.split(",") if name != "plain"]
    unknown = [name for name in names if name not in CONFIGURATIONS]
    if unknown:
        sys.exit(f"unknown configurations: {' '.join(unknown)}; there are {' '.join(CONFIGURATIONS)}")
    run_steps = run_fresh if options.fresh else run_child
    if options.pairs and not options.fresh and set(options.ways) != {"empty"}:
        import_torch(options.ways)
    samples = read_samples(options.samples)
    begun, longest = time.monotonic(), 0
    turn = max((row["turn"] for row in samples), default=-1)
    groups = [names[at:at + GROUP] for at in range(0, len(names), GROUP)]
    for group, forth in ((group, pair % 2 == 0) for pair in range(options.pairs)
                         for group in (groups if pair % 2 == 0 else groups[::-1])):
        turn += 1
        group = ["plain"] + group
        for name in group if forth else group[::-1]:
            started = time.monotonic()
            if started + longest - begun > options.limit:
                print(f"{options.limit:.0f} s are over: turn {turn} is not complete")
                return table(samples)
            try:
                times, notes = sample(name, options.ways, run_steps)
            except (OSError, subprocess.SubprocessError, IndexError, ValueError) as error:
                times, notes = {}, [f"failed: {error}"]
            longest = max(longest, time.monotonic() - started)
            samples.append({"turn": turn, "name": name, "times": times, "notes": notes})
            if options.samples:
                with open(options.samples, "a") as file:
                    file.write(json.dumps(samples[-1]) + "\n")
            if run_steps == run_child and any("failed" in note for note in notes) and name == "plain":
                print(f"{'; '.join(notes)}: each sample imports PyTorch anew")
                run_steps = run_fresh
    table(samples)
    print(f"{time.monotonic() - begun:.0f} s, {longest:.1f} s for the longest sample")
    return None


main()
