# The text of a trace (tests/writers/trace_text.c) of classes of known power, which a sensor reads every
# 100 ms; and their truth.
# Usage: classes_trace.py WHAT TRUTH.json >TEXT, with WHAT a function below.
import json
import random
import sys

SECOND_NS = 10**9
PERIOD_NS = SECOND_NS // 10
IDLE_W = 80


class Run:
    def __init__(self, powers_w, noise_w=1):
        """powers_w: of the kernels k1, k2, ... above idle; or of (name, shared memory)."""
        named = not isinstance(powers_w, dict)
        self.kernels = [(f"k{i + 1}", 0) for i in range(len(powers_w))] if named else [*powers_w]
        self.powers_w = powers_w if named else [*powers_w.values()]
        self.noise_w = noise_w
        self.now_ns = SECOND_NS
        self.executions = []  # begin and end in ns, kernel, whether it is a replay
        self.replays = []

    def wait(self, seconds):
        self.now_ns += int(seconds * SECOND_NS)

    def launch(self, kernel, seconds, replay=False):
        begin_ns = self.now_ns
        self.wait(seconds)
        self.executions.append((begin_ns, self.now_ns, kernel, replay))

    def replay(self, kernel, seconds, count):
        begin_ns = self.now_ns
        for _ in range(count):
            self.launch(kernel, seconds, replay=True)
        self.replays.append((begin_ns, self.now_ns, kernel, count))

    def readings(self, end_ns):
        energies = [IDLE_W * PERIOD_NS] * (end_ns // PERIOD_NS)
        for begin_ns, until_ns, kernel, _ in self.executions:
            for i in range(begin_ns // PERIOD_NS, until_ns // PERIOD_NS + 1):
                seen_ns = min(until_ns, (i + 1) * PERIOD_NS) - max(begin_ns, i * PERIOD_NS)
                energies[i] += self.powers_w[kernel] * max(seen_ns, 0)
        for i, energy in enumerate(energies):
            power_w = energy / PERIOD_NS + random.gauss(0, self.noise_w)
            yield (i + 1) * PERIOD_NS, f"power_mw={round(power_w * 1000)}"

    def write(self, truth):
        self.wait(1)
        print("at 0")
        print("recording pid=1 schema=1 begin_ns=0 host=h boot_id=b")
        print("process pid=1 schema=1 parent_pid=0 begin_ns=0 host=h boot_id=b")
        print("device pid=1 device=1 parent_device=0 api=cuda kind=gpu name=GPU uuid=G")
        print("stream_def pid=1 stream=1 context=1 device=1 out_of_order=0")
        print(f'sensor_def pid=1 sensor=1 period_ns={PERIOD_NS} source=s device=G domain=gpu'
              ' part_of="" quantity=power')
        for i, (name, shared_bytes) in enumerate(self.kernels):
            print(f"kernel_def pid=1 kernel={i + 1} global_x=64 global_y=1 global_z=1 local_x=64"
                  f" local_y=1 local_z=1 shared_bytes={shared_bytes} api=cuda name={name}")
        for begin_ns, end_ns, kernel, count in self.replays:
            print(f'replay pid=1 device=1 kernel={kernel + 1} begin_ns={begin_ns}'
                  f' end_ns={end_ns} count={count} reason=""')
        for number, (begin_ns, end_ns, kernel, _) in enumerate(self.executions):
            print(f"kernel_launch pid=1 tid=1 correlation={number + 1} kernel={kernel + 1} stream=1"
                  f" layer=0 enqueue_ns={begin_ns} return_ns={begin_ns + 1}")
            print(f"kernel_exec pid=1 correlation={number + 1} kernel={kernel + 1} stream=1"
                  f" begin_ns={begin_ns} end_ns={end_ns} name=k")
        for time_ns, reading in self.readings(self.now_ns):
            print(f"power_sample pid=1 sensor=1 time_ns={time_ns} {reading}")
        print(f"recording_end pid=1 end_ns={self.now_ns}")
        energies = [0] * len(self.kernels)
        for begin_ns, end_ns, kernel, replay in self.executions:
            energies[kernel] += (not replay) * (end_ns - begin_ns) / SECOND_NS * (
                IDLE_W + self.powers_w[kernel])
        with open(truth, "w") as file:
            json.dump([[*kernel, energy] for kernel, energy in zip(self.kernels, energies)], file)


def slight(count, heavy):
    """Classes that run twice each, between some that run often."""
    run = Run([random.uniform(50, 550) for _ in range(count + heavy)])
    sequence = [*range(count)] * 2 + [*range(count, count + heavy)] * 60
    random.shuffle(sequence)
    for kernel in sequence:
        run.launch(kernel, random.uniform(0.04, 0.12))
        if random.random() < 0.1:
            run.wait(random.uniform(0.1, 0.5))
    return run


def shared_memory():
    """A kernel that is launched with much shared memory, and without."""
    run = Run({("k", 0): 100, ("k", 65536): 500})
    while run.now_ns < 59 * SECOND_NS:
        run.launch(random.randrange(2), random.uniform(0.1, 0.3))
    return run


def replayed():
    """Two that always run together, one of which is also replayed, for too short."""
    run = Run([250, 100], noise_w=25)
    while run.now_ns < 39 * SECOND_NS:
        run.launch(0, 3e-3)
        run.launch(1, 2e-3)
        run.wait(1e-3)
    run.wait(1)
    run.replay(0, 3e-3, 80)
    return run


SCENARIOS = {
    "shared-memory": shared_memory,
    "replayed": replayed,
    "all-slight": lambda: slight(300, 0),
    "many-slight": lambda: slight(290, 2),
    "few-slight": lambda: slight(10, 20),
    "too-many": lambda: slight(340, 5),
}

random.seed(1)
SCENARIOS[sys.argv[1]]().write(sys.argv[2])
