# SPDX-License-Identifier: MIT
"""A kernel written in Triton."""
import triton
import triton.language as tl

from client import print_counts, print_kernel, torch_on_gpu

torch = torch_on_gpu()
TIMES, ELEMENTS, BLOCK = 100, 1 << 16, 1024


@triton.jit
def add_vectors(a, b, total, count, block: tl.constexpr):
    index = tl.program_id(0) * block + tl.arange(0, block)
    inside = index < count
    tl.store(total + index, tl.load(a + index, inside) + tl.load(b + index, inside), inside)


def main():
    a = torch.empty(ELEMENTS, device="cuda").fill_(1)
    b = torch.empty(ELEMENTS, device="cuda").fill_(2)
    total = torch.empty(ELEMENTS, device="cuda")
    for _ in range(TIMES):
        add_vectors[(ELEMENTS // BLOCK,)](a, b, total, ELEMENTS, BLOCK)
    torch.cuda.synchronize()
    assert total.cpu()[-1].item() == 3
    print_kernel("add_vectors", TIMES)
    print_counts(kernels=TIMES + 2, memory=1)


main()
