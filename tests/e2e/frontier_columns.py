"""Each member and column of pwrtrace frontier: frontier_columns.py JSON CSV PER, of runs of frontier.sh that draw
the same power all the time and whose iterations, of one execution each, which takes half of the time, vary; PER is
iteration or kernel."""

import statistics
import sys

from columns import check, coverage, head, mean95, near

# Watts, the tag batch, and the milliseconds of each iteration, of which the first one is not counted.
RUNS = {"quick": (400, "8", [200, 102, 101, 97]), "thrifty": (200, "16", [300, 121, 122, 117]),
        "unsure": (201, "64", [300, 119, 122, 129]), "poor": (350, "32", [300, 131, 129, 130])}
# Whether they are on the frontier, whether that is sure, and the cheapest within a quarter more than the fastest.
# Of executions, the first one counts, so that the times, but not the powers, may be any.
MARKS = {"iteration": {"quick": (True, False), "thrifty": (True, True), "unsure": (False, True),
                       "poor": (False, False), "chosen": "thrifty"},
         "kernel": {"quick": (True, True), "thrifty": (True, False), "unsure": (False, True), "poor": (False, True),
                    "chosen": "quick"}}
PER = sys.argv[3]


def point(trace):
    watts, batch, times_ms = RUNS[trace]
    counted = times_ms[1:] if PER == "iteration" else [time_ms / 2 for time_ms in times_ms]
    time_s, ci95_s = statistics.mean(counted) / 1e3, mean95(counted) / 1e3
    on, maybe = MARKS[PER][trace]
    return {"trace": trace, **({"of": "gemm [64 /64]"} if PER == "kernel" else {}), "tags": {"batch": batch},
            "time_s": near(time_s), "ci95_s": near(ci95_s, 1e-6), "energy_j": near(watts * time_s),
            "ci95_j": near(watts * ci95_s, 1e-6) if PER == "iteration" else None, "modelled": False, "frontier": on,
            "maybe": maybe, "chosen": trace == MARKS[PER]["chosen"]}


def frontier(_answer):
    tags = {trace: {"batch": batch} for trace, (_, batch, _) in RUNS.items()}
    points = [point(trace) for trace in RUNS]
    first, *_ = RUNS
    return {**head("frontier", [first], tags=tags[first], executions=4),
            "runs": [{"trace": [trace], "tags": tags[trace], "coverage": coverage(4), "estimated": False}
                     for trace in RUNS],
            "per": {"iteration": "an iteration (tokens)", "kernel": "an execution of each kernel"}[PER],
            "points": points, "chosen": MARKS[PER]["chosen"]}, \
        [{"name": "gemm" if PER == "kernel" else row["trace"],
          **{key: row[key] for key in ("time_s", "energy_j", "ci95_s", "ci95_j", "trace", "chosen")},
          "frontier": "maybe" if row["maybe"] else row["frontier"]} for row in points]


check(frontier)
