# SPDX-License-Identifier: MIT
"""What HPC codes do: transforms, sparse and dense algebra in single and double precision, sorting, scattering.

usage: numerics.py [--steps N]
"""
import argparse

from client import print_counts, torch_on_gpu

torch = torch_on_gpu()
CELLS, BODIES, ROWS, WIDTH = 1024, 1 << 20, 1 << 18, 2048


def poisson(density):
    """The potential of a density on a periodic grid, by transforms."""
    wave = torch.fft.fftfreq(CELLS, device="cuda")
    square = wave[:, None] ** 2 + wave[None, :CELLS // 2 + 1].abs() ** 2
    square[0, 0] = 1
    return torch.fft.irfft2(torch.fft.rfft2(density) / square, s=(CELLS, CELLS))


def diffuse(field):
    return field + 0.2 * (sum(field.roll(by, axis) for by in (1, -1) for axis in (0, 1)) - 4 * field)


def laplacian():
    """A sparse matrix of a band of seven."""
    row = torch.arange(ROWS, device="cuda").repeat_interleave(7)
    column = (row + torch.tensor([-512, -64, -1, 0, 1, 64, 512], device="cuda").repeat(ROWS)) % ROWS
    value = torch.rand(7 * ROWS, device="cuda")
    return torch.sparse_coo_tensor(torch.stack([row, column]), value, (ROWS, ROWS)).to_sparse_csr()


def conjugate_gradients(matrix, right, rounds=4):
    x, residual = torch.zeros_like(right), right.clone()
    direction, square = residual.clone(), residual @ residual
    for _ in range(rounds):
        product = matrix @ direction
        length = square / (direction @ product)
        x, residual = x + length * direction, residual - length * product
        before, square = square, residual @ residual
        direction = residual + square / before * direction
    return x


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=800)
    options = parser.parse_args()
    torch.manual_seed(1)
    torch.backends.cuda.matmul.allow_tf32 = False
    field, matrix = torch.randn(CELLS, CELLS, device="cuda"), laplacian()
    vector, mass = torch.randn(ROWS, device="cuda"), torch.rand(BODIES, device="cuda")
    place = torch.rand(BODIES, 2, device="cuda")
    single = [torch.randn(WIDTH, WIDTH, device="cuda") for _ in range(2)]
    double = [part.double() / WIDTH for part in single]
    positive = torch.eye(64, device="cuda") + 0.01 * torch.ones(256, 64, 64, device="cuda")
    volume, stencil = torch.randn(1, 8, 64, 64, 64, device="cuda"), torch.randn(8, 8, 3, 3, 3, device="cuda") / 15
    for _ in range(options.steps):
        cell = (place * CELLS).long().clamp(0, CELLS - 1)
        cell = cell[:, 0] * CELLS + cell[:, 1]
        density = torch.zeros(CELLS * CELLS, device="cuda").index_add_(0, cell, mass).view(CELLS, CELLS)
        potential = poisson(density)
        force = torch.stack(torch.gradient(potential), -1).view(-1, 2)[cell]
        place = (place + 1e-9 * force) % 1
        order = torch.sort(cell).indices
        counts = torch.cumsum(mass[order], 0)
        for _ in range(4):
            field = diffuse(field)
        field = torch.softmax(field, 1) * CELLS - 1
        solution = conjugate_gradients(matrix, vector)
        single[0] = single[0] @ single[1] / WIDTH ** 0.5
        single[0] = single[0].clamp(-3, 3)
        double[0] = double[1] @ double[1]
        factor = torch.linalg.cholesky(positive)
        solved = torch.linalg.solve_triangular(factor, positive, upper=False)
        volume = torch.tanh(torch.nn.functional.conv3d(volume, stencil, padding=1))
        noise = torch.randn_like(field)
        largest = torch.topk(field + noise, 16).values
    sums = [part.double().sum() for part in (counts, solution, solved, largest, double[0], volume)]
    print("sums: " + " ".join(f"{part.item():.3g}" for part in sums))
    print_counts(graphs=0)


main()
