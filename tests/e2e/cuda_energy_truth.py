# What tests/simgpu/nvml.c made the GPUs draw while they had work, against what a report attributes.
# Usage: babeltrace2 TRACE | cuda_energy_truth.py TRUTH REPORT.json; prints what is wrong, or nothing.
import json
import sys

from cuda_truth import read_truth
from nvml_truth import BASE_W, SAMPLE_S, energy_j
from trace_events import read_events


def busy_s(works):
    """The times in which a device had work, without overlaps."""
    spans = []
    for begin_ns, end_ns in sorted((work["begin_ns"], work["end_ns"]) for work in works):
        if spans and begin_ns <= spans[-1][1]:
            spans[-1][1] = max(spans[-1][1], end_ns)
        else:
            spans.append([begin_ns, end_ns])
    return [(begin_ns / 1e9, end_ns / 1e9) for begin_ns, end_ns in spans]


def main():
    realtime_s = read_events(sys.stdin)["recording"][0]["realtime_offset_ns"] / 1e9
    truth = list(read_truth(sys.argv[1]))
    balance = json.load(open(sys.argv[2]))["balance"]["devices"]
    for row in (row for row in balance if row["domain"] == "gpu"):
        device = int(row["device"].rsplit("-", 1)[1])
        spans = busy_s(work for work in truth if work["device"] == device)
        true_j = sum(energy_j(device, end_s + realtime_s) - energy_j(device, begin_s + realtime_s)
                     for begin_s, end_s in spans)
        # A sample stands for all of its time: at both ends, what it takes in of the other level.
        slack_j = 2 * SAMPLE_S * 2 * BASE_W * (device + 1) * min(len(spans), 4) + 0.005 * true_j
        rest_nj = round(1e9 * (row["measured_j"] - row["attributed_j"] - row["idle_j"] -
                               row["unattributed_j"]))
        if not spans or abs(row["attributed_j"] - true_j) > slack_j or rest_nj:
            print("device", device, "attributed", row["attributed_j"], "true", true_j,
                  "balance off by", rest_nj, "nJ")


main()
