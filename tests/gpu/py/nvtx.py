# SPDX-License-Identifier: MIT
"""Operators with NVTX ranges around them."""
from client import print_counts, torch_on_gpu

torch = torch_on_gpu()
STEPS = 200


def main():
    x = torch.empty(1 << 16, device="cuda")
    with torch.autograd.profiler.emit_nvtx():
        for step in range(STEPS):
            with torch.cuda.nvtx.range(f"step {step % 4}"):
                x.add_(1)
    torch.cuda.synchronize()
    print_counts(kernels=STEPS, memory=0)


main()
