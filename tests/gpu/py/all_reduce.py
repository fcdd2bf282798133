# SPDX-License-Identifier: MIT
"""Two processes on two GPUs that add up by NCCL: torchrun --nproc-per-node=2 all_reduce.py"""
import os

from client import print_kernel, torch_on_gpu

torch = torch_on_gpu(2)
TIMES, ELEMENTS = 50, 1 << 20


def main():
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    torch.distributed.init_process_group("nccl", device_id=torch.device("cuda", rank))
    x = torch.full((ELEMENTS,), 1.0, device="cuda")
    for _ in range(TIMES):
        torch.distributed.all_reduce(x)
        x.div_(2)
    torch.cuda.synchronize()
    assert x[0].item() == 1
    torch.distributed.destroy_process_group()
    if rank == 0:
        print("devices=2", flush=True)
        print_kernel("ncclDevKernel_AllReduce", 2 * TIMES)


main()
