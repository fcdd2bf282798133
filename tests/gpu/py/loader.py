# SPDX-License-Identifier: MIT
"""A DataLoader with worker processes that do not use the GPU: loader.py fork|spawn"""
import sys

from client import print_counts, torch_on_gpu

torch = torch_on_gpu()
BATCHES, BATCH = 40, 16


class Numbers(torch.utils.data.Dataset):
    def __len__(self):
        return BATCHES * BATCH

    def __getitem__(self, index):
        return torch.full((256,), float(index))


def main():
    loader = torch.utils.data.DataLoader(
        Numbers(), batch_size=BATCH, num_workers=2, multiprocessing_context=sys.argv[1])
    sums = torch.empty(256, device="cuda")
    sums.fill_(0)
    kernels, memory = 1, 0
    for batch in loader:
        sums.add_(batch.to("cuda")[0])
        kernels, memory = kernels + 1, memory + 1
    torch.cuda.synchronize()
    print(f"sum {sums.cpu()[0].item():.0f}")
    print_counts(kernels=kernels, memory=memory + 1)


if __name__ == "__main__":
    main()
