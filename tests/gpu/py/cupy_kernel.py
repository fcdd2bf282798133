# SPDX-License-Identifier: MIT
"""A kernel compiled at run time by CuPy."""
import cupy
import numpy

from client import print_counts, print_kernel

TIMES, THREADS = 100, 256

SOURCE = """
extern "C" __global__ void increase(float *data)
{
	data[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}
"""


def main():
    increase = cupy.RawKernel(SOURCE, "increase")
    data = cupy.empty(THREADS, dtype=cupy.float32)
    data.set(numpy.zeros(THREADS, numpy.float32))
    for _ in range(TIMES):
        increase((1,), (THREADS,), (data,))
    cupy.cuda.Device().synchronize()
    assert cupy.asnumpy(data)[0] == TIMES
    print_kernel("increase", TIMES)
    print_counts(kernels=TIMES, memory=2)


main()
