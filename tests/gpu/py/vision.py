# SPDX-License-Identifier: MIT
"""A convolutional network (ResNet-50) that is trained on pictures made up here.

usage: vision.py [--steps N]
"""
import argparse

from client import print_counts, torch_on_gpu

torch = torch_on_gpu()
import torchvision

BATCH, PIXELS, CLASSES = 64, 160, 1000


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=300)
    options = parser.parse_args()
    torch.manual_seed(1)
    model = torchvision.models.resnet50(num_classes=CLASSES).to("cuda", memory_format=torch.channels_last)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9, weight_decay=1e-4)
    pictures = [torch.randn(BATCH, 3, PIXELS, PIXELS).pin_memory() for _ in range(4)]
    labels = torch.randint(0, CLASSES, (BATCH,), device="cuda")
    for step in range(options.steps):
        x = pictures[step % len(pictures)].to("cuda", memory_format=torch.channels_last, non_blocking=True)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = torch.nn.functional.cross_entropy(model(x), labels)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        if step % 50 == 49:
            print(f"step {step + 1}: loss {loss.item():.4f}")
    print_counts(graphs=0)


main()
