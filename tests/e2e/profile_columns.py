"""Each member and column of pwrtrace profile, of a kernel whose points are measured: profile_columns.py JSON CSV
CASE, with the case overshoot or before of profile_traces.py."""

import statistics
import sys

from columns import check, head, mean95, near
from profile_traces import OVERSHOOT, US

WINDOW_S, BEST_S, APART_S = 50e-6, 400e-6, 0.5e-6  # of the sensor; an execution, and from one to the next
# Execution times and powers by number in a run, how many runs there are, golden ones, executions, the numbers of
# SSE and SSP; before: watts by what ran before, and the noise.
CASES = {"overshoot": ([part * BEST_S for part in OVERSHOOT[0]], OVERSHOOT[1], 200, 160, 200 * 20, 4, 11, {}, 7),
         "before": ([BEST_S], [(300 + 330) / 2], 200, 200, 100 * 16 + 100, None, None, {"idle": 300, "k1": 330}, 3)}
TIMES_S, WATTS, RUNS, GOLDEN, EXECUTIONS, SSE, SSP, BEFORE, NOISE_W = CASES[sys.argv[3]]


def number_at(run_s):
    """The number of the execution at a time of its run, and the time since it began."""
    for number, time_s in enumerate(TIMES_S, 1):
        if run_s < time_s:
            return number, run_s
        run_s -= time_s + APART_S
    return None


def of_points(powers_w, truth_w):
    """The mean of points, and an interval that holds the truth in 95 of 100 cases: nearly always twice it does."""
    mean_w = statistics.mean(powers_w)
    about_w = mean95(powers_w)
    return {"power_w": near(mean_w),
            "ci95_w": lambda got: 0.6 * about_w < got < 1.6 * about_w and abs(mean_w - truth_w) < 2 * got}


def point(got):
    """The window lies in the execution, but for what a response of ten taps tells of it."""
    number, toi_s = number_at(got["run_s"])
    inside = 0.98 * WINDOW_S / 2 < toi_s < TIMES_S[number - 1] - 0.98 * WINDOW_S / 2
    allowed_w = list(BEFORE.values()) or [WATTS[number - 1]]
    return {"toi_s": near(toi_s, least=1e-9) if inside else None, "run_s": lambda run_s: run_s > 0,
            "power_w": lambda watts: min(abs(watts - allowed) for allowed in allowed_w) < 5 * NOISE_W, "domain": "gpu"}


def fits(points):
    """Whether a polynomial has the least squares: what it leaves is orthogonal to its powers."""
    def holds(fit):
        parts = [(toi_s / BEST_S, power_w) for toi_s, power_w in points]
        left = [power_w - sum(c * part ** i for i, c in enumerate(fit)) for part, power_w in parts]
        return len(fit) == 5 and all(abs(sum(each * part ** i for each, (part, _) in zip(left, parts))) < 1e-3
                                     for i in range(5))
    return holds


def befores(answer):
    for name, watts in BEFORE.items():
        powers_w = [each["power_w"] for each in answer["points"]
                    if name == min(BEFORE, key=lambda other: abs(BEFORE[other] - each["power_w"]))]
        yield {"name": name, **of_points(powers_w, watts), "executions": 100}


def profile(answer):
    points = {number: [] for number in range(1, len(TIMES_S) + 1)}
    for each in answer["points"]:
        number, toi_s = number_at(each["run_s"])
        points[number].append((toi_s, each["power_w"]))
    positions = [{"execution": number, "time_s": near(TIMES_S[number - 1], 1e-5),
                  **of_points([power_w for _, power_w in of], WATTS[number - 1]), "points": len(of)}
                 for number, of in points.items()]
    return {**head("profile", [sys.argv[3]], "regress", executions=EXECUTIONS, layers=False,
                   power_gap_s=lambda got: 0 <= got < 1e-3),
            "runs": RUNS, "golden": GOLDEN, "guidance": {"runs": 200, "points": 40, "margin": 0.02},
            "runs_needed": 200, "expected_points": RUNS * BEST_S / 1e-3, "resolution": "measured",
            "sse": SSE and positions[SSE - 1], "ssp": SSP and positions[SSP - 1], "positions": positions,
            "points": [point(each) for each in answer["points"]], "fit": fits(points[SSP or 1]),
            "before": list(befores(answer))}, \
        [{key: row[key] for key in ("execution", "time_s", "power_w", "ci95_w", "points")} for row in positions]


check(profile)
