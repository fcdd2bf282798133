# The text of a trace (tests/writers/trace_text.c) of GPUs whose power is known at each moment, and its
# truth: the highest mean power of the sum over windows.
# Usage: power_trace.py CASE TRUTH.json >TEXT, with CASE a row of CASES below.
import json
import random
import sys

MS = 10**6
IDLE_W = 100
WINDOWS_MS = [1, 10]
PEAKS_MS = [25, 50, 80, 100, 150, 250]


class Gpu:
    def __init__(self, number, sensor_ms=1, window_ms=1, noise_w=0, lag_ms=0):
        self.number, self.noise_w, self.lag_ns = number, noise_w, lag_ms * MS
        self.sensor_ns, self.window_ns = sensor_ms * MS, window_ms * MS
        self.executions = []  # begin, end in ns, kernel, layer
        self.states = [(0, 0)]  # time in ns, reasons
        self.power = []  # begin and end in ns, W
        self.now_ns = 0

    def runs(self, kernel, watts, ms, layer=0):
        end_ns = self.now_ns + round(ms * MS)
        self.executions.append((self.now_ns, end_ns, kernel, layer))
        self.draws(watts, end_ns)

    def waits(self, ms):
        self.draws(IDLE_W, self.now_ns + round(ms * MS))

    def draws(self, watts, end_ns):
        self.power.append((self.now_ns, end_ns, watts))
        self.now_ns = end_ns


def means(power, length_ns, ends_ns):
    """The mean power of windows that end at times, which grow."""
    at, first = 0, 0
    energy = [0]
    for begin_ns, end_ns, watts in power:
        energy.append(energy[-1] + watts * (end_ns - begin_ns))

    def until(time_ns, i):
        while i + 1 < len(power) and power[i][1] < time_ns:
            i += 1
        return energy[i] + power[i][2] * (time_ns - power[i][0]), i

    for end_ns in ends_ns:
        high, at = until(end_ns, at)
        low, first = until(max(end_ns - length_ns, 0), first)
        yield (high - low) / length_ns


def highest_w(power, length_ns):
    ends_ns = sorted({end_ns for _, end_ns, _ in power} | {end_ns + length_ns for _, end_ns, _ in power})
    return max(means(power, length_ns, [t for t in ends_ns if length_ns <= t <= power[-1][1]]))


def wave(gpus, shift_ms, seconds=2):
    """3 ms at 900 W and 7 ms at 200 W, each GPU shifted against the one before."""
    for gpu in (Gpu(i + 1) for i in range(gpus)):
        phase_ms = gpu.number * shift_ms - shift_ms
        if phase_ms:
            gpu.runs("cold", 200, phase_ms)
        while gpu.now_ns < seconds * 1000 * MS:
            gpu.runs("hot", 900, 3)
            gpu.runs("cold", 200, min(7, seconds * 1000 - gpu.now_ns / MS))
        yield gpu


def coarse():
    """Kernels of half a millisecond to 3 ms in random order, which a sensor of 20 ms tells apart."""
    gpu = Gpu(1, 20, 25, 3)
    for _ in range(6000):
        if random.random() < 0.1:
            gpu.waits(random.uniform(0.5, 20))
        kernel = random.randrange(4)
        gpu.runs(f"k{kernel}", [300, 450, 600, 800][kernel], [0.5, 1, 2, 3][kernel])
    yield gpu


def confounded():
    """Two kernels that always run together, faster than the sensor sees."""
    gpu = Gpu(1, 20, 20, 3)
    for _ in range(1000):
        for _ in range(random.randrange(1, 10)):
            gpu.runs("hot", 900, 0.3)
            gpu.runs("cold", 200, 0.7)
        gpu.waits(random.uniform(1, 10))
    yield gpu


def peaks(length_ms):
    """Peaks of one length at any time between two readings of a sensor of 20 ms, each a mean of 25 ms."""
    gpu = Gpu(1, 20, 25, 3)
    for _ in range(200):
        gpu.runs("hot", 900, length_ms)
        gpu.runs("cold", 200, random.uniform(150, 300))
    yield gpu


def late():
    """A sensor that tells its means one window too late, and that it does."""
    gpu = Gpu(1, 20, 20, lag_ms=20)
    for _ in range(50):
        gpu.runs("hot", 900, 100)
        gpu.runs("cold", 200, 140)
    yield gpu


def sleepy():
    """A device that idles at 100 W, and sleeps at 20 W at the end."""
    gpu = Gpu(1, 20, 20)
    for _ in range(20):
        gpu.runs("hot", 900, 60)
        gpu.waits(140)
    gpu.draws(20, gpu.now_ns + 200 * MS)
    yield gpu


def layers():
    """Two layers, one of them hot, and a kernel that is in both."""
    gpu = Gpu(1)
    for _ in range(200):
        gpu.runs("hot", 900, 3, 1)
        gpu.runs("cold", 200, 2, 1)
        gpu.runs("cold", 200, 5, 2)
        gpu.waits(1)
    yield gpu


def throttled():
    """The wave, throttled by its power limit for a quarter of the time, and idle for another one."""
    gpu = next(wave(1, 0, 1))
    gpu.states = [(0, 0x4), (250 * MS, 0), (500 * MS, 0x1), (750 * MS, 0)]
    yield gpu


def beside():
    """The wave, and a second GPU that runs one long kernel and is idle before and after it."""
    yield from wave(1, 0)
    gpu = Gpu(2)
    gpu.waits(700)
    gpu.runs("long", 300, 500)
    gpu.waits(800)
    yield gpu


CASES = {
    "one": lambda: wave(1, 0),
    "lockstep": lambda: wave(2, 0),
    "apart": lambda: wave(2, 5),
    "beside": beside,
    "coarse": coarse,
    "confounded": confounded,
    **{f"peaks{ms}": lambda ms=ms: peaks(ms) for ms in PEAKS_MS},
    "late": late,
    "sleepy": sleepy,
    "layers": layers,
    "throttled": throttled,
}


def put_devices(gpus):
    print("at 0\nrecording pid=1 schema=1 begin_ns=0 host=h boot_id=b command=made-up power=nvml")
    print("process pid=1 schema=1 parent_pid=0 begin_ns=0 host=h boot_id=b executable=/bin/made-up")
    for gpu in gpus:
        i = gpu.number
        print(f"sensor_def pid=1 sensor={i} period_ns={gpu.sensor_ns} window_ns={gpu.window_ns} lag_ns={gpu.lag_ns} "
              f'source=nvml device=GPU-{i} domain=gpu part_of="" quantity=power')
        print(f'sensor_def pid=1 sensor={i + 10} source=nvml device=GPU-{i} domain=gpu part_of="" quantity=state')
        print(f'device pid=1 device={i} parent_device=0 compute_units=8 api=cuda kind=gpu name="Some GPU" '
              f"uuid=GPU-{i} pci=0000:0{i}:00.0")
        print(f"stream_def pid=1 stream={i} context={i} device={i} out_of_order=0")


def put_definitions(kernels):
    for i, name in enumerate(kernels):
        print(f"kernel_def pid=1 kernel={i + 1} global_x=64 global_y=1 global_z=1 local_x=64 local_y=1 "
              f"local_z=1 api=cuda name={name}")
    for i, name in enumerate(["forward", "backward"]):
        print(f'layer_def pid=1 layer={i + 1} parent_layer=0 source=api category="" name={name}')


def put_gpu(gpu, kernels, correlation):
    for time_ns, reasons in gpu.states:
        print(f"device_state pid=1 sensor={gpu.number + 10} time_ns={time_ns} sm_clock_mhz=1980 "
              f"limit_mw=700000 edpp_limit_mw=910000 throttle_reasons={reasons}")
    for begin_ns, end_ns, kernel, layer in gpu.executions:
        correlation += 1
        print(f"kernel_launch pid=1 tid=1 correlation={correlation} kernel={kernels.index(kernel) + 1} "
              f"stream={gpu.number} layer={layer} enqueue_ns={begin_ns} return_ns={begin_ns}")
        print(f"kernel_exec pid=1 correlation={correlation} kernel={kernels.index(kernel) + 1} "
              f"stream={gpu.number} begin_ns={begin_ns} end_ns={end_ns} name=x")
    ends_ns = range(gpu.sensor_ns, gpu.now_ns + 1, gpu.sensor_ns)
    late_ns = [end_ns - gpu.lag_ns for end_ns in ends_ns if end_ns > gpu.lag_ns]
    for end_ns, watts in zip(ends_ns[-len(late_ns):], means(gpu.power, gpu.window_ns, late_ns)):
        milliwatts = round(max(watts + random.gauss(0, gpu.noise_w), 0) * 1000)
        print(f"power_sample pid=1 sensor={gpu.number} time_ns={end_ns} power_mw={milliwatts}")
    return correlation


def main():
    random.seed(1)
    gpus = list(CASES[sys.argv[1]]())
    kernels = sorted({kernel for gpu in gpus for _, _, kernel, _ in gpu.executions})
    put_devices(gpus)
    put_definitions(kernels)
    print("at 1")
    correlation = 0
    for gpu in gpus:
        correlation = put_gpu(gpu, kernels, correlation)
    end_ns = max(gpu.now_ns for gpu in gpus)
    print(f'recording_end pid=1 end_ns={end_ns} why="the program ended"')
    with open(sys.argv[2], "w") as truth:
        json.dump([highest_w(gpus[0].power, ms * MS) for ms in WINDOWS_MS], truth)


if __name__ == "__main__":
    main()
