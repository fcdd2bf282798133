#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whether an NVIDIA GPU's counters can be read as time goes by, beside CUPTI's tracing, and at what cost.

usage: counters.py [--limit SECONDS] [EXPERIMENT...]

Reads CUPTI's PM sampling, which triggers by time and replays nothing, and NVML's GPM, while a load runs whose
activity is known: kernels of about a millisecond, in random order, that note the device's time themselves.
Each experiment is a process of its own, so that a crash or hang of one says that and costs no other.  Changes no
setting of the card.  Needs libcuda, libcupti (CUPTI names another), libnvidia-ml and numpy, but no headers.
"""
import argparse
import ctypes
import os
import signal
import statistics
import subprocess
import sys
import threading
import time
from ctypes import byref, c_char_p, c_double, c_int, c_uint32, c_void_p

import numpy as np

from known_load import KINDS, Load, NvidiaError, check, load_library, say
from paired import interval
from pm_sampling import METRICS, Sampler, Tracer, load_cupti

INTERVALS_NS = (100_000, 50_000, 20_000, 1_000_000, 10_000_000)
PAIRS = 3
# NVML_GPM_METRIC_*
GPM = {"GR": 1, "SM": 2, "tensor": 5, "DRAM": 10, "fma": 12}


def shares(kernels, begins, ends):
    """What share of each stretch from begins to ends was of each of KINDS, a column each."""
    columns = []
    for kind in KINDS:
        at, busy = [0.0], [0.0]
        for begin, end in ((begin, end) for of, begin, end in kernels if of == kind):
            at += [begin, end]
            busy += [busy[-1], busy[-1] + end - begin]
        columns.append((np.interp(ends, at, busy) - np.interp(begins, at, busy)) / np.maximum(ends - begins, 1))
    return np.stack(columns, 1)


def fit(kernels, begins, ends, values, offset_ns=0.0):
    """(activities, residuals' rms, rows) of values (rows of columns) by kind, if begins and ends lag by offset_ns."""
    begins, ends = begins - offset_ns, ends - offset_ns
    inside = (begins > min(row[1] for row in kernels)) & (ends < max(row[2] for row in kernels))
    if inside.sum() <= len(KINDS):
        return None, None, int(inside.sum())
    share = shares(kernels, begins[inside], ends[inside])
    activity, *_ = np.linalg.lstsq(share, values[inside], rcond=None)
    return activity, np.sqrt(np.mean((values[inside] - share @ activity) ** 2, 0)), int(inside.sum())


def find_offset(kernels, begins, ends, values):
    """By how many ns the samples' clock lags the kernels', from when values change."""
    best = 0.0 if abs(begins[0] - kernels[0][1]) < 1e9 else begins[0] - kernels[0][1]
    for reach, step in ((20e6, 2e5), (4e5, 2e4), (4e4, 2e3)):
        tried = np.arange(best - reach, best + reach + 1, step)
        errors = ((fit(kernels, begins, ends, values, offset)[1], offset) for offset in tried)
        known = [(error.sum(), offset) for error, offset in errors if error is not None]
        if not known:
            break
        best = min(known)[1]
    return best


def print_fit(kernels, begins, ends, columns, offset_ns):
    values = np.array(list(columns.values())).T
    activity, rms, rows = fit(kernels, begins, ends, values, offset_ns)
    if activity is None:
        say(f"    {rows} samples within the load are too few to tell kinds apart")
        return
    say(f"    {rows} samples within it   " + " ".join(f"{name:>8}" for name in columns))
    for kind, row in zip(KINDS, activity):
        say(f"      {kind:23}" + " ".join(f"{value:8.2f}" for value in row))
    say(f"      {'rms of what is left':23}" + " ".join(f"{value:8.2f}" for value in rms))


def shown(pairs, unit="%"):
    _, mean, low, high = interval([(with_it / without - 1) * 100 for without, with_it in pairs])
    return f"{mean:+.2f} ({low:+.2f} .. {high:+.2f}) {unit}"


def measure(load, sampler, interval_ns, offset_ns):
    """Pairs of runs with and without sampling.  Returns by how many ns the samples' clock lags the device's."""
    say(f"  every {interval_ns / 1000:g} us:")
    sampler.configure(interval_ns, load.seconds)
    steady, launches = [], []
    for pair in range(PAIRS):
        forth = pair % 2 == 0
        for times, work, cost in ((launches, load.launch, lambda ns: ns), (steady, load.run, Load.duration_ns)):
            plain = cost(work()) if forth else None
            result = sampler.during(work)
            times.append((plain if forth else cost(work()), cost(result)))
    kernels, samples = result, np.array(sampler.samples)
    say(f"    cost: load {shown(steady)}, launches {shown(launches)} of {statistics.median(p for p, _ in launches):.0f} ns")
    if not len(samples):
        say("    no samples")
        return offset_ns
    missing = {name: int(gaps) for name, gaps in zip(METRICS, np.isnan(samples[:, 2:]).sum(0)) if gaps}
    if missing:
        say(f"    samples without a value, taken for 0: {missing}")
        samples = np.nan_to_num(samples)
    begins, ends = samples[:, 0], samples[:, 1]
    count, widths = len(samples), ends - begins
    say(f"    {count} samples ({Load.duration_ns(kernels) / interval_ns:.0f} intervals in the load), overflow "
          f"{sampler.overflow}; width {np.median(widths) / 1e3:.2f} us ({widths.min() / 1e3:.2f} .. {widths.max() / 1e3:.2f}), "
          f"{int((np.diff(begins) > 1.5 * np.median(widths)).sum())} gaps; {sampler.bytes_per_sample:.0f} bytes each; "
          f"CPU per sample: decode {sampler.decode_s / count * 1e6:.1f}, evaluate {sampler.evaluate_s / count * 1e6:.1f} us")
    columns = {name: samples[:, 2 + at] / (1e6 if name == "clock" else 1) for at, name in enumerate(METRICS)}
    if interval_ns <= 100_000:
        offset_ns = find_offset(kernels, begins, ends, np.stack([columns["SM"], columns["tensor"], columns["read"]], 1))
        say(f"    the samples' clock is {offset_ns / 1e3:+.1f} us from the device's")
    print_fit(kernels, begins, ends, columns, offset_ns)
    return offset_ns


def sample_pm(load, cupti, trace=None):
    """trace is None, "first" (before sampling is enabled) or "last"."""
    tracer = Tracer(cupti) if trace == "first" else None
    before = [Load.duration_ns(load.run()) for _ in range(PAIRS)]
    launches = [load.launch() for _ in range(PAIRS)]
    sampler = Sampler(cupti, load.epoch_ns)
    say(f"    merely enabled: load {shown([(b, Load.duration_ns(load.run())) for b in before])}, "
          f"launches {shown([(b, load.launch()) for b in launches])} of {statistics.median(launches):.0f} ns")
    if trace == "last":
        tracer = Tracer(cupti)
    offset_ns = 0.0
    for interval_ns in INTERVALS_NS:
        try:
            offset_ns = measure(load, sampler, interval_ns, offset_ns)
        except NvidiaError as error:
            say(f"    every {interval_ns / 1000:g} us: {error}")
    if tracer:
        tracer.flush()
        tracer.begins.clear()
        kernels = load.run()
        tracer.flush()
        late = [traced - load.epoch_ns - begin for traced, (_, begin, _) in zip(sorted(tracer.begins), kernels)]
        say(f"  traced {len(tracer.begins)} of {len(kernels)} kernels, {tracer.dropped} dropped"
              + (f"; their begins are {statistics.median(late) / 1e3:+.1f} us from the device's clock" if late else ""))
    sampler.call_on_object("Disable")


def sample_as_rival(load, cupti):
    """Another process enables sampling while this one samples."""
    sampler = Sampler(cupti, load.epoch_ns)
    sampler.configure(100_000, load.seconds)
    sampler.during(lambda: subprocess.run([sys.executable, "-u", __file__, "--child", "bare"], timeout=30, check=False))
    say(f"  the first process has {len(sampler.samples)} samples, overflow {sampler.overflow}")


def sample_bare(load, cupti):
    sampler = Sampler(cupti, load.epoch_ns)
    sampler.configure(100_000, load.seconds)
    sampler.during(load.run)
    say(f"  {len(sampler.samples)} samples")


def sample_unprivileged(load, cupti):
    say("  as an ordinary user:")
    try:
        sample_bare(load, cupti)
    except NvidiaError as error:
        say(f"  {error}")
    sample_gpm(load, None, (10,))


class GpmMetric(ctypes.Structure):
    _fields_ = [("metric", c_uint32), ("status", c_int), ("value", c_double), ("names", c_char_p * 3)]


class GpmMetrics(ctypes.Structure):
    # NVML's array has as many as the version of its header knows: this is longer than any yet.
    _fields_ = [("version", c_uint32), ("count", c_uint32), ("samples", c_void_p * 2), ("metrics", GpmMetric * 512)]


def load_nvml():
    nvml = load_library("libnvidia-ml.so.1")
    nvml.nvmlErrorString.restype = c_char_p
    nvml.describe = lambda code: nvml.nvmlErrorString(code).decode()
    check(nvml, "nvmlInit_v2")
    device = c_void_p()
    check(nvml, "nvmlDeviceGetHandleByIndex_v2", 0, byref(device))
    return nvml, device


def take_gpm(nvml, device, kept, interval_s, done):
    """Fills kept, one after the other, every interval_s.  Returns when, and how long each call took, in ns."""
    whens, calls = [], []
    next_s = time.monotonic()
    for sample in kept:
        begun = time.monotonic_ns()
        check(nvml, "nvmlGpmSampleGet", device, sample)
        ended = time.monotonic_ns()
        whens.append((begun + ended) / 2)
        calls.append(ended - begun)
        if done.is_set():
            break
        next_s = max(next_s + interval_s, time.monotonic())
        time.sleep(max(0, next_s - time.monotonic()))
    return np.array(whens), calls


def gpm_values(nvml, kept):
    """Rows of the GPM metrics between samples that follow each other, NaN where NVML gives none, and what a call took."""
    rows, calls, statuses = [], [], set()
    for pair in zip(kept, kept[1:]):
        asked = GpmMetrics(1, len(GPM), (c_void_p * 2)(*pair))
        for at, number in enumerate(GPM.values()):
            asked.metrics[at].metric = number
        begun = time.monotonic_ns()
        code = nvml.nvmlGpmMetricsGet(byref(asked))
        calls.append(time.monotonic_ns() - begun)
        codes = {name: code or asked.metrics[at].status for at, name in enumerate(GPM)}
        rows.append([np.nan if codes[name] else asked.metrics[at].value for at, name in enumerate(GPM)])
        statuses |= set(codes.items())
    refused = sorted((name, nvml.describe(code)) for name, code in statuses if code)
    if refused:
        say(f"    refused: {refused}")
    return np.array(rows), calls


def sample_gpm(load, cupti, intervals_ms=(2, 5, 10, 100)):
    nvml, device = load_nvml()
    support = (c_uint32 * 2)(1, 0)
    check(nvml, "nvmlGpmQueryDeviceSupport", device, byref(support))
    say(f"  GPM supported: {support[1]}")
    streaming = c_uint32()
    try:
        check(nvml, "nvmlGpmQueryIfStreamingEnabled", device, byref(streaming))
        say(f"  GPM streaming: {streaming.value}")
    except NvidiaError as error:
        say(f"  {error}")
    kept = [c_void_p() for _ in range(400)]
    for sample in kept:
        check(nvml, "nvmlGpmSampleAlloc", byref(sample))
    for milliseconds in intervals_ms:
        times, taken, errors = [], [], []
        for _ in range(PAIRS):
            plain, done = Load.duration_ns(load.run(load.order * 3)), threading.Event()

            def take():
                try:
                    taken[:] = take_gpm(nvml, device, kept, milliseconds / 1000, done)
                except NvidiaError as error:
                    errors.append(error)

            thread = threading.Thread(target=take)
            thread.start()
            kernels = load.run(load.order * 3)
            done.set()
            thread.join()
            if errors:
                raise errors[0]
            times.append((plain, Load.duration_ns(kernels)))
        whens, calls = taken
        rows, reads = gpm_values(nvml, kept[:len(whens)])
        if not len(rows):
            continue
        say(f"  every {milliseconds} ms: load {shown(times)}; {len(rows)} pairs of samples, {np.isnan(rows).any(1).sum()} "
              f"without value, {int((np.abs(np.diff(rows[:, 1])) < 1e-9).sum())} as the one before; a sample takes "
              f"{statistics.median(calls) / 1e3:.0f} us ({max(calls) / 1e3:.0f} at most), metrics {statistics.median(reads) / 1e3:.0f}")
        times_ns = whens + load.device_lead_ns()
        say("    SM by pair: " + " ".join(f"{value:.0f}" for value in rows[:24, 1]))
        expected = shares(kernels, times_ns[:-1], times_ns[1:]) @ np.array([KINDS[kind].sm_share(load.sms) for kind in KINDS])
        say("    of the load: " + " ".join(f"{100 * value:.0f}" for value in expected[:24]))
        good = ~np.isnan(rows).any(1)
        print_fit(kernels, times_ns[:-1][good], times_ns[1:][good],
                  {name: rows[good][:, at] for at, name in enumerate(GPM)}, 0.0)
    if cupti:
        say("  GPM beside PM sampling, every 10 ms:")
        sampler = Sampler(cupti, load.epoch_ns)
        sampler.configure(100_000, load.seconds)
        sampler.during(lambda: sample_gpm(load, None, (10,)))
        say(f"  PM sampling has {len(sampler.samples)} samples")


EXPERIMENTS = {
    "pm": sample_pm,
    "tracing-first": lambda load, cupti: sample_pm(load, cupti, "first"),
    "sampling-first": lambda load, cupti: sample_pm(load, cupti, "last"),
    "gpm": sample_gpm,
    "rival": sample_as_rival,
    "unprivileged": sample_unprivileged,
}
NOBODY = 65534


def run_child(name):
    cupti = load_cupti()
    if name == "unprivileged" and os.getuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    (sample_bare if name == "bare" else EXPERIMENTS[name])(Load(), cupti)
    # CUPTI may call back at the end, when Python no longer can be.
    os._exit(0)


def say_where():
    """Who may profile here."""
    try:
        with open("/proc/driver/nvidia/params", encoding="utf-8") as file:
            say("; ".join(line.strip() for line in file if "Profiling" in line))
    except OSError as error:
        say(f"{error}")
    say(f"user {os.getuid()}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--limit", type=float, default=140, metavar="SECONDS", help="for all experiments together")
    parser.add_argument("--child", choices=[*EXPERIMENTS, "bare"], help=argparse.SUPPRESS)
    parser.add_argument("experiments", nargs="*", metavar="EXPERIMENT", help=", ".join(EXPERIMENTS))
    options = parser.parse_args()
    unknown = [name for name in options.experiments if name not in EXPERIMENTS]
    if unknown:
        sys.exit(f"unknown experiments: {' '.join(unknown)}; there are {' '.join(EXPERIMENTS)}")
    if options.child:
        # Nobody handles it, so that it ends a process that hangs in a library too.
        signal.alarm(60)
        try:
            return run_child(options.child)
        except (NvidiaError, OSError) as error:
            say(f"  counters: {error}")
            os._exit(1)
    say_where()
    begun = time.monotonic()
    for name in options.experiments or EXPERIMENTS:
        left = options.limit - (time.monotonic() - begun)
        if left < 5:
            say(f"{name}: not run, {options.limit:.0f} s are over")
            continue
        say(f"== {name}")
        started = time.monotonic()
        try:
            status = subprocess.run([sys.executable, "-u", __file__, "--child", name], timeout=min(left, 45), stderr=subprocess.STDOUT,
                                    check=False).returncode
        except subprocess.TimeoutExpired:
            status = "timeout"
        say(f"   {name}: {time.monotonic() - started:.1f} s, exit status {status}")
    return None


main()
