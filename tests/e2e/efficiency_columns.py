"""Each member and column of pwrtrace efficiency: efficiency_columns.py JSON CSV CASE, with a case of
efficiency_trace.py that shows phases and requests, or models of the others."""

import statistics
import sys

from columns import check, coverage, head, near
from efficiency_trace import FITTED_W, fitted_stretches

WATTS = 100
COLUMNS = ["by", "name", "gpu", "batch", "unit", "amount", "input", "output", "energy_j", "ci95_j", "time_s",
           "j_per_unit", "units_per_j", "power_w", "ttft_s", "tpot_s", "partly_measured"]


def answer(traces, tokens, total_j, time_s, method="overlap", phases=(), requests=(), models=()):
    """Both, by the phases, requests and models as JSON has them; traces: by name, the joules, executions and tags
    of each."""
    first, *_ = traces
    whole = {"total_j": total_j, "tokens_per_j": near(tokens / total_j), "power_w": near(total_j / time_s),
             "partly_measured": False}
    runs = [{"trace": [name], "tags": tags, "coverage": coverage(executions), "partly_measured": False,
             "total_j": near(joules)} for name, (joules, executions, tags) in traces.items()]
    lines = [{"by": "total", "name": None, "unit": "token", "energy_j": total_j,
              "units_per_j": whole["tokens_per_j"], "power_w": whole["power_w"], "partly_measured": False}]
    lines += [{"by": "phase", "name": phase["phase"], **{key: phase[key] for key in phase if key != "phase"}}
              for phase in phases]
    lines += [{"by": "request", "name": request["request"],
               **{key: request[key] for key in request if key != "request"}} for request in requests]
    lines += [{"by": "model", "name": model["model"], "gpu": model["gpu"], "batch": int(model["batch"]),
               "unit": "token", "energy_j": model["j_per_request"], "j_per_unit": model["j_per_token"],
               "output": model["output"], "tpot_s": model["tpot_s"]} for model in models]
    return {**head("efficiency", [first], method, traces[first][2], executions=traces[first][1]), **whole,
            "phases": list(phases), "requests": list(requests), "models": list(models), "runs": runs}, \
        [{**dict.fromkeys(COLUMNS), **line} for line in lines]


def phase(name, amount, energy_j, time_s, ci95_j=None):
    return {"phase": name, "unit": "token", "amount": amount, "energy_j": energy_j, "ci95_j": ci95_j,
            "time_s": near(time_s), "partly_measured": False, "j_per_unit": energy_j / amount}


def requests(_answer):
    """Steps, of so many seconds, with tokens of requests, of which the last one of the input puts a token out."""
    steps = [(0.1, {"A": 100}), (0.2, {"A": 1, "B": 99}), (0.3, {"A": 1, "B": 1})]
    begins, inputs, part_s = {"A": 0, "B": 0.1}, {"A": 100, "B": 99}, {"input": 0, "output": 0}
    outs, energy_j, now_s = {name: [] for name in inputs}, dict.fromkeys(inputs, 0), 0
    for time_s, tokens in steps:
        now_s += time_s
        for name, count in tokens.items():
            energy_j[name] += WATTS * time_s * count / sum(tokens.values())
            part_s["input" if count > 1 else "output"] += time_s * count / sum(tokens.values())
            outs[name].append(now_s)
    shown = [{"request": name, "input": inputs[name], "output": len(outs[name]), "energy_j": energy_j[name],
              "ttft_s": outs[name][0] - begins[name], "tpot_s": (now_s - outs[name][0]) / (len(outs[name]) - 1)}
             for name in inputs]
    return answer({"requests": (WATTS * now_s, 3, {})}, sum(map(len, outs.values())), WATTS * now_s, now_s,
                  phases=[phase("prefill", 199, WATTS * part_s["input"], part_s["input"]),
                          phase("decode", 3, WATTS * part_s["output"], part_s["output"])], requests=shown)


def models(_answer):
    """Two batches of 4, each 100 ms for its first tokens and 50 ms for each of 3 more, of which the first step of all
    is not steady; and the requests above, steady from the second step on."""
    of = {"small": (50, 8, {"model": "llama", "gpu": "H200", "batch": "4"}),
          "served": (60, 3, {"model": "qwen", "gpu": "H200", "batch": "2"})}
    costs = {"small": (40 / 28, 4, 0.05), "served": (50 / 4, 2.5, statistics.mean([0.25, 0.3]))}
    return answer(of, 32 + 5, 110, 1.1,
                  models=[{**of[name][2], "j_per_token": cost, "output": output, "j_per_request": cost * output,
                           "cheapest": name == "small", "tpot_s": tpot_s}
                          for name, (cost, output, tpot_s) in costs.items()])


def fitted(got):
    """Phases whose powers a fit tells: its interval holds the truth, and is less than a hundredth."""
    amounts = {"prefill": 100 * 32, "decode": 300 * 4}
    ran = list(fitted_stretches())
    total_s = ran[-1][2] // 20 * 20 / 1e3
    shown = []
    for row, (name, amount) in zip(got["phases"], amounts.items()):
        time_s = sum(end - begin for of, begin, end in ran if of == name) / 1e3
        off_j = abs(row["energy_j"] - FITTED_W[name] * time_s)
        shown.append({**phase(name, amount, row["energy_j"], time_s), "ci95_j":
                      row["ci95_j"] if off_j <= row["ci95_j"] < row["energy_j"] / 100 else "no interval of the truth"})
    total_j = sum(FITTED_W[of] * (min(end / 1e3, total_s) - begin / 1e3) for of, begin, end in ran
                  if begin / 1e3 < total_s)
    total_j = got["total_j"] if near(total_j, 1e-3)(got["total_j"]) else total_j
    return answer({"fitted": (total_j, 400, {})}, 400 * 4, total_j, total_s, "regress", phases=shown)


check({"requests": requests, "models": models, "fitted": fitted}[sys.argv[3]])
