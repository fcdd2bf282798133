# When kernels ran, by a report and by the simulated GPU (tests/simgpu/cuda_truth.c).
# Usage: babeltrace2 TRACE | clock_truth.py TRUTH REPORT, a report by launch in JSON
# Prints how many there are, by how many ns the worst of them is off by the trace's own times, and by
# the report, how many the report says at most, and how many it says cannot be.
import json
import re
import sys
from collections import defaultdict

from trace_events import read_events

# An event before work that has nothing to wait for comes as much before it as launching takes: that
# is no error of a clock.
LAUNCH_NS = 2000
NAMES = re.compile("first|second|third|long")


def times(of):
    """Those of one name follow one another: sorted, they are the same ones."""
    found = defaultdict(list)
    for name, begin_ns, end_ns in of:
        found[NAMES.search(name).group()] += [(int(begin_ns), int(end_ns))]
    return {name: sorted(each) for name, each in found.items()}


def off_ns(told, true):
    assert {name: len(each) for name, each in told.items()} == \
        {name: len(each) for name, each in true.items()}, (told, true)
    return max(max(a[0] - b[0], b[0] - a[0] - LAUNCH_NS, abs(a[1] - b[1]))
               for name in told for a, b in zip(told[name], true[name]))


true = times(re.search(r" begin_ns=(\d+) end_ns=(\d+) .* name=(.*)", line).group(3, 1, 2)
             for line in open(sys.argv[1]))
recorded = times((e["name"], e["begin_ns"], e["end_ns"])
                 for e in read_events(sys.stdin)["kernel_exec"])
report = json.load(open(sys.argv[2]))
told = times((row["name"], row["begin_ns"], row["begin_ns"] + round(row["time_s"] * 1e9))
             for row in report["rows"] if row["executions"])
print(sum(map(len, told.values())), off_ns(recorded, true), off_ns(told, true),
      report["coverage"]["clock_error_ns"], report["coverage"]["clock_contradicted"])
