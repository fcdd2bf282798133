# What the simulated GPUs did (tests/simgpu/cuda_truth.c), against what a trace says they did.
# Usage: babeltrace2 TRACE | cuda_truth.py TRUTH [nodes|graphs|around|untimed]
# nodes: graphs are in the trace by their nodes (the default); graphs: each launch as one unit;
# around: the same, and times may lie around the true ones; untimed: without times.
# Prints what differs, or nothing.
import re
import sys
from collections import Counter, defaultdict

from trace_events import read_events

UNKNOWN = 2**64 - 1
INFINITE = float("inf")
FLOAT_NS = 200  # CUDA's events tell a second to that


def wrong(text, *values):
    print(text, *values)


def read_truth(path):
    for line in open(path):
        kind, rest = line.split(" ", 1)
        fields = {key: int(value) if value.isdigit() else value
                  for key, value in re.findall(r"(\w+)=(\S*)", rest)}
        yield dict(fields, kind=kind)


def key_of_truth(work):
    """What the trace must say of it, but for its times and stream."""
    what = {"kernel": (work["name"], work["global"], work["local"], work["shared"]),
            "memory": (work["name"], work["bytes"]), "graph": ()}[work["kind"]]
    device = "GPU-00000000-0000-0000-0000-%012d 0000:%02X:00.0" % (work["device"], work["device"])
    return (work["pid"], device, work["context"], work["kind"]) + what


class Trace:
    def __init__(self, lines):
        self.events = read_events(lines)

    def of(self, name):
        return self.events.get(name, [])

    def executions(self, timed_nodes):
        def table(name):
            return {(e["pid"], e[name.split("_")[0]]): e for e in self.of(name)}

        streams, kernels, devices = table("stream_def"), table("kernel_def"), table("device")
        work = [(e, "kernel") for e in self.of("kernel_exec")]
        work += [(e, "memory") for e in self.of("memory_exec")]
        if not timed_nodes:
            work += [(e, "graph") for e in self.of("graph_launch")]
        for event, kind in work:
            stream = streams[event["pid"], event["stream"]]
            device = devices[event["pid"], stream["device"]]
            what = ()
            if kind == "kernel":
                k = kernels[event["pid"], event["kernel"]]
                what = (k["name"],) + tuple(
                    "%d,%d,%d" % (k[of + "_x"], k[of + "_y"], k[of + "_z"])
                    for of in ("global", "local")) + (k["shared_bytes"],)
            elif kind == "memory":
                what = (event["kind"], event["bytes"])
            yield event, (event["pid"], device["uuid"] + " " + device["pci"], stream["context"],
                          kind) + what

    def clock_error_ns(self):
        return max((e["error_ns"] for e in self.of("clock_sync")), default=0)

    def check_launches(self):
        """Each execution has one launch, before it, and each launch an execution."""
        executions = self.of("kernel_exec")
        if len({(e["pid"], e["correlation"]) for e in executions}) != len(executions):
            wrong("a correlation of two executions")
        for e in executions:
            if not (e["enqueue_ns"] <= e["return_ns"] != UNKNOWN and
                    e["enqueue_ns"] <= e["begin_ns"] + self.clock_error_ns()):
                wrong("times of", e)
        for launch in self.of("kernel_launch"):
            wrong("no execution of", launch)


def main():
    mode = sys.argv[2] if len(sys.argv) > 2 else "nodes"
    trace = Trace(sys.stdin)
    error_ns = trace.clock_error_ns() + (mode != "nodes") * FLOAT_NS
    truth, told = defaultdict(list), defaultdict(list)
    truth_streams, told_streams = defaultdict(Counter), defaultdict(Counter)
    # Without CUPTI nobody tells the context.
    contexts = any(s["context"] for s in trace.of("stream_def"))

    def without_context(key):
        return key if contexts else key[:2] + key[3:]

    # Of nodes that are kernels of a runtime's own, nobody tells how much they moved.
    unknown = {e["kind"] for e in trace.of("memory_exec") if e["bytes"] == UNKNOWN}
    for work in read_truth(sys.argv[1]):
        if work["node"] and work["name"] in unknown:
            work["bytes"] = UNKNOWN
        if work["kind"] == "graph" if mode == "nodes" else work["node"]:
            continue
        key = without_context(key_of_truth(work))
        truth[key].append((work["begin_ns"], work["end_ns"]))
        truth_streams[work["pid"], work["context"], work["stream"]][key] += 1
    for event, key in trace.executions(mode == "nodes"):
        key = without_context(key)
        told[key].append((event["begin_ns"], event["end_ns"]))
        told_streams[event["pid"], event["stream"]][key] += 1

    for key in sorted(truth.keys() | told.keys(), key=str):
        if len(truth[key]) != len(told[key]):
            wrong("executions of", key, "told", len(told[key]), "true", len(truth[key]))
            continue
        # Each by itself: which execution is which is not known, but their order keeps the bounds.
        for side, at_most, at_least in (0, 0, INFINITE), (1, INFINITE, 0):
            pairs = zip(sorted(t[side] for t in told[key]), sorted(t[side] for t in truth[key]))
            for is_told, is_true in pairs:
                late_ns = is_told - is_true
                right = {"untimed": is_told == UNKNOWN,
                         "around": -at_least - error_ns <= late_ns <= at_most + error_ns}
                if not right.get(mode, abs(late_ns) <= error_ns):
                    wrong("begin end".split()[side], "of", key, "told", is_told, "true", is_true,
                          "error", error_ns)
                    break
    if (sorted(map(sorted, (s.items() for s in truth_streams.values())), key=str) !=
            sorted(map(sorted, (s.items() for s in told_streams.values())), key=str)):
        wrong("streams: told", len(told_streams), "true", len(truth_streams))
    trace.check_launches()


if __name__ == "__main__":
    main()
