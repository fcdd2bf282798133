#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Kernels launched along known paths of Python functions; prints what cl_stacks prints."""
import ctypes
import threading

import pyopencl

context = pyopencl.create_some_context(False)
queue = pyopencl.CommandQueue(context)
kernel = pyopencl.Program(context, "kernel void empty(void) {}").build().empty
started = 0


def expect(kernels, path):
    global started
    started += kernels
    print(f"path {kernels} {path};*enqueue_knl_empty;*")


def leaf():
    kernel(queue, (1,), None)


def outer(times):
    for _ in range(times):
        leaf()


class Größe:
    def __call__(self):
        outer(2)


def generator():
    leaf()
    yield


def recursive(depth):
    return recursive(depth - 1) if depth else leaf()


def by_callback():
    ctypes.CFUNCTYPE(None)(leaf)()


def first():
    leaf()


def second():
    leaf()


leaf()
expect(1, "<module>;leaf")
outer(3)
expect(3, "<module>;outer;leaf")
Größe()()
expect(2, "<module>;Größe.__call__;outer;leaf")
list(generator())
expect(1, "<module>;generator;leaf")
recursive(2)
expect(1, "<module>;recursive;recursive;recursive;leaf")
by_callback()
expect(1, "<module>;by_callback;*ffi_call;*leaf")
sorted([2, 1], key=lambda number: leaf() or number)
expect(2, "<module>;<lambda>;leaf")
exec("leaf()")
expect(1, "<module>;<module>;leaf")
# Code that is freed, and other code in its place.
for turn in range(20):
    exec(f"def made_{turn}(): leaf()\nmade_{turn}()")
    expect(1, f"<module>;<module>;made_{turn};leaf")
for _ in range(5):
    first()
    second()
expect(5, "<module>;first;leaf")
expect(5, "<module>;second;leaf")
threads = [threading.Thread(target=outer, args=(4,)) for _ in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
expect(12, "Thread._bootstrap;Thread._bootstrap_inner;Thread.run;outer;leaf")
queue.finish()
print(f"kernels={started}")
