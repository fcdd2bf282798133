# SPDX-License-Identifier: MIT
"""What the Python clients share; see ../clients/client.h."""
import sys

SKIPPED = 77


def skip(why):
    print(f"skipped: {why}", flush=True)
    sys.exit(SKIPPED)


def torch_on_gpu(gpus=1):
    """PyTorch, or the end of this client where it sees fewer GPUs."""
    import torch

    if torch.cuda.device_count() < gpus:
        skip(f"torch sees {torch.cuda.device_count()} GPU(s), {gpus} are needed")
    return torch


def print_counts(**counts):
    print(" ".join(f"{name}={count}" for name, count in counts.items()), flush=True)


def print_kernel(name, count):
    print(f"kernel:{name}={count}", flush=True)
