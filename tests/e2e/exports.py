#!/usr/bin/python3
"""exports.py FORMAT FILE REPORT: whether a report of that format says what the JSON report of the same
trace does.  Prints what differs, and fails."""
import decimal
import json
import sys


def load(text):
    def unique(pairs):
        assert len({key for key, _ in pairs}) == len(pairs), f"a key twice: {pairs}"
        return dict(pairs)

    return json.loads(text, parse_float=decimal.Decimal, object_pairs_hook=unique)


def read(path):
    with open(path, encoding="utf-8", newline="\n") as file:
        return file.read()


def ndjson(text, report):
    lines = text.split("\n")
    assert lines.pop() == "", "the last line has no end"
    rows = [load(line) for line in lines]
    for row in rows:
        assert not any(isinstance(value, (dict, list)) for value in row.values()), f"not flat: {row}"
        assert row.pop("run") == ", ".join(report["trace"])
        assert row.pop("method") == report["method"] and row.pop("estimated") == report["estimated"]
        assert row.pop("host", ""), "no host"
    flat = [{key: value for key, value in row.items() if not isinstance(value, (dict, list))}
            for row in report["rows"]]
    assert rows == flat, (rows, flat)


def speedscope(text, report):
    file = load(text)
    frames = [frame["name"] for frame in file["shared"]["frames"]]
    assert len(set(frames)) == len(frames) and all(frames), "names twice, or empty"
    profile, = file["profiles"]
    assert len(profile["samples"]) == len(profile["weights"])
    assert {frame for stack in profile["samples"] for frame in stack} == set(range(len(frames)))
    assert sum(profile["weights"]) == profile["endValue"] == (report["balance"]["attributed_j"] or 0), profile
    assert all(len(stack) > 1 for stack in profile["samples"]), "a kernel in no layer, not even (no layer)"


{"ndjson": ndjson, "speedscope": speedscope}[sys.argv[1]](read(sys.argv[2]), load(read(sys.argv[3])))
