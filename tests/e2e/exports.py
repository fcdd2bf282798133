#!/usr/bin/python3
"""exports.py FORMAT FILE REPORT LAUNCHES LAYERS: whether a report of that format says what the JSON report
of the same trace does, and those by launch and by layer.  Prints what differs, and fails."""
import decimal
import json
import struct
import sys

from executions import is_called, nanojoules, other_executions, other_layers


def load(text):
    def unique(pairs):
        assert len({key for key, _ in pairs}) == len(pairs), f"a key twice: {pairs}"
        return dict(pairs)

    return json.loads(text, parse_float=decimal.Decimal, object_pairs_hook=unique)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def ndjson(text, report, launches, layers):
    lines = text.decode().split("\n")
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


def same(differences):
    found = list(differences)
    assert not found, "\n".join(found[:10])


def speedscope(text, report, launches, layers):
    file = load(text)
    frames = [frame["name"] for frame in file["shared"]["frames"]]
    assert len(set(frames)) == len(frames) and all(frames), "names twice, or empty"
    profile, = file["profiles"]
    assert len(profile["samples"]) == len(profile["weights"])
    assert {frame for stack in profile["samples"] for frame in stack} == set(range(len(frames)))
    assert sum(profile["weights"]) == profile["endValue"] == (report["balance"]["attributed_j"] or 0), profile
    assert all(len(stack) > 1 for stack in profile["samples"]), "a kernel in no layer, not even (no layer)"
    by_layer, by_kernel = {}, {}
    for stack, weight in zip(profile["samples"], profile["weights"]):
        *path, kernel = [frames[frame] for frame in stack]
        layer = "/".join("" if name == "(no name)" else name for name in path)
        by_layer[layer] = by_layer.get(layer, 0) + nanojoules(weight)
        by_kernel[kernel] = by_kernel.get(kernel, 0) + nanojoules(weight)
    same(other_layers(by_layer, layers))
    for label, energy_nj in by_kernel.items():
        rows = [nanojoules(row["energy_j"]) or 0 for row in launches["rows"]
                if is_called("" if label == "(no name)" else label, row)]
        assert (rows or not energy_nj) and sum(rows) == energy_nj, (label[:200], energy_nj, sum(rows))


def fields(message):
    """The fields of a protocol buffer: lists of values by number."""
    found, at = {}, 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(message):
        tag = varint()
        if tag & 7 == 0:
            value = varint()
        else:
            length = varint() if tag & 7 == 2 else {1: 8}[tag & 7]
            value = message[at:at + length]
            assert len(value) == length, "cut off"
            at += length
        found.setdefault(tag >> 3, []).append(value)
    return found


def perfetto(text, report, launches, layers):
    packets = [fields(packet) for packet in fields(text)[1]]
    assert 6 in packets[0], "no snapshot of clocks at the beginning"
    interned = {2: {}, 29: {}}
    for packet in packets:
        for message in packet.get(12, []):
            for field, texts in interned.items():
                for name in fields(message).get(field, []):
                    texts[fields(name)[1][0]] = fields(name)[2][0].decode()
    names, paths = interned[2], interned[29]
    begins, intervals, events, executions, by_layer = [], [], [], [], {}
    open_slices, correlated = {}, []
    for packet in packets:
        if 53 in packet:
            stage = fields(packet[53][0])
            begins.append(packet[8][0])
            events.append(stage[1][0])
            assert stage[20][0] in names
            arguments = {fields(of)[2][0].decode(): fields(of) for of in fields(stage[21][0]).get(3, [])}
            layer = paths[arguments.pop("layer")[7][0]]
            values = {key: struct.unpack("<d", of[5][0])[0] for key, of in arguments.items()}
            energy_nj = nanojoules(values.pop("energy_j", None))
            intervals += [values.pop("ci95_j")] if "ci95_j" in values else []
            by_layer[layer] = by_layer.get(layer, 0) + (energy_nj or 0)
            executions.append({"begin_ns": packet[8][0], "length_ns": stage[2][0], "energy_nj": energy_nj,
                               "label": names[stage[20][0]], **values})
        if 11 in packet:
            event = fields(packet[11][0])
            kind, track = event[9][0], event[11][0]
            if kind in (1, 2):
                open_slices[track] = open_slices.get(track, 0) + (1 if kind == 1 else -1)
                assert open_slices[track] >= 0, "closed but not open"
            correlated += [fields(link)[1][0] for link in event.get(3000, [])]
    assert begins == sorted(begins), "executions are not in the order of time"
    assert events == list(range(1, len(events) + 1)) and set(correlated) <= set(events)
    timed = report["coverage"]["executions"] - report["coverage"]["without_time"]
    assert len(events) == timed, (len(events), timed)
    assert sum(by_layer.values()) == nanojoules(report["balance"]["attributed_j"] or 0), report["balance"]
    same(other_executions(executions, launches))
    if report["coverage"]["without_time"] == 0:
        same(other_layers(by_layer, layers))
    if all(row.get("begin_ns") for row in report["rows"]) and report["coverage"]["without_time"] == 0:
        wanted = [float(row["ci95_j"]) for row in report["rows"] if row["ci95_j"] is not None]
        assert len(wanted) == len(intervals), (len(wanted), len(intervals))
        assert all(abs(x - y) < 1e-9 for x, y in zip(wanted, intervals)), "other intervals"


{"ndjson": ndjson, "perfetto": perfetto, "speedscope": speedscope}[sys.argv[1]](
    read(sys.argv[2]), *(load(read(path)) for path in sys.argv[3:]))
