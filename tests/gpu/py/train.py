# SPDX-License-Identifier: MIT
"""A training run with much on the device, whose losses are the same in each run.

usage: train.py [--gigabytes N] [--steps N]
"""
import argparse
import os

os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":4096:8"  # the same sums each time

from client import print_counts, torch_on_gpu

torch = torch_on_gpu()
WIDTH, LAYERS, HEADS, BATCH, LENGTH = 1024, 6, 16, 16, 256


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gigabytes", type=int, default=30)
    parser.add_argument("--steps", type=int, default=150)
    options = parser.parse_args()
    torch.use_deterministic_algorithms(True)
    torch.manual_seed(1)
    held = [torch.zeros(1 << 30, dtype=torch.uint8, device="cuda") for _ in range(options.gigabytes)]
    model = torch.nn.Sequential(*(torch.nn.TransformerEncoderLayer(
        WIDTH, HEADS, 4 * WIDTH, dropout=0.1, batch_first=True, norm_first=True) for _ in range(LAYERS))).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    scaler = torch.amp.GradScaler()
    inputs = [torch.randn(BATCH, LENGTH, WIDTH).pin_memory() for _ in range(4)]
    for step in range(options.steps):
        x = inputs[step % len(inputs)].to("cuda", non_blocking=True)
        with torch.autocast("cuda", dtype=torch.float16):
            loss = torch.nn.functional.mse_loss(model(x), x.roll(1, 1))
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
        if step % 10 == 9:
            print(f"step {step + 1}: loss {loss.item().hex()}")
    print(f"kept: {sum(int(part[::4096].sum()) for part in held)}")
    print_counts(graphs=0)


main()
