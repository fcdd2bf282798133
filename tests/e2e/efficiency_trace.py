#!/usr/bin/python3
"""Prints a trace, as trace_text reads it, of a server whose costs are known: efficiency_trace.py CASE.

100 W all the time, but in the case fitted.  A step is a kernel that runs from its beginning to the marks at
its end."""
import random
import sys

FITTED_W = {"prefill": 400, "decode": 200, None: 100}


def head(end_ms, tags=(), period_ms=None):
    print("at 0")
    print("recording process=1 schema=2 begin_ns=0 host=h boot_id=b command=serve power=nvml")
    print(f"sensor_def process=1 sensor=1 period_ns={(period_ms or end_ms) * 10**6} source=nvml device=GPU-1 domain=gpu "
          'part_of="" quantity=power')
    for tag in tags:
        print("tag process=1 key={} value={}".format(*tag.split("=")))
    print("process process=1 pid=1 schema=2 parent_pid=0 begin_ns=0 host=h boot_id=b executable=/bin/serve")
    print("device process=1 device=1 parent_device=0 compute_units=8 api=cuda kind=gpu name=GPU uuid=GPU-1")
    print("stream_def process=1 stream=1 context=1 device=1 out_of_order=0")
    for kernel, name in enumerate(["forward", "forward_one"], 1):
        print(f"kernel_def process=1 kernel={kernel} global_x=64 global_y=1 global_z=1 local_x=64 local_y=1 "
              f"local_z=1 api=cuda name={name}")
    print("layer_def process=1 layer=1 parent_layer=0 name=prefill")
    print("layer_def process=1 layer=2 parent_layer=0 name=decode")
    print("at 1")


def tail(end_ms, readings=None):
    """readings: times in ms, and watts."""
    print(f"at {end_ms * 10**6 + 1}")
    for ms, watts in readings or [(end_ms, 100)]:
        print(f"power_sample process=1 sensor=1 time_ns={ms * 10**6} power_mw={round(watts * 1000)}")
    print(f'recording_end process=1 end_ns={end_ms * 10**6} why="the program ended"')


def mark(ms, name, value, unit="token", layer=0):
    print(f'mark process=1 tid=1 layer={layer} time_ns={round(ms * 10**6)} value={value} unit="{unit}" '
          f'name="{name}"')


launches = 0


def step(begin_ms, end_ms, tokens, layer=0, kernel=1):
    """A kernel, and what it processed of which request."""
    global launches
    launches += 1
    begin_ns = round(begin_ms * 10**6)
    if layer:
        print(f"layer_push process=1 tid=1 begin_ns={begin_ns} layer={layer}")
    print(f"kernel_exec process=1 correlation={launches} kernel={kernel} stream=1 layer={layer} "
          f"enqueue_ns={begin_ns} call_ns=0 delay_ns=0 anchor=0 stack=0 "
          f"duration_ns={round((end_ms - begin_ms) * 10**6)} name=forward")
    for name, value in tokens.items():
        mark(end_ms, name, value, "input token" if name == "input tokens" else "token", layer)
    if layer:
        print(f"layer_pop process=1 tid=1 end_ns={round(end_ms * 10**6)} layer={layer}")


def requests(tags=()):
    """10, 20 and 30 J; A 100 | A 1 B 99 | A 1 B 1."""
    head(600, tags)
    mark(0, "request#A", 100, "input token")
    step(0, 100, {"tokens#A": 100})
    mark(100, "request#B", 99, "input token")
    step(100, 300, {"tokens#A": 1, "tokens#B": 99})
    step(300, 600, {"tokens#A": 1, "tokens#B": 1})
    tail(600)


def waiting():
    """Nobody asks anything for 700 of 1000 ms, between A and B; a second A follows the first."""
    head(1000)
    mark(0, "request#A", 10, "input token")
    step(0, 100, {"tokens#A": 10})
    mark(800, "request#B", 4, "input token")
    mark(800, "request#A", 4, "input token")
    step(850, 950, {"tokens#B": 4, "tokens#A": 4})
    step(950, 1000, {"tokens#B": 1})
    tail(1000)


def warmed():
    """Before the first request, kernels run for 100 of 200 ms; the step has 100 ms of idle time of its own."""
    head(500)
    step(0, 100, {})
    mark(200, "request#A", 10, "input token")
    step(250, 300, {"tokens#A": 10})
    step(350, 500, {"tokens#A": 1})
    tail(500)


def cached():
    """Of 100 input tokens the cache has 60; the others are processed in two chunks."""
    head(400)
    mark(0, "request#A", 100, "input token")
    mark(0, "cached#A", 60)
    step(0, 100, {"tokens#A": 30})
    step(100, 200, {"tokens#A": 10})
    step(200, 400, {"tokens#A": 1})
    tail(400)


def chunked():
    """A prompt that is not processed to its end, beside one that is."""
    head(300)
    mark(0, "request#A", 100, "input token")
    mark(0, "request#B", 20, "input token")
    step(0, 100, {"tokens#A": 30})
    step(100, 300, {"tokens#A": 30, "tokens#B": 20})
    tail(300)


def phases(tags=(), decode_ms=50):
    """Two batches of 4 sequences: a prompt of 8 tokens each in 100 ms, then 3 tokens each."""
    end_ms = 2 * (100 + 3 * decode_ms)
    head(end_ms, tags)
    at = 0
    for _ in range(2):
        step(at, at + 100, {"input tokens": 32, "tokens": 4}, 1)
        at += 100
        for _ in range(3):
            step(at, at + decode_ms, {"tokens": 4}, 2)
            at += decode_ms
    tail(end_ms)


def fitted_stretches():
    """100 prompts of 10 to 40 ms, each followed by 3 steps of 5 to 20 ms, and by an idle stretch: its phase or
    None, begin and end in ms."""
    random.seed(1)
    at = 0
    for _ in range(100):
        for phase in "prefill", "decode", "decode", "decode", None:
            end = at + random.randint(*((5, 20) if phase == "decode" else (10, 40)))
            yield phase, at, end
            at = end


def fitted():
    stretches = list(fitted_stretches())
    end_ms = stretches[-1][2] // 20 * 20
    head(end_ms, period_ms=20)
    power = []
    for phase, begin, end in stretches:
        power += [FITTED_W[phase]] * (end - begin)
        if phase == "prefill":
            step(begin, end, {"input tokens": 32, "tokens": 4}, 1)
        elif phase:
            step(begin, end, {"tokens": 4}, 2, 2)
    tail(end_ms, [(ms, sum(power[ms - 20:ms]) / 20 + random.gauss(0, 1)) for ms in range(20, end_ms + 1, 20)])


def backwards():
    head(300)
    step(0, 100, {"tokens#A": 10})
    mark(150, "request#A", 10, "input token")
    step(200, 300, {"tokens#A": 1})
    tail(300)


def unknown():
    head(300)
    mark(0, "request#A", 10, "input token")
    step(0, 100, {"tokens#A": 10})
    step(200, 300, {"tokens#B": 1})
    tail(300)


def untimed():
    """Another process's trace, without a sensor of its own."""
    print("at 0")
    print("process process=2 pid=2 schema=2 parent_pid=0 begin_ns=0 host=h boot_id=b executable=/bin/serve")
    print("process_end process=2 end_ns=500000000")


def unserved():
    """Steps count tokens, but not of which request."""
    head(300)
    mark(0, "request#A", 10, "input token")
    step(0, 100, {"tokens": 10})
    step(200, 300, {"tokens": 1})
    tail(300)


def silent():
    head(300)
    step(0, 100, {})
    tail(300)


CASES = {
    "requests": requests,
    "waiting": waiting,
    "warmed": warmed,
    "cached": cached,
    "chunked": chunked,
    "phases": phases,
    "small": lambda: phases(("model=llama", "gpu=H200", "batch=4"), 50),
    "slow": lambda: phases(("model=llama", "gpu=H100", "batch=4"), 60),
    "served": lambda: requests(("model=qwen", "gpu=H200", "batch=2")),
    "half_tagged": lambda: phases(("model=llama", "batch=4")),
    "other_half": lambda: phases(("model=qwen", "batch=4")),
    "fitted": fitted,
    "backwards": backwards,
    "unknown": unknown,
    "untimed": untimed,
    "unserved": unserved,
    "silent": silent,
}

if __name__ == "__main__":
    CASES[sys.argv[1]]()
