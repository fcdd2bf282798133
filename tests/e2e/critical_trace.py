# The text of a trace (tests/writers/trace_text.c) whose critical path is known.
# Usage: critical_trace.py CASE >TEXT, with CASE a row of CASES below; "random" SEED; or "slack" SEED: for how
# much longer each execution of that random trace could take, found by making it take longer.
import random
import sys

US = 1000
MS = 1000 * US
SAMPLE_NS = MS // 4


class Run:
    """Executions of a process on devices of 400 W, or of so many, that draw 100 W when idle; ranks: of a process
    for each device; joint: one sensor measures all devices."""

    def __init__(self, devices=1, busy_w=400, ranks=False, joint=False):
        self.devices, self.busy_w, self.ranks = devices, busy_w, ranks
        self.sensors = {"gpu": range(1, devices + 1)} if joint else {f"GPU-{i}": [i] for i in range(1, devices + 1)}
        self.collectives = []  # kind, sequence, from and to which rank (None: all), by rank the launch in ns
        self.executions = {}  # by correlation: device, stream, kernel, launch, begin and end in ns
        self.calls = []  # of the host: correlation, stream, begin and end in ns, what it awaits
        self.dependencies = []  # correlation, after
        self.returned_ns = {}  # by correlation: when the call returned that launched it, if not at once
        self.correlation = 0

    def runs(self, kernel, stream, begin_ns, length_ns, after=(), launched_ns=0, device=1):
        self.correlation += 1
        self.executions[self.correlation] = device, stream, kernel, launched_ns, begin_ns, begin_ns + length_ns
        self.dependencies += [(self.correlation, other) for other in after]
        return self.correlation

    def calls_host(self, stream, begin_ns, end_ns, awaits, after=()):
        self.correlation += 1
        self.calls.append((self.correlation, stream, begin_ns, end_ns, awaits))
        self.dependencies += [(self.correlation, other) for other in after]
        return self.correlation

    def process(self, device):
        return device if self.ranks else 1

    def busy(self, devices, begin_ns, end_ns):
        """Whether something ran on one of these devices within a time."""
        return any(d in devices and b < end_ns and begin_ns < e for d, _, _, _, b, e in self.executions.values())


def beside():
    """A before B and C, which run side by side, and D after both."""
    run = Run(busy_w=100)
    a = run.runs("A", 1, 0, 10 * MS)
    run.runs("B", 1, 10 * MS, 30 * MS)
    c = run.runs("C", 2, 10 * MS, 12 * MS, [a])
    run.runs("D", 1, 40 * MS, 5 * MS, [c])
    return run


def one_forward_one_backward(stage, stages, microbatches):
    """What a stage does in turn: (is forward, microbatch)."""
    ahead = min(stages - stage - 1, microbatches)
    steps = [(True, i) for i in range(ahead)]
    for i in range(microbatches - ahead):
        steps += [(True, ahead + i), (False, i)]
    return steps + [(False, i) for i in range(microbatches - ahead, microbatches)]


def pipeline(slow=1.0, stages=4, microbatches=8):
    """Stages on a device each, of which the last one is slower by a factor."""
    run = Run(devices=stages)
    steps = [one_forward_one_backward(stage, stages, microbatches) for stage in range(stages)]
    ends, free_ns = {}, [0] * stages
    while any(steps):
        for stage in range(stages):
            if not steps[stage]:
                continue
            forward, i = steps[stage][0]
            before = stage - 1 if forward else stage + 1
            if forward and stage == 0 or not forward and stage == stages - 1:
                after = []
            elif (forward, before, i) in ends:
                after = [ends[forward, before, i]]
            else:
                continue
            steps[stage].pop(0)
            begin_ns = max([free_ns[stage]] + [run.executions[c][5] for c in after])
            length_ns = round((MS if forward else 2 * MS) * (slow if stage == stages - 1 else 1))
            name = f"{'F' if forward else 'B'}{stage + 1}"
            ends[forward, stage, i] = run.runs(name, stage + 1, begin_ns, length_ns, after, device=stage + 1)
            free_ns[stage] = begin_ns + length_ns
    return run


def host():
    """The host launches, waits, thinks, launches again; another stream waits for an event."""
    run = Run(devices=2)
    run.runs("first", 1, 100 * US, MS, launched_ns=80 * US)  # launched 20 us before it began
    run.runs("aside", 2, 200 * US, 300 * US, launched_ns=90 * US, device=2)
    run.calls_host(1, 150 * US, 1130 * US, "stream")  # returns 30 us after it ended
    run.runs("second", 1, 1650 * US, MS, launched_ns=1630 * US)  # 500 us later
    event = run.calls_host(1, 1640 * US, 1641 * US, "nothing")
    run.calls_host(2, 1642 * US, 1643 * US, "nothing", [event])
    run.runs("third", 2, 2690 * US, 310 * US, launched_ns=1650 * US, device=2)  # 40 us after the event
    run.calls_host(2, 1700 * US, 3100 * US, "stream")
    return run


def blocked():
    """The host copies to memory that is not pinned: the call returns when the copy has ended."""
    run = Run()
    run.runs("first", 1, 100 * US, MS, launched_ns=80 * US)
    copy = run.runs("copy", 1, 1100 * US, 280 * US, launched_ns=150 * US)
    run.returned_ns[copy] = 1400 * US
    run.runs("second", 1, 1920 * US, MS, launched_ns=1900 * US)
    return run


def ranks():
    """Two ranks that meet, the second of them first; then it sends, and the first one waits for that."""
    run = Run(devices=2, ranks=True)
    run.runs("long", 1, 0, 10 * MS)
    run.runs("short", 1, 0, 4 * MS, device=2)
    run.runs("reduce", 1, 10 * MS, 3 * MS, launched_ns=10 * US)
    run.runs("reduce", 1, 4 * MS, 9 * MS, launched_ns=10 * US, device=2)
    run.runs("after", 1, 13 * MS, 5 * MS, launched_ns=20 * US, device=2)
    run.runs("send", 1, 18 * MS, MS, launched_ns=30 * US, device=2)
    run.runs("receive", 1, 13 * MS, 6 * MS, launched_ns=30 * US)
    run.runs("last", 1, 19 * MS, MS, launched_ns=40 * US)
    run.collectives = [("all_reduce", 1, None, None, {1: 10 * US, 2: 10 * US}),
                       ("send", 1, 2, 1, {2: 30 * US}), ("recv", 1, 2, 1, {1: 30 * US})]
    return run


def random_plan(seed):
    """Executions in the order of their launch: stream, length in ns, pause before it, what it depends on."""
    chance = random.Random(seed)
    return [(chance.randint(1, 4), chance.randint(1, 9) * 100 * US + chance.randint(0, 99),
             chance.choice([0, 0, 0, 7 * US]), chance.sample(range(i), min(i, chance.choice([0, 0, 1, 2]))))
            for i in range(60)]


def scheduled(plan):
    """When each begins and ends: once its stream is free and what it depends on has ended, and after its pause."""
    times, free_ns = [], {}
    for stream, length_ns, pause_ns, after in plan:
        ready_ns = max([free_ns.get(stream, 0)] + [times[i][1] for i in after])
        begin_ns = ready_ns + (pause_ns if ready_ns else 0)
        times.append((begin_ns, begin_ns + length_ns))
        free_ns[stream] = begin_ns + length_ns
    return times


def random_run(seed):
    plan = random_plan(seed)
    run = Run(devices=2)
    for i, ((stream, length_ns, _, after), (begin_ns, _)) in enumerate(zip(plan, scheduled(plan))):
        run.runs(f"E{i}", stream, begin_ns, length_ns, [other + 1 for other in after], device=1 + stream % 2)
    return run


def put_slacks(seed):
    """A length can grow by the most that leaves the last end where it is, found by bisection."""
    plan = random_plan(seed)
    span_ns = max(end_ns for _, end_ns in scheduled(plan))
    for i, (stream, length_ns, pause_ns, after) in enumerate(plan):
        least_ns, most_ns = 0, span_ns
        while least_ns < most_ns:
            more_ns = (least_ns + most_ns + 1) // 2
            longer = plan[:i] + [(stream, length_ns + more_ns, pause_ns, after)] + plan[i + 1:]
            if max(end_ns for _, end_ns in scheduled(longer)) == span_ns:
                least_ns = more_ns
            else:
                most_ns = more_ns - 1
        print(f"E{i} {least_ns}")


def overlapping():
    """Two streams of a device: both get 2 J of the 10 ms in which both run, 0.5 J of it the idle power."""
    run = Run()
    run.runs("long", 1, 5 * MS, 20 * MS)
    run.runs("short", 2, 5 * MS, 10 * MS)
    return run


def joint():
    """Two devices and one sensor, which says 2 J of what runs alone for 5 ms, 0.5 J of it the idle power of both."""
    run = Run(devices=2, joint=True)
    run.runs("short", 2, 5 * MS, 5 * MS, device=2)
    run.runs("long", 1, 10 * MS, 20 * MS, launched_ns=10 * MS)
    return run


def circle():
    """Two that wait for each other."""
    run = Run()
    run.runs("A", 1, 0, MS, [2])
    run.runs("B", 2, MS, MS, [1])
    return run


CASES = {
    "beside": beside,
    "even": pipeline,
    "uneven": lambda: pipeline(1.25),
    "host": host,
    "blocked": blocked,
    "ranks": ranks,
    "overlapping": overlapping,
    "joint": joint,
    "circle": circle,
    "empty": Run,
}


def put_definitions(run, kernels):
    print("at 0\nrecording process=9 begin_ns=0 host=h boot_id=b command=made-up power=nvml")
    for i in range(1, run.devices + 1):
        process = run.process(i)
        if process == i:
            print(f"process process={process} pid={process} begin_ns=0 host=h boot_id=b executable=/bin/made-up")
            for k, name in enumerate(kernels):
                print(f"kernel_def process={process} kernel={k + 1} global_x=64 global_y=1 global_z=1 local_x=64 "
                      f"local_y=1 local_z=1 api=cuda name={name}")
        print(f'device process={process} device={i} parent_device=0 api=cuda kind=gpu name="Some GPU" uuid=GPU-{i}')
    for i, device in enumerate(run.sensors, 1):
        print(f"sensor_def process=9 sensor={i} period_ns={SAMPLE_NS} window_ns={SAMPLE_NS} lag_ns=0 source=nvml "
              f'device={device} domain=gpu part_of="" quantity=power')
    for stream, device in sorted({(1, 1), (2, min(2, run.devices)), *((e[1], e[0]) for e in run.executions.values())}):
        print(f"stream_def process={run.process(device)} stream={stream} context={device} device={device} out_of_order=0")


def put_work(run, kernels):
    for correlation, after in run.dependencies:
        print(f'dependency process=1 correlation={correlation} after_correlation={after} kind="event"')
    for correlation, stream, begin_ns, end_ns, awaits in run.calls:
        print(f"sync process=1 tid=1 correlation={correlation} stream={stream} begin_ns={begin_ns} end_ns={end_ns} "
              f"name=wait awaits={awaits}")
    for correlation, (device, stream, kernel, launched_ns, begin_ns, end_ns) in run.executions.items():
        call_ns = run.returned_ns.get(correlation, launched_ns + 100) - launched_ns
        print(f"kernel_exec process={run.process(device)} tid=1 correlation={correlation} "
              f"kernel={kernels.index(kernel) + 1} stream={stream} layer=0 stack=0 anchor=0 enqueue_ns={launched_ns} "
              f"call_ns={call_ns} delay_ns={begin_ns - launched_ns} duration_ns={end_ns - begin_ns} name=x")
    for kind, sequence, sender, receiver, launches in run.collectives:
        for rank, launched_ns in launches.items():
            peer = {None: 4294967295, rank: receiver}.get(sender, sender)
            print(f"collective process={rank} tid=1 communicator=77 rank={rank} size=2 sequence={sequence} peer={peer} "
                  f"bytes=65536 begin_ns={launched_ns} end_ns={launched_ns + 1000} kind={kind}")


def main():
    if sys.argv[1] == "slack":
        put_slacks(int(sys.argv[2]))
        return
    run = random_run(int(sys.argv[2])) if sys.argv[1] == "random" else CASES[sys.argv[1]]()
    kernels = sorted({execution[2] for execution in run.executions.values()})
    last_ns = max([execution[5] for execution in run.executions.values()] + [call[3] for call in run.calls] + [MS])
    put_definitions(run, kernels)
    print("at 1")
    put_work(run, kernels)
    for time_ns in range(SAMPLE_NS, last_ns + 1, SAMPLE_NS):
        for i, devices in enumerate(run.sensors.values(), 1):
            watts = run.busy_w if run.busy(devices, time_ns - SAMPLE_NS, time_ns) else 100
            print(f"power_sample process=9 sensor={i} time_ns={time_ns} power_mw={watts * 1000}")
    print(f'recording_end process=9 end_ns={last_ns} why="the program ended"')


main()
