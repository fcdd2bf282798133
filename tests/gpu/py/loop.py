# SPDX-License-Identifier: MIT
"""Two processes that train in step on two GPUs, each step like the other: torchrun --nproc-per-node=2 loop.py"""
import os
import time

from client import print_counts, torch_on_gpu

torch = torch_on_gpu(2)
import model as transformer

SECONDS, DECIDE_EVERY = 20, 50


def main():
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    torch.distributed.init_process_group("nccl", device_id=torch.device("cuda", rank))
    model, x = transformer.make()
    model = torch.nn.parallel.DistributedDataParallel(model, device_ids=[rank])
    step = transformer.make_train_step(model, x)
    more, steps, end = torch.ones(1, device="cuda"), 0, time.monotonic() + SECONDS
    # All stop after the same step.
    while more.item():
        for _ in range(DECIDE_EVERY):
            step()
        steps += DECIDE_EVERY
        more.fill_(time.monotonic() < end)
        torch.distributed.broadcast(more, 0)
    torch.cuda.synchronize()
    torch.distributed.destroy_process_group()
    if rank == 0:
        print("ended", flush=True)
        print_counts(devices=2)


main()
