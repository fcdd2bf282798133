# SPDX-License-Identifier: MIT
"""How long a step of the transformer takes, in milliseconds: the median of short series.

usage: step_times.py [--profiler] WAY...

WAY is train, eager or graph, with a size that keeps the GPU busy; or one of them with -small
behind it, where the GPU waits for the launches.
--profiler: torch.profiler records meanwhile, as a program's own profiler would.
"""
import os
import statistics
import sys
import time

import model as transformer

torch = transformer.torch
WARM_UP_S, MEASURED_S, STEPS = 0.5, 1.0, 10
BUSY_BATCH = 64
MAKE = {"train": transformer.make_train_step, "eager": transformer.make_inference,
        "graph": transformer.make_graph}


def series_ms(step):
    torch.cuda.synchronize()
    begin_s = time.perf_counter()
    for _ in range(STEPS):
        step()
    torch.cuda.synchronize()
    return (time.perf_counter() - begin_s) * 1e3 / STEPS


def measure_ms(step):
    for limit_s in (WARM_UP_S, MEASURED_S):
        series, end_s = [], time.perf_counter() + limit_s
        while time.perf_counter() < end_s:
            series.append(series_ms(step))
    return statistics.median(series)


def main():
    ways = sys.argv[1:]
    profile = None
    if ways[0] == "--profiler":
        ways.pop(0)
        profile = torch.profiler.profile(activities=[
            torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA])
        profile.start()
    for way in ways:
        name, _, size = way.partition("-")
        batch = transformer.BATCH if size == "small" else BUSY_BATCH
        print(f"{way}={measure_ms(MAKE[name](*transformer.make(batch))):.5f}", flush=True)
    if profile:
        os._exit(0)  # what it would make of its records is not of interest


main()
