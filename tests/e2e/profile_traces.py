"""Prints made-up runs of a kernel from idle, as texts for trace_text: one of cases below."""

import math
import random
import sys

from attribution_traces import S, Trace

MS = S // 1000
US = MS // 1000
STATIC = 100
GEMM = 1
GEMV = 2

# FinGraV's two kinds of kernels: times relative to the best, and watts, by execution.
OVERSHOOT = ([1.30, 1.12, 1.06] + [1] * 17,
             [520, 640, 600, 500, 510, 520, 530, 538, 545, 545] + [560] * 10)
RISE = ([1.30, 1.12, 1.06] + [1] * 47,
        [250 + 250 * (min(i, 39) / 39) ** 3 for i in range(50)])
LONG = ([1] * 128, [400] * 64 + [600] * 64)


class Runs(Trace):
    """Runs whose every execution has a known power, and a sensor with a mean of a window."""

    def __init__(self, period=MS, window=50 * US, lag=0, seed=1, begin=0, kernels=2):
        super().__init__(kernels, begin, domains=())
        self.draw = random.Random(seed)
        self.period, self.window, self.lag, self.begin = period, window, lag, begin
        self.now = begin + 20 * MS
        self.steps = [(0, STATIC)]  # power from a time on
        self.add(0, f"sensor_def pid=1 sensor=1 quantity=power period_ns={period} source=s "
                 f'window_ns={window} lag_ns={lag} device=G domain=gpu part_of=""')
        self.calibrate()

    def calibrate(self, taps=10):
        self.add(0, f"sensor_calibration pid=1 sensor=1 taps={taps} jitter_ns=0 noise_w=1 gain=1 "
                 "off_grid=0 calibrated=2026-01-01T00:00:00Z")
        for tap in range(taps):
            self.add(0, f"sensor_response pid=1 sensor=1 tap={tap} weight={1 / taps} "
                     f"lag_ns={self.lag + tap * self.window // taps}")

    def busy(self, kernel, length, watts, launched=None):
        self.launch(kernel, self.now if launched is None else launched)
        self.execute(kernel, self.now, self.now + length)
        self.steps += [(self.now, watts), (self.now + length, STATIC)]
        self.now += length + 500

    def launch(self, kernel, time):
        self.add(time, f"kernel_launch pid=1 tid=1 correlation={self.count + 1} kernel={kernel} "
                 f"stream=1 layer=0 enqueue_ns={time} return_ns={time + 1}")

    def run(self, times, watts, best, pause=(2 * MS, 3 * MS)):
        """One run; the program launches each execution when the last but one before it begins."""
        begins = [self.now - 20 * US] * 2
        for time, power in zip(times, watts):
            begins.append(self.now)
            self.busy(GEMM, int(time * best), power, begins[-3])
        self.now += self.draw.randint(*pause)

    def finish(self, noise=0):
        """Adds the readings."""
        end = self.now + 4 * max(self.period, self.window)
        joules, times = [0.0], [time for time, _ in self.steps] + [end]
        for i, (time, watts) in enumerate(self.steps):
            joules.append(joules[-1] + watts * (times[i + 1] - time))
        place = [0, 0]

        def used(time, which):
            while times[place[which] + 1] < time:
                place[which] += 1
            i = place[which]
            return joules[i] + self.steps[i][1] * (time - times[i])

        time = self.begin + self.window + self.lag + self.period
        while time < end:
            last = time - self.lag
            mean = (used(last, 0) - used(last - self.window, 1)) / self.window
            self.read(1, time, mean + self.draw.gauss(0, noise))
            time += self.period
        self.write(end)


def profile(kind, runs=200, golden=160, best=400 * US, noise=7, pause=(2 * MS, 3 * MS), **sensor):
    trace = Runs(**sensor)
    for i in range(runs):
        slow = 1 if i * golden // runs != (i - 1) * golden // runs else 1.1
        trace.run(kind[0], kind[1], best * slow, pause)
    trace.finish(noise)


def one_run():
    profile(OVERSHOOT, runs=1, golden=1, noise=1)


def slow(seed=1):
    """A sensor of 100 ms and a kernel of 100 us, so that the device is idle for 97 % of the time."""
    profile(OVERSHOOT, golden=200, best=100 * US, period=100 * MS, window=100 * MS,
            pause=(20 * MS, 120 * MS), seed=seed)


def middle(runs=1000, kind=OVERSHOOT, best=400 * US, begin=0):
    """A sensor of 20 ms that tells the mean of 25, and runs of 20 executions of 400 us."""
    profile(kind, runs=runs, golden=runs, best=best, noise=5, period=20 * MS, window=25 * MS,
            lag=2 * MS, pause=(10 * MS, 30 * MS), begin=begin)


def unlike():
    """Golden runs draw what they do; others, which are slower, a third less."""
    trace = Runs()
    for i in range(200):
        slow = i % 5 == 0
        watts = [power * (0.7 if slow else 1) for power in OVERSHOOT[1]]
        trace.run(OVERSHOOT[0], watts, 440 * US if slow else 400 * US)
    trace.finish(3)


def before():
    """A gemv after idle draws 300 W, after gemms 330 W."""
    trace = Runs()
    for i in range(200):
        for _ in range(15 if i % 2 else 0):
            trace.busy(GEMM, 400 * US, 600)
        trace.busy(GEMV, 400 * US, 330 if i % 2 else 300)
        trace.now += trace.draw.randint(6 * MS, 9 * MS)
    trace.finish(3)


def alike(seed):
    """A gemv draws 300 W, whichever of ten kernels ran before it."""
    trace = Runs(seed=seed, kernels=12)
    for i in range(300):
        for _ in range(15):
            trace.busy(3 + i % 10, 400 * US, 600)
        trace.busy(GEMV, 400 * US, 300)
        trace.now += trace.draw.randint(6 * MS, 9 * MS)
    trace.finish(20)


def steps(count=400, seed=5, **sensor):
    """Iterations that end with a mark: 3 ms at 600 W, a pause of 1 ms, 2 ms at 300 W."""
    trace = Runs(seed=seed, **sensor)
    trace.now += 10 * MS
    for _ in range(count):
        trace.busy(GEMM, 3 * MS, 600)
        trace.now += MS
        trace.busy(GEMV, 2 * MS, 300)
        trace.now += 100 * US
        trace.add(trace.now, f"mark pid=1 tid=1 layer=0 time_ns={trace.now} value=1 unit=step name=step")
        trace.now += trace.draw.randint(10 * US, 3 * MS)
    trace.finish(3)


cases = {
    "overshoot": lambda: profile(OVERSHOOT),
    "rise": lambda: profile(RISE, noise=1),
    "one_run": one_run,
    "slow": slow,
    "slow_3": lambda: slow(3),
    "slow_10": lambda: slow(10),
    "middle": middle,
    "middle_few": lambda: middle(8, begin=100 * S),
    "middle_long": lambda: middle(4000),
    "middle_many": lambda: middle(400, LONG, 200 * US),
    "unlike": unlike,
    "before": before,
    **{f"alike_{seed}": lambda seed=seed: alike(seed) for seed in (1, 3, 6, 12)},
    "steps": steps,
    "slow_steps": lambda: steps(2000, period=20 * MS, window=25 * MS),
}

if __name__ == "__main__":
    cases[sys.argv[1]]()
