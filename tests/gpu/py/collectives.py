# SPDX-License-Identifier: MIT
"""Two processes on two GPUs that add up by NCCL, few bytes and many, beside a product of matrices:
torchrun --nproc-per-node=2 collectives.py"""
import os

from client import print_counts, torch_on_gpu

torch = torch_on_gpu(2)
KIB, MIB = 1 << 10, 1 << 20
# Bytes, how often, and what bounds them.
SIZES = ((64 * KIB, "64 KiB", 200, "latency"), (128 * KIB, "128 KiB", 200, "latency"),
         (512 * MIB, "512 MiB", 40, "bandwidth"), (1024 * MIB, "1 GiB", 40, "bandwidth"))
SIDE = 8192


def main():
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    torch.distributed.init_process_group("nccl", device_id=torch.device("cuda", rank))
    a = torch.randn(SIDE, SIDE, device="cuda", dtype=torch.bfloat16)
    beside = torch.cuda.Stream()
    for size, _, times, _ in SIZES:
        x = torch.zeros(size // 4, device="cuda")
        for i in range(times):
            if i % 10 == 0:
                with torch.cuda.stream(beside):
                    torch.mm(a, a)
            torch.distributed.all_reduce(x)
        torch.cuda.synchronize()
    torch.distributed.destroy_process_group()
    if rank == 0:
        for _, name, times, bound in SIZES:
            print(f"collective:all_reduce {name}={2 * times}")
            print(f"bound:all_reduce {name}={bound}-bound")
        print_counts(devices=2)


main()
