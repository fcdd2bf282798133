# The text of a trace (tests/writers/trace_text.c) of GPUs whose parts are counted every millisecond, and of
# two kernels that keep them busy, on the second GPU half as much as on the first.
# Usage: counters_trace.py GPUS MILLISECONDS >TEXT
import random
import sys

MS = 10**6
GPUS, END_NS = int(sys.argv[1]), int(sys.argv[2]) * MS
PARTS = ["compute units", "instructions", "tensor cores", "level 2 cache", "memory reads", "memory writes"]
BUSY = {"multiply": [0.9, 0.4, 0.8, 0.3, 0.2, 0.1], "read": [0.6, 0.1, 0, 0.5, 0.8, 0.3]}
WATTS = {"multiply": 600, "read": 350, None: 100}

random.seed(1)


def stretches():
    """Of a GPU: begin and end in ns, and the kernel or None."""
    now_ns, order = 0, [*BUSY, None]
    while now_ns < END_NS:
        random.shuffle(order)
        for kernel in order:
            end_ns = now_ns + round(random.uniform(0.1, 0.7) * MS)
            yield now_ns, end_ns, kernel
            now_ns = end_ns


def sums(runs, step_ns, value_of):
    """The time and the integral of a kernel's value at the end of each step."""
    total, next_ns = 0.0, step_ns
    for begin_ns, end_ns, kernel in runs:
        while next_ns <= min(end_ns, END_NS):
            yield next_ns, total + value_of(kernel) * (next_ns - begin_ns)
            next_ns += step_ns
        total += value_of(kernel) * (end_ns - begin_ns)


def number(gpu, part):
    return gpu * 10 + part


print("at 0\nrecording pid=1 schema=1 begin_ns=0 host=h boot_id=b command=made-up power=nvml,counters")
print("process pid=1 schema=1 parent_pid=0 begin_ns=0 host=h boot_id=b executable=/bin/made-up")
for gpu in range(1, GPUS + 1):
    print(f"sensor_def pid=1 sensor={number(gpu, 0)} period_ns={20 * MS} window_ns={20 * MS} lag_ns=0 source=nvml "
          f'device=GPU-{gpu} domain=gpu part_of="" quantity=power')
    for i, part in enumerate(PARTS):
        print(f"sensor_def pid=1 sensor={number(gpu, i + 1)} period_ns={MS} source=counters device=GPU-{gpu} "
              f'domain="{part}" part_of="" quantity=busy')
    print(f'device pid=1 device={gpu} parent_device=0 compute_units=8 api=cuda kind=gpu name="Some GPU" '
          f"uuid=GPU-{gpu} pci=0000:0{gpu}:00.0")
    print(f"stream_def pid=1 stream={gpu} context={gpu} device={gpu} out_of_order=0")
for i, name in enumerate(BUSY):
    print(f"kernel_def pid=1 kernel={i + 1} global_x=64 global_y=1 global_z=1 local_x=64 local_y=1 local_z=1 "
          f"api=cuda name={name}")
print("at 1")
for gpu in range(1, GPUS + 1):
    runs = list(stretches())
    for i, (begin_ns, end_ns, kernel) in enumerate(runs):
        if kernel:
            print(f"kernel_exec pid=1 correlation={i + 1} kernel={list(BUSY).index(kernel) + 1} stream={gpu} "
                  f"begin_ns={begin_ns} end_ns={end_ns} name=x")
    before_j = 0
    for time_ns, energy_nj in sums(runs, 20 * MS, WATTS.get):
        power_w = (energy_nj - before_j) / (20 * MS) + random.gauss(0, 1)
        before_j = energy_nj
        print(f"power_sample pid=1 sensor={number(gpu, 0)} time_ns={time_ns} power_mw={round(power_w * 1000)}")
    for part in range(len(PARTS)):
        shares = {kernel: busy[part] / gpu for kernel, busy in BUSY.items()}
        for time_ns, busy_ns in sums(runs, MS, lambda kernel: shares.get(kernel, 0)):
            print(f"busy_counter pid=1 sensor={number(gpu, part + 1)} time_ns={time_ns} busy_ns={round(busy_ns) + 1}")
print(f'recording_end pid=1 end_ns={END_NS} why="the program ended"')
