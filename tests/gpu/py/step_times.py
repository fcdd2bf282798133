# SPDX-License-Identifier: MIT
"""How long a step takes, in milliseconds: the median of short series.

usage: step_times.py [--profiler] WAY...

WAY is train, eager or graph, of the transformer with a size that keeps the GPU busy; or one of them
with -small behind it, where the GPU waits for the launches; or generate, of a Hugging Face Llama.
--profiler: torch.profiler records meanwhile, as a program's own profiler would.
"""
import os
import statistics
import sys
import time

import model as transformer

torch = transformer.torch
WARM_UP_S, MEASURED_S, STEPS = 0.5, 1.0, 10
GENERATION_S = 4.0  # as its steps are long
BUSY_BATCH = 64
MAKE = {"train": transformer.make_train_step, "eager": transformer.make_inference,
        "graph": transformer.make_graph}


def series_ms(step, steps):
    torch.cuda.synchronize()
    begin_s = time.perf_counter()
    for _ in range(steps):
        step()
    torch.cuda.synchronize()
    return (time.perf_counter() - begin_s) * 1e3 / steps


def measure_ms(step, steps=STEPS, measured_s=MEASURED_S):
    for limit_s in (WARM_UP_S, measured_s):
        series, end_s = [], time.perf_counter() + limit_s
        while time.perf_counter() < end_s:
            series.append(series_ms(step, steps))
    return statistics.median(series)


def way_ms(way):
    """How long a step of a way takes."""
    if way == "generate":
        from llama import make_generation
        return measure_ms(make_generation(), 1, GENERATION_S)
    name, _, size = way.partition("-")
    batch = transformer.BATCH if size == "small" else BUSY_BATCH
    return measure_ms(MAKE[name](*transformer.make(batch)))


def main():
    ways = sys.argv[1:]
    profile = None
    if ways[0] == "--profiler":
        ways.pop(0)
        profile = torch.profiler.profile(activities=[
            torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA])
        profile.start()
    for way in ways:
        print(f"{way}={way_ms(way):.5f}", flush=True)
    if profile:
        os._exit(0)  # what it would make of its records is not of interest


if __name__ == "__main__":
    main()
