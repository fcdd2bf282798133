# SPDX-License-Identifier: MIT
"""A transformer, as often as below each: transformer.py [train|eager|graph|compile]...

count_records.so counts its kernels; only the replays of its graph are counted here.
"""
import sys

from client import print_counts
import model as transformer

torch = transformer.torch
STEPS = {"train": 20, "eager": 50, "graph": 300, "compile": 50}


def run(way):
    model, x = transformer.make()
    if way == "train":
        step = transformer.make_train_step(model, x)
    elif way == "graph":
        step = transformer.make_graph(model, x)
    elif way == "compile":
        step = transformer.make_inference(torch.compile(model.eval()), x)
    else:
        step = transformer.make_inference(model.eval(), x)
    for _ in range(STEPS[way]):
        result = step()
    torch.cuda.synchronize()
    if result is not None:
        assert torch.isfinite(result).all()
    print(f"{way}: {STEPS[way]} steps")


def main():
    ways = sys.argv[1:] or ["eager"]
    for way in ways:
        run(way)
    print_counts(graphs=STEPS["graph"] * ways.count("graph"))


main()
