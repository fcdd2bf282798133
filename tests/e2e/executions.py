"""Single executions and layers of a report for other programs, beside those of the JSON reports of the
same trace by launch and by layer: when each ran, what it is called, and its joules."""
import decimal
import json
from itertools import zip_longest


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file, parse_float=decimal.Decimal)


def nanojoules(value_j):
    return None if value_j is None else round(value_j * 10**9)


def is_called(label, row):
    """Whether a label is a name of a row, with the shape behind it where others have the name too."""
    return label in {name + shape for name in (row["name"], row["short_name"])
                     for shape in ("", f" [{row['shape']}]")}


def is_told(told, known, relative):
    """Whether a value is one of JSON, as far as its decimals and the relative error of the other's digits tell;
    neither has what is not known."""
    if told is None or known is None:
        return told is known
    known = decimal.Decimal(known)
    error = decimal.Decimal("0.51").scaleb(known.as_tuple().exponent) + abs(known) * decimal.Decimal(relative)
    return abs(decimal.Decimal(told) - known) <= error


def other_executions(found, launches, relative=0):
    """How executions differ from the rows of a report by launch, but for a relative error of what is no count.  Each
    is a dictionary: begin_ns, length_ns, energy_nj (None: not known), label (None: not told), and of the values that
    rows have those that are told."""
    rows = [row for row in launches["rows"] if row["time_s"] is not None]
    wanted = sorted(((row["begin_ns"], nanojoules(row["time_s"]), nanojoules(row["energy_j"]), row["short_name"], i)
                     for i, row in enumerate(rows)), key=lambda of: (of[:2], of[2] or -1, of[3:]))
    got = sorted(found, key=lambda of: (of["begin_ns"], of["length_ns"], of["energy_nj"] or -1, of["label"] or ""))
    for execution, row in zip_longest(got, wanted):
        if not execution or not row:
            yield f"{len(got)} executions, not {len(wanted)}"
            break
        *values, i = row
        if [execution[key] for key in ("begin_ns", "length_ns", "energy_nj")] != values[:3]:
            yield f"{execution} is not {values}"
        if execution["label"] is not None and not is_called(execution["label"], rows[i]):
            yield f"{execution} is not called {rows[i]['name'][:200]!r}"
        for key in execution.keys() & rows[i].keys():
            told, known = execution[key], rows[i][key]
            if not is_told(told, known, relative):
                yield f"{key} of {execution} is {told}, not {known}"


def other_layers(found_nj, layers):
    """How energies by the names of layers differ from a report by layer."""
    wanted = {}
    for row in layers["rows"]:  # names of two layers may be alike, where one has a slash
        wanted.setdefault(row["name"], []).append(nanojoules(row["energy_j"]))
    for name in found_nj.keys() | wanted.keys():
        parts_nj = wanted.get(name, [0])
        if None not in parts_nj and found_nj.get(name, 0) != sum(parts_nj):
            yield f"the layer {name[:200]!r} has {found_nj.get(name)} nJ, not {parts_nj}"
