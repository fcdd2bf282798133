#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Trains a small transformer in PyTorch.  Its layers have names, so that a report can tell what the
forward pass costs, what the backward pass, and what the optimizer."""
import argparse
import contextlib
import ctypes

import torch

WIDTH, HEADS = 512, 8


class Api(ctypes.Structure):
    """struct pwrtrace_api of pwrtrace/pwrtrace.h."""
    _fields_ = [("push", ctypes.CFUNCTYPE(None, ctypes.c_char_p)),
                ("pop", ctypes.CFUNCTYPE(None)),
                ("mark", ctypes.CFUNCTYPE(
                    None, ctypes.c_char_p, ctypes.c_double, ctypes.c_char_p))]


try:
    pwrtrace = Api.in_dll(ctypes.CDLL(None), "pwrtrace_api_1")
except ValueError:
    pwrtrace = None  # it is not loaded: names cost nothing


@contextlib.contextmanager
def layer(name):
    if pwrtrace:
        pwrtrace.push(name.encode())
    try:
        yield
    finally:
        if pwrtrace:
            pwrtrace.pop()


def mark(name, value, unit):
    if pwrtrace:
        pwrtrace.mark(name.encode(), value, unit.encode())


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = torch.nn.MultiheadAttention(WIDTH, HEADS, batch_first=True)
        self.mlp = torch.nn.Sequential(
            torch.nn.Linear(WIDTH, 4 * WIDTH), torch.nn.GELU(), torch.nn.Linear(4 * WIDTH, WIDTH))
        self.norms = torch.nn.ModuleList(torch.nn.LayerNorm(WIDTH) for _ in range(2))

    def forward(self, x):
        with layer("attention"):
            normed = self.norms[0](x)
            x = x + self.attention(normed, normed, normed, need_weights=False)[0]
        with layer("mlp"):
            return x + self.mlp(self.norms[1](x))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--blocks", type=int, default=4)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--tokens", type=int, default=256)
    options = parser.parse_args()

    torch.manual_seed(1)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    blocks = torch.nn.ModuleList(Block() for _ in range(options.blocks)).to(device)
    optimizer = torch.optim.AdamW(blocks.parameters(), lr=1e-3)
    x = torch.randn(options.batch, options.tokens, WIDTH).to(device)
    target = torch.roll(x, 1, dims=1)
    losses = []
    for _ in range(options.steps):
        with layer("forward"):
            y = x
            for number, block in enumerate(blocks):
                with layer(f"block {number}"):
                    y = block(y)
            loss = (y - target).square().mean()
        with layer("backward"):
            optimizer.zero_grad()
            loss.backward()
        with layer("optimizer"):
            optimizer.step()
        mark("tokens", options.batch * options.tokens, "token")
        losses.append(loss.detach())
    print(f"{options.steps} steps on {device}; the loss",
          "falls" if losses[-1] < losses[0] else "does not fall")


main()
