"""Prints made-up traces whose truth is known, as texts for trace_text: one of cases below."""

import random
import sys

S = 1_000_000_000
PERIOD = S // 10


class Trace:
    """One device that draws static watts, and more while kernels run."""

    def __init__(self, kernels, begin=0, domains=(("gpu", ""),), quantity="power", period=PERIOD):
        self.events, self.order, self.count = [], 0, 0
        self.add(0, f"recording pid=1 schema=1 begin_ns={begin} host=h boot_id=b")
        self.add(0, "process pid=1 schema=1 parent_pid=0 begin_ns=0 host=h boot_id=b")
        self.add(0, "device pid=1 device=1 parent_device=0 api=cuda kind=gpu name=GPU uuid=G")
        self.add(0, "stream_def pid=1 stream=1 context=1 device=1 out_of_order=0")
        for kernel in range(1, kernels + 1):
            self.add(0, f"kernel_def pid=1 kernel={kernel} global_x=64 global_y=1 global_z=1 "
                     f"local_x=64 local_y=1 local_z=1 api=cuda name=k{kernel}")
        for number, (domain, part_of) in enumerate(domains, 1):
            self.sensor(number, domain, part_of, quantity, period)

    def add(self, time, text):
        self.order += 1
        self.events.append((int(time), self.order, text))

    def sensor(self, number, domain, part_of, quantity, period):
        self.add(0, f"sensor_def pid=1 sensor={number} quantity={quantity} period_ns={period} source=s "
                 f'device=G domain={domain} part_of="{part_of}"')

    def execute(self, kernel, begin, end):
        self.count += 1
        self.add(begin, f"kernel_exec pid=1 correlation={self.count} kernel={kernel} stream=1 "
                 f"begin_ns={int(begin)} end_ns={int(end)}")

    def read(self, sensor, time, watts):
        self.add(time, f"power_sample pid=1 sensor={sensor} time_ns={int(time)} "
                 f"power_mw={round(watts * 1000)}")

    def count_up(self, sensor, time, joules):
        self.add(time, f"energy_counter pid=1 sensor={sensor} time_ns={int(time)} "
                 f"energy_uj={round(joules * 1e6)}")

    def write(self, end):
        self.add(end, f"recording_end pid=1 end_ns={int(end)}")
        for time, _, text in sorted(self.events):
            print(f"at {time}\n{text}")


def runs(begin, end, kernels, shortest=0.05, longest=0.3, pause=0.2, seed=1):
    """Kernels in turns by chance: (kernel, begin, end)."""
    draw, now, found = random.Random(seed), begin, []
    while now < end - longest * S:
        last = now + draw.uniform(shortest, longest) * S
        found.append((draw.randint(1, kernels), int(now), int(last)))
        now = last + draw.uniform(0, pause) * S
    return found


def mean_w(busy, begin, end, static, dynamic):
    """The mean power of some time; dynamic: watts by kernel."""
    return static + sum(dynamic[kernel] * max(0, min(end, last) - max(begin, first))
                        for kernel, first, last in busy) / (end - begin)


def overlapping(begin, end, mine):
    """Two processes on one device, each recorded with the device's power: 100 W, and 200 or 300 W."""
    busy, noise = runs(1 * S, 49 * S, 2), random.Random(begin)
    trace = Trace(2, begin=begin)
    for number, (kernel, first, last) in enumerate(busy):
        if mine(number, first):
            trace.execute(kernel, first, last)
    for time in range(begin + PERIOD, end + 1, PERIOD):
        trace.read(1, time, mean_w(busy, time - PERIOD, time, 100, {1: 100, 2: 200}) + noise.gauss(0, .5))
    trace.write(end)


# Kernels of graphs by how often; kernels draw 100 W and 300, 60 or 150 W and take 60, 40 or 50 ms.
GRAPHS = {1: {1: 2, 2: 1}, 2: {1: 1, 2: 2, 3: 1}}
GRAPH_W, GRAPH_S = {1: 300, 2: 60, 3: 150}, {1: 0.06, 2: 0.04, 3: 0.05}


def graphs(units):
    """Two graphs, timed as units or node by node."""
    draw, now, busy, trace = random.Random(2), 1 * S, [], Trace(3)
    for graph, parts in GRAPHS.items():
        trace.add(0, f"graph_def pid=1 graph={graph} nodes={sum(parts.values())} signature=aa0{graph}")
        for kernel, count in parts.items():
            trace.add(0, f"graph_part pid=1 graph={graph} kernel={kernel} count={count} kind=kernel")
    while now < 118 * S:
        graph, begin = draw.randint(1, 2), int(now)
        kernels = [kernel for kernel, count in GRAPHS[graph].items() for _ in range(count)]
        draw.shuffle(kernels)  # as nothing in their order depends on another
        for kernel in kernels:
            busy.append((kernel, int(now), int(now + GRAPH_S[kernel] * S)))
            if not units:
                trace.execute(*busy[-1])
            now += GRAPH_S[kernel] * S
        timed = f"begin_ns={begin} end_ns={int(now)}" if units else ""
        trace.count += 1
        trace.add(begin, f"graph_launch pid=1 tid=1 correlation={trace.count} graph={graph} stream=1 "
                  f"layer=0 enqueue_ns={begin} return_ns={begin} {timed}")
        now += draw.uniform(0, .1) * S
    for time in range(PERIOD, 120 * S + 1, PERIOD):
        trace.read(1, time, mean_w(busy, time - PERIOD, time, 100, GRAPH_W) + draw.gauss(0, 1))
    trace.write(120 * S)


DOMAIN_W = {"package": {0: 20, 1: 50, 2: 200}, "dram": {0: 60, 1: 300, 2: 10}}


def domains(period, noise):
    """Two domains of one device, the second read with another period: static 20 and 60 W."""
    busy, draw = runs(1 * S, 59 * S, 2), random.Random(3)
    trace = Trace(2, domains=[(name, "") for name in DOMAIN_W])
    for run in busy:
        trace.execute(*run)
    for number, (watts, step, sigma) in enumerate(
            zip(DOMAIN_W.values(), (PERIOD, period), (.1, noise)), 1):
        for time in range(step, 60 * S + 1, step):
            trace.read(number, time, mean_w(busy, time - step, time, watts[0], watts) + draw.gauss(0, sigma))
    trace.write(60 * S)


def gap():
    """20 s of a minute without readings, and a kernel after the recording's end: 100 W, 200 W, 300 W.
    The third kernel runs in the gap alone."""
    busy, noise = runs(1 * S, 59 * S, 2), random.Random(4)
    busy = [(3 if 29 * S < begin < 31 * S else kernel, begin, end) for kernel, begin, end in busy]
    trace = Trace(3)
    for run in busy:
        trace.execute(*run)
    trace.execute(1, 60 * S, 61 * S)
    for time in range(PERIOD, 60 * S + 1, PERIOD):
        if not 20 * S < time < 40 * S:
            trace.read(1, time, mean_w(busy, time - PERIOD, time, 100, {1: 100, 2: 200, 3: 200}) + noise.gauss(0, 20))
    trace.write(60 * S)


def day():
    """A day at 2 kW, in half of which a layer waits."""
    trace = Trace(1, period=10 * S)
    end = 24 * 3600 * S
    trace.add(0, 'layer_def pid=1 layer=1 parent_layer=0 source=api category="" name=A')
    trace.add(5 * S, f"layer_push pid=1 tid=1 layer=1 begin_ns={5 * S}")
    trace.add(10 * S, f"kernel_launch pid=1 tid=1 correlation=1 kernel=1 stream=1 layer=1 "
              f"enqueue_ns={10 * S} return_ns={10 * S}")
    trace.execute(1, 10 * S, 11 * S)
    trace.add(end // 2, f"layer_pop pid=1 tid=1 layer=1 end_ns={end // 2}")
    for time in range(10 * S, end + 1, 10 * S):
        trace.read(1, time, 2000)
    trace.write(end)


def hole():
    """A counter that says of four hours only how much they took in all: 1 kW idle, 1.5 and 2 kW."""
    busy, count = runs(1 * S, 59 * S, 2), 0
    end = 4 * 3600 * S
    busy += [(1, 60 * S, end // 2), (2, end // 2, end - 60 * S)]
    trace = Trace(2, quantity="energy")
    for run in busy:
        trace.execute(*run)
    last = 0
    for time in [*range(0, 60 * S + 1, PERIOD), *range(end - 10 * S, end + 1, PERIOD)]:
        if time:
            count += mean_w(busy, last, time, 1000, {1: 500, 2: 1000}) * (time - last) / S
        trace.count_up(1, time, count)
        last = time
    trace.write(end)


def filled():
    """A gauge that is 0.4 s late, with a hole that a counter fills, which is not: 100 W, and 200 or
    300 W."""
    busy = runs(1 * S, 19 * S, 2) + [(1 + number % 2, 20 * S + number * 5 * S, 25 * S + number * 5 * S)
                                     for number in range(4)] + runs(40 * S, 59 * S, 2)
    trace, count, watts = Trace(2, domains=()), 0, {1: 100, 2: 200}
    same = 'pid=1 source=s device=G domain=gpu part_of=""'
    trace.add(0, f"sensor_def {same} sensor=1 quantity=power period_ns={PERIOD} lag_ns={4 * PERIOD} "
              f"window_ns={PERIOD}")
    trace.add(0, f"sensor_def {same} sensor=2 quantity=energy period_ns={2 * PERIOD}")
    for run in busy:
        trace.execute(*run)
    for time in range(PERIOD, 60 * S + 1, PERIOD):
        if not 20 * S < time < 40 * S:
            trace.read(1, time, mean_w(busy, time - 5 * PERIOD, time - 4 * PERIOD, 100, watts))
    for time in range(0, 60 * S + 1, 2 * PERIOD):
        count += mean_w(busy, time - 2 * PERIOD, time, 100, watts) * 2 * PERIOD / S if time else 0
        trace.count_up(2, time, count)
    trace.write(60 * S)


CASES = {
    "filled": filled,
    "day": day,
    "hole": hole,
    "gap": gap,
    "domains": lambda: domains(PERIOD, 5),
    "slow": lambda: domains(5 * S, 0),
    "nodes": lambda: graphs(units=False),
    "units": lambda: graphs(units=True),
    "first": lambda: overlapping(
        0, 40 * S, lambda number, first: first < 25 * S or (first < 39 * S and number % 2)),
    "second": lambda: overlapping(
        25 * S, 50 * S, lambda number, first: first >= 39 * S or (first >= 25 * S and not number % 2)),
}

if __name__ == "__main__":
    CASES[sys.argv[1]]()
