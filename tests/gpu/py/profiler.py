# SPDX-License-Identifier: MIT
"""torch.profiler used by the program itself: its own rows of CUDA kernels must be there, and
pwrtrace goes on without CUPTI."""
from client import print_counts, torch_on_gpu

torch = torch_on_gpu()
STEPS = 50


def steps(x):
    """One kernel each."""
    for _ in range(STEPS):
        x.add_(1)
    torch.cuda.synchronize()
    return STEPS


def main():
    activities = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
    x = torch.empty(1 << 20, device="cuda")
    kernels = steps(x)
    with torch.profiler.profile(activities=activities) as profile:
        kernels += steps(x)
    own = sum(event.count for event in profile.key_averages()
              if event.device_type == torch.autograd.DeviceType.CUDA)
    kernels += steps(x)
    print(f"the profiler's own CUDA kernels: {own}")
    print_counts(kernels=kernels)


main()
