# SPDX-License-Identifier: MIT
"""How long a step takes, in milliseconds: the median of short series.

usage: step_times.py [--profiler | --samples LIBRARY | --layers] WAY...

WAY is train, eager or graph, of the transformer with a size that keeps the GPU busy; or one of them
with -small behind it, where the GPU waits for the launches; or generate, of a Hugging Face Llama.
--profiler: torch.profiler records meanwhile, as a program's own profiler would.
--samples: libthread_samples.so samples the threads that launch, and WAY_own is how long they were in pwrtrace's
libraries and in reading the clock, of each step.
--layers: for a recording by PWRTRACE_LAYERS=torch.  Steps in which modules are layers, and steps in which they
are not, take turns, and each WAY_layers is by how many percent the former are longer, in the median of a few
turns: on a machine with neighbours a single step may take twice its time.
"""
import ctypes
import os
import re
import statistics
import sys
import tempfile
import time
import types

import model as transformer

torch = transformer.torch
WARM_UP_S, MEASURED_S, STEPS = 0.5, 1.0, 10
GENERATION_S = 4.0  # as its steps are long
TURN_TOKENS = 5  # of a generation that takes turns
TURNS = 7  # of a figure
BUSY_BATCH = 64
MAKE = {"train": transformer.make_train_step, "eager": transformer.make_inference,
        "graph": transformer.make_graph}


class Layers:
    """What pwrtrace has patched to name layers, each function with the program's own."""

    def __init__(self):
        places = ((torch.nn.Module, "__call__"), (torch.autograd, "backward"), (torch.optim.AdamW, "step"))
        functions = [(owner, name, getattr(owner, name)) for owner, name in places]
        self.patched = [function for function in functions if self.original(function[2])]
        assert self.patched, "modules are no layers here"

    @staticmethod
    def original(patch):
        if isinstance(patch, types.MethodDescriptorType):  # of a module
            return torch.nn.Module._wrapped_call_impl
        held = dict(zip(patch.__code__.co_freevars, patch.__closure__ or ()))
        return held["original"].cell_contents if "original" in held else None

    def switch(self, on):
        for owner, name, patch in self.patched:
            setattr(owner, name, patch if on else self.original(patch))

    def turn_percent(self, step):
        """By how much steps off, on, on, off differ."""
        times_ms = []
        for on in (False, True, True, False):
            self.switch(on)
            times_ms.append(series_ms(step, 1))
        off_ms, on_ms = times_ms[0] + times_ms[3], times_ms[1] + times_ms[2]
        return 100 * (on_ms / off_ms - 1)

    def added_percents(self, step, measured_s):
        end_s = time.perf_counter() + measured_s
        while time.perf_counter() < end_s:
            yield statistics.median(self.turn_percent(step) for _ in range(TURNS))
        self.switch(True)


class Sampler:
    """Samples of the thread that calls and of the one that computes gradients."""

    EVERY_MS = 0.097  # THREAD_SAMPLES_EVERY_NS
    OWN = re.compile("libpwrtrace|linux-vdso")

    def __init__(self, library):
        self.library = ctypes.CDLL(library)
        self.library.thread_samples_begin.restype = None
        self.library.thread_samples_begin()
        value = torch.ones(1, device="cuda", requires_grad=True)
        value.register_hook(lambda _: self.library.thread_samples_begin())
        (2 * value).sum().backward()

    def own_ms(self):
        """How long the threads were in pwrtrace since the last call."""
        with tempfile.NamedTemporaryFile("r", encoding="utf-8") as file:
            self.library.thread_samples_write(file.name.encode())
            return self.EVERY_MS * sum(bool(self.OWN.search(line)) for line in file)


def series_ms(step, steps):
    torch.cuda.synchronize()
    begin_s = time.perf_counter()
    for _ in range(steps):
        step()
    torch.cuda.synchronize()
    return (time.perf_counter() - begin_s) * 1e3 / steps


def measure_ms(sampler, step, steps, measured_s):
    """How long a step takes, and how much of it in pwrtrace, or None."""
    for limit_s in (WARM_UP_S, measured_s):
        if sampler:
            sampler.own_ms()
        series, end_s = [], time.perf_counter() + limit_s
        while time.perf_counter() < end_s:
            series.append(series_ms(step, steps))
    return statistics.median(series), sampler and sampler.own_ms() / (len(series) * steps)


def make(way, **of_generation):
    """The step of a way, how many are measured at a time, and for how long in all."""
    if way == "generate":
        from llama import make_generation
        return make_generation(**of_generation), 1, GENERATION_S
    name, _, size = way.partition("-")
    batch = transformer.BATCH if size == "small" else BUSY_BATCH
    return MAKE[name](*transformer.make(batch)), STEPS, MEASURED_S


def way_ms(way, sampler=None):
    """measure_ms of a way."""
    return measure_ms(sampler, *make(way))


def main():
    ways = sys.argv[1:]
    profile = sampler = None
    if ways[0] == "--samples":
        sampler = Sampler(ways[1])
        del ways[:2]
    elif ways[0] == "--layers":
        for way in ways[1:]:
            step, _, measured_s = make(way, tokens=TURN_TOKENS)
            series_ms(step, STEPS)
            for percent in Layers().added_percents(step, 4 * measured_s):
                print(f"{way}_layers={percent:.4f}", flush=True)
        return
    elif ways[0] == "--profiler":
        ways.pop(0)
        profile = torch.profiler.profile(activities=[
            torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA])
        profile.start()
    for way in ways:
        step_ms, own_ms = way_ms(way, sampler)
        print(f"{way}={step_ms:.5f}", flush=True)
        if sampler:
            print(f"{way}_own={own_ms:.5f}", flush=True)
    if profile:
        os._exit(0)  # what it would make of its records is not of interest


if __name__ == "__main__":
    main()
