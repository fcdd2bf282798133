"""Each member and column of pwrtrace compare, of three runs a side whose executions vary and have pauses
between them (compare.sh): compare_columns.py JSON CSV."""

import math
import statistics

from columns import check, coverage, head, mean95, near, student_t95, student_two_sided

FIGURES = {"time": "time_s", "power": "power_w", "energy": "energy_j", "edp": "edp_js", "cycles": "cycles",
           "clock": "clock_hz", "busy": "busy"}


class Run:
    """What the arguments of trace in compare.sh mean; the sensor says one power of all of it."""

    def __init__(self, us, watts, mhz, throttled, gap=250, jitter=40):
        self.count = int(250e6 / ((us + gap) * 1000))
        self.times_s = [(us + (jitter if i % 2 else -jitter)) / 1e6 for i in range(self.count)]
        self.span_s = self.count * (us + gap) / 1e6
        self.watts, self.hz, self.throttled = watts, mhz * 1e6, throttled

    def row(self, by):
        """The figures of an execution, of the layer, and of the whole with its pauses."""
        busy_s = sum(self.times_s)
        time_s = {"kernel": busy_s / self.count, "layer": busy_s, "total": self.span_s}[by]
        busy = busy_s / self.span_s if by == "total" else 1
        return {"time_s": time_s, "power_w": self.watts, "energy_j": self.watts * time_s,
                "edp_js": self.watts * time_s ** 2, "cycles": time_s * busy * self.hz, "clock_hz": self.hz,
                "busy": busy}


SIDES = {"base": [Run(1000 + 10 * i, 500 + i, 1400, 0) for i in range(3)],
         "other": [Run(1120 - 10 * i, 509 + 2 * i, 1300, 1) for i in range(3)]}


def compared_side(side, by):
    runs = SIDES[side]
    means = {key: statistics.geometric_mean(run.row(by)[key] for run in runs) for key in FIGURES.values()}
    parts = [mean95(run.times_s) / statistics.mean(run.times_s) for run in runs]
    return {"count": statistics.mean(run.count for run in runs) if by == "kernel" else 1, **means,
            "throttled": statistics.mean(run.throttled for run in runs),
            "ci95": {**dict.fromkeys(FIGURES.values()), "busy": None if by == "total" else 0,
                     "time_s": means["time_s"] * math.hypot(*parts) / 3 if by == "kernel" else None}}


def welch(by, key):
    """The change, half of its interval, and how probable one as large is, by the logarithms of the runs."""
    base, other = ([math.log(run.row(by)[key]) for run in SIDES[side]] for side in SIDES)
    change = statistics.mean(other) - statistics.mean(base)
    parts = [statistics.variance(side) / len(side) for side in (base, other)]
    if max(parts) < 1e-30:
        return math.expm1(change), 0, float(abs(change) < 1e-12)
    freedom = sum(parts) ** 2 / sum(part ** 2 / 2 for part in parts)
    return (math.expm1(change), student_t95(freedom) * math.sqrt(sum(parts)) * math.exp(change),
            student_two_sided(change / math.sqrt(sum(parts)), freedom))


def significant(chances):
    """By Benjamini and Hochberg, at a rate of 5 %."""
    below = [p for rank, p in enumerate(sorted(chances), 1) if p <= 0.05 * rank / len(chances)]
    return [bool(below) and p <= max(below) for p in chances]


def compared(_answer):
    names = {"kernel": "gemm [64 /64]", "layer": "step", "total": "total"}
    judged = {}
    for name, key in FIGURES.items():
        kernel, layer, total = (welch(by, key)[2] for by in names)
        judged[name] = dict(zip(names, significant([kernel, layer]) + significant([total])))
    rows = []
    for by, name in names.items():
        changes = {figure: welch(by, key) for figure, key in FIGURES.items()}
        rows.append({"name": name, "by": by, "modelled": False, **{side: compared_side(side, by) for side in SIDES},
                     "delta": {figure: near(change[0], least=1e-12) for figure, change in changes.items()},
                     "ci95": {figure: near(change[1], 1e-6) for figure, change in changes.items()},
                     "significant": {figure: judged[figure][by] for figure in FIGURES}})
    runs = [{"trace": [f"{side}_{i}"], "tags": {}, "coverage": coverage(run.count), "partly_measured": False,
             "estimated": False, "side": side} for side in SIDES for i, run in enumerate(SIDES[side])]
    same = {"device": "Some GPU", "board": "GPU-1", "driver": "", "sensor": "nvml", "limit": 700}
    unlike = {"clock": (1400e6, 1300e6), "throttled": (0, 1), "at_limit": (0, 1)}
    conditions = [{"name": name, "base": value, "other": value, "agree": True} for name, value in same.items()]
    conditions += [{"name": name, "base": base, "other": other, "agree": False}
                   for name, (base, other) in unlike.items()]
    lines = [{"by": row["by"], "name": row["name"],
              **{f"{side}_{key}": row[side][key] for side in SIDES for key in FIGURES.values()},
              **{f"{part}_{figure}": row[part][figure] for part in ("delta", "ci95", "significant")
                 for figure in FIGURES}} for row in rows]
    answer = {**head("compare", ["base_0"], executions=SIDES["base"][0].count), "runs": runs,
              "conditions": conditions, "rows": rows[:2], "total": {**rows[2], "unit": "run"},
              "verdict": "worse" if rows[2]["significant"]["energy"] else "same"}
    return answer, lines


check(compared)
