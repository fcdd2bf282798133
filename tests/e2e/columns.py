"""What the *_columns.py share, which compare each member of an answer, as JSON and as CSV, with the truth.
An answer that has a member more or less than the truth differs, so that none is left unread."""

import csv
import json
import math
import statistics
import sys


def near(truth, part=1e-9, least=1e-15):
    """What is within a part of the truth, or within the least that is anything."""
    return lambda got: is_number(got) and abs(got - truth) <= max(part * abs(truth), least)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def differences(got, truth, path):
    """Yields a line for each member that is not as the truth has it: a function holds of it or not, and a
    number is near."""
    if isinstance(truth, dict) and isinstance(got, dict) and got.keys() == truth.keys():
        for key in truth:
            yield from differences(got[key], truth[key], f"{path}.{key}")
    elif isinstance(truth, list) and isinstance(got, list) and len(got) == len(truth):
        for i, each in enumerate(truth):
            yield from differences(got[i], each, f"{path}[{i}]")
    elif callable(truth):
        if not truth(got):
            yield f"{path} is {got}"
    elif is_number(truth):
        yield from differences(got, near(truth), path)
    elif got != truth:
        yield f"{path} is {got}, not {truth}"


def cell(text):
    """What a cell of CSV says, as JSON has it."""
    if text in ("", "true", "false"):
        return {"": None, "true": True, "false": False}[text]
    try:
        return float(text)
    except ValueError:
        return text


def head(command, trace, method="overlap", tags=None, **seen):
    """The members that all answers begin with."""
    return {"schema": f"pwrtrace-{command}/1", "trace": trace, "method": method, "estimated": False,
            "tags": tags or {}, "coverage": coverage(**seen)}


def coverage(executions, layers=True, **seen):
    none = dict.fromkeys(["damaged_traces", "lost_events", "unfinished", "without_time", "cut_off_processes",
                          "cut_off_recordings", "power_gap_s", "unmeasured_s", "unmeasured_executions", "clock_contradicted",
                          *(["layers_not_closed", "layers_not_opened"] if layers else [])], 0)
    return {**none, "executions": executions, "clock_error_ns": None, **seen}


def refuse(constant):
    raise ValueError(f"{constant} is no JSON")


def check(truth):
    """Prints what differs in the files that the first two arguments of the program name, the answer as JSON and
    the lines as CSV, from what truth() of the answer says that both must be."""
    with open(sys.argv[1]) as file:
        answer = json.load(file, parse_constant=refuse)
    with open(sys.argv[2], newline="") as file:
        lines = [{key: cell(text) for key, text in row.items()} for row in csv.DictReader(file)]
    for name, got, of in zip(("JSON", "CSV"), (answer, lines), truth(answer)):
        for line in differences(got, of, name):
            print(line)


# --- Student's distribution ---

def student_two_sided(t, freedom):
    """The probability of a value that is further from 0 than t, by Simpson's rule."""
    steps = 2000
    density = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(freedom * math.pi)
    heights = [(1 + (t * i / steps) ** 2 / freedom) ** (-(freedom + 1) / 2) for i in range(steps + 1)]
    inner = (heights[0] + heights[-1] + 4 * sum(heights[1:-1:2]) + 2 * sum(heights[2:-1:2])) * abs(t) / steps / 3
    return max(1 - 2 * density * inner, 0)


def student_t95(freedom):
    low, high = 0, 1000
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if student_two_sided(middle, freedom) > 0.05 else (low, middle)
    return low


def mean95(values):
    """Half of the 95 % interval of the mean of values that are independent."""
    return student_t95(len(values) - 1) * statistics.stdev(values) / math.sqrt(len(values))
