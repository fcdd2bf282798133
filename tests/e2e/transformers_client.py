#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A server of a stand-in for transformers (tests/e2e/stand_ins), which answers requests that it batches
continuously.  usage: transformers_client.py [async]

Prints how many kernels it launched, and of each request how many tokens went in and came out."""
import ctypes
import sys

import torch
from transformers.generation.continuous_batching import ContinuousBatchingManager, continuous_api

cuda = ctypes.CDLL("libcuda.so.1")
launched = 0


def open_device():
    context, module, function = (ctypes.c_void_p() for _ in range(3))
    cuda.cuInit(0)
    cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
    cuda.cuCtxSetCurrent(context)
    cuda.cuModuleLoadData(ctypes.byref(module), b"")
    cuda.cuModuleGetFunction(ctypes.byref(function), module, b"_Z5shortILm2000EEvv")
    return context, function


context, kernel = open_device()


def launch(count):
    global launched
    cuda.cuCtxSetCurrent(context)
    for _ in range(count):
        cuda.cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, None, None, None)
    launched += count


continuous_api.launch = launch
launch(3)  # the model is loaded
manager = ContinuousBatchingManager("async" in sys.argv)
prompts = {manager.add_request(range(100), max_new_tokens=5): 100,
           manager.add_request([1] * 20, "a prompt", 9): 20,
           manager.add_request(range(50), max_new_tokens=1): 50}
outputs = manager.run()
cuda.cuCtxSynchronize()
for name in sorted(prompts):
    print(f"request {name}: {prompts[name]} tokens in, {len(outputs[name])} out")
print(f"kernels={launched}")
