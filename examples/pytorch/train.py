#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Trains a small transformer in PyTorch.  pwrtrace record --layers torch names its modules; what it
names itself, the loss and its tokens, is an example of how, and not needed for that."""
import argparse
import contextlib

import torch

WIDTH, HEADS = 512, 8


try:
    from pwrtrace import layer, mark
except ImportError:  # neither recorded nor installed: names do nothing

    def layer(_):
        return contextlib.nullcontext()

    def mark(*_):
        pass


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = torch.nn.MultiheadAttention(WIDTH, HEADS, batch_first=True)
        self.mlp = torch.nn.Sequential(
            torch.nn.Linear(WIDTH, 4 * WIDTH), torch.nn.GELU(), torch.nn.Linear(4 * WIDTH, WIDTH))
        self.norms = torch.nn.ModuleList(torch.nn.LayerNorm(WIDTH) for _ in range(2))

    def forward(self, x):
        normed = self.norms[0](x)
        x = x + self.attention(normed, normed, normed, need_weights=False)[0]
        return x + self.mlp(self.norms[1](x))


class Transformer(torch.nn.Module):
    def __init__(self, count):
        super().__init__()
        self.blocks = torch.nn.ModuleList(Block() for _ in range(count))

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--blocks", type=int, default=4)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--tokens", type=int, default=256)
    options = parser.parse_args()

    torch.manual_seed(1)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = Transformer(options.blocks).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    x = torch.randn(options.batch, options.tokens, WIDTH).to(device)
    target = torch.roll(x, 1, dims=1)
    losses = []
    for _ in range(options.steps):
        optimizer.zero_grad()
        y = model(x)
        with layer("loss"):
            loss = (y - target).square().mean()
        loss.backward()
        optimizer.step()
        mark("tokens", options.batch * options.tokens, "token")
        losses.append(loss.detach())
    print(f"{options.steps} steps on {device}; the loss",
          "falls" if losses[-1] < losses[0] else "does not fall")


main()
