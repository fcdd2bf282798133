#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Waits until the first GPU's total-energy counter ticks, and prints when, in nanoseconds of
CLOCK_MONOTONIC, and the counter in millijoules.  It knows NVML and nothing of pwrtrace."""
import ctypes
import time

nvml = ctypes.CDLL("libnvidia-ml.so.1")


def call(name, *arguments):
    status = getattr(nvml, name)(*arguments)
    if status:
        raise SystemExit(f"{name}: error {status}")


def read_mj(device):
    energy_mj = ctypes.c_ulonglong()
    call("nvmlDeviceGetTotalEnergyConsumption", device, ctypes.byref(energy_mj))
    return energy_mj.value


def main():
    device = ctypes.c_void_p()
    call("nvmlInit_v2")
    call("nvmlDeviceGetHandleByIndex_v2", 0, ctypes.byref(device))
    first_mj = now_mj = read_mj(device)
    while now_mj == first_mj:
        now_mj = read_mj(device)
    print(time.monotonic_ns(), now_mj)


main()
