# A card of AMD's whose energy counter follows what the simulated GPUs do, and whether a report tells
# what each kernel needed.  A kernel's name says its power: _Z4burnILm20000000ELm300EEvv draws 300 W
# beside the card's 100 W.
#
# hip_energy.py card DIR TRUTH           until it is terminated: fake_sysfs's card, each millisecond
# hip_energy.py check TRUTH REPORT.json  prints what is wrong, or nothing
# hip_energy.py total TRUTH REPORT.json  the same, of all kernels together, which may overlap
import json
import os
import re
import sys
import time
from collections import defaultdict

from cuda_truth import read_truth
from fake_sysfs import AMD, amd_table, write

IDLE_W, ACCURACY, STEP_S = 100, 0.01, 0.001


def watts(name):
    return int(re.match(r"_Z\w+?ILm\d+ELm(\d+)E", name)[1])


class Card:
    """Its energy at a time, from the kernels that the truth has grown by."""

    def __init__(self, path):
        self.path, self.place = path, 0
        self.kernels, self.past_j = [], 0  # those that go on; what is over

    def read_more(self):
        if not os.path.exists(self.path):
            return
        with open(self.path) as file:
            file.seek(self.place)
            for line in file:
                match = re.match(r"kernel .* begin_ns=(\d+) end_ns=(\d+) .* name=(\S+)", line)
                if match:
                    self.kernels.append((int(match[1]), int(match[2]), watts(match[3])))
            self.place = file.tell()

    def watts_at(self, now_ns):
        return IDLE_W + sum(w for begin, end, w in self.kernels if begin <= now_ns < end)

    def dynamic_j(self, now_ns):
        self.read_more()
        over = [k for k in self.kernels if k[1] <= now_ns]
        self.past_j += sum((end - begin) / 1e9 * w for begin, end, w in over)
        self.kernels = [k for k in self.kernels if k[1] > now_ns]
        return self.past_j + sum((now_ns - begin) / 1e9 * w for begin, _, w in self.kernels
                                 if begin < now_ns)


def card(root, truth):
    model, begin_ns = Card(truth), time.monotonic_ns()
    while True:
        now_ns = time.monotonic_ns()
        joules = IDLE_W * (now_ns - begin_ns) / 1e9 + model.dynamic_j(now_ns)
        write(root, AMD + "gpu_metrics", amd_table(joules, model.watts_at(now_ns), now_ns))
        time.sleep(STEP_S)


def check(truth, report):
    true_j, true_n = defaultdict(float), defaultdict(int)
    for work in read_truth(truth):
        true_j[work["name"]] += (work["end_ns"] - work["begin_ns"]) / 1e9 * (
            IDLE_W + watts(work["name"]))
        true_n[work["name"]] += 1
    rows = {row["name"]: row for row in json.load(open(report))["rows"] if row["executions"]}
    if len(rows) != len(true_j):
        print("rows of", sorted(rows), "true are", sorted(true_j))
    for row in rows.values():
        name = next((n for n in true_j if n.split("ILm")[1].split("EE")[0].replace("ELm", "ul, ") in
                     row["name"] or n == row["name"]), None)
        if not name or row["executions"] != true_n[name]:
            print("row", row["name"], row["executions"])
        elif abs(row["energy_j"] / true_j[name] - 1) > ACCURACY:
            print(row["name"], row["energy_j"], "J, true are", true_j[name])


def total(truth, report):
    true_j = end_ns = 0
    for work in sorted(read_truth(truth), key=lambda w: w["begin_ns"]):
        true_j += (work["end_ns"] - work["begin_ns"]) / 1e9 * watts(work["name"])
        true_j += max(work["end_ns"] - max(work["begin_ns"], end_ns), 0) / 1e9 * IDLE_W
        end_ns = max(end_ns, work["end_ns"])
    balance = json.load(open(report))["balance"]
    if abs(balance["attributed_j"] / true_j - 1) > ACCURACY:
        print("attributed", balance["attributed_j"], "J, true are", true_j)


{"card": card, "check": check, "total": total}[sys.argv[1]](*sys.argv[2:])
