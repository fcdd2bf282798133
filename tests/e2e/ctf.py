#!/usr/bin/python3
"""ctf.py EVENTS ANALYSES REPORT LAUNCHES LAYERS [WHOLE]: whether events, as babeltrace2 prints those of a report
of format ctf, say what the JSON report of the same trace does, and those by launch and by layer, and whether
the analyses for Trace Compass use what its documentation publishes, and events of these.  WHOLE: each event that
the analyses use is there.  Prints what differs, and fails."""
import re
import sys
import xml.etree.ElementTree

from executions import load, other_executions, other_layers

LINE = re.compile(r"\[(?P<time>\d+)\] (?:\([^)]*\) )?(?P<name>\w+): \{ (?P<fields>.*) \}\Z", re.S)
FIELD = re.compile(r'(?P<name>\w+) = (?P<value>"(?:[^"\\]|\\.)*"|\[(?: \[\d+\] = \d+,?)* \]|[^,\s]+)', re.S)

# Elements of data-driven analyses: their attributes, and what is in them.  displayText, which shows a
# state's name, came later than the rest.
ELEMENTS = {
    "tmfxml": ({"{http://www.w3.org/2001/XMLSchema-instance}noNamespaceSchemaLocation"},
               {"stateProvider", "timeGraphView", "xyView"}),
    "stateProvider": ({"version", "id"}, {"head", "eventHandler"}),
    "timeGraphView": ({"id"}, {"head", "entry"}),
    "xyView": ({"id"}, {"head", "entry"}),
    "head": (set(), {"traceType", "analysis", "label"}),
    "traceType": ({"id"}, set()),
    "analysis": ({"id"}, set()),
    "label": ({"value"}, set()),
    "eventHandler": ({"eventName"}, {"stateChange"}),
    "stateChange": (set(), {"stateAttribute", "stateValue"}),
    "stateAttribute": ({"type", "value"}, set()),
    "stateValue": ({"type", "value", "increment"}, set()),
    "entry": ({"path", "displayText"}, {"display", "name", "entry"}),
    "display": ({"type"}, set()),
    "name": ({"type"}, set()),
}
TYPES = {"stateAttribute": {"constant", "eventField"}, "stateValue": {"eventField", "null"},
         "display": {"self"}, "name": {"self"}}


def events(path):
    with open(path, newline="\n") as file:
        for line in re.split(r"\n(?=\[\d+\] )", file.read().rstrip("\n")):
            match = LINE.match(line)
            assert match, line[:200]
            yield int(match["time"]), match["name"], {
                field["name"]: field["value"] for field in FIELD.finditer(match["fields"])}


def text_of(printed):
    """The text that babeltrace2 prints with quotes and escapes."""
    known = {"a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
    return re.sub(r"\\(x[0-9a-f]{2}|.)", lambda match: chr(int(match[1][1:], 16)) if len(match[1]) == 3
                  else known.get(match[1], match[1]), printed[1:-1], flags=re.S)


def number_of(printed):
    """A number of nanojoules, of which babeltrace2 prints six digits, in joules; None: it is not known."""
    return None if printed == "nan" else float(printed) / 1e9


def check_executions(found, by_launch, launches, layers):
    executions, joules = {}, {}
    # Of an empty text, babeltrace 2.0.4 prints what the field had before.
    texts = all(row["name"] for row in launches["rows"] + layers["rows"])
    for time, name, fields in found:
        if name == "execution_begin":
            executions[fields["number"]] = {"begin_ns": time, "energy_nj": None, "told": fields}
        elif name == "execution_energy":
            execution = executions[fields["number"]]
            told = execution["told"]
            assert not texts or all(told[key] == fields[key] for key in ("name", "device", "layer")), fields
            execution.update(energy_nj=int(fields["energy_nj"]), static_j=number_of(fields["static_nj"]))
            if by_launch:
                execution["ci95_j"] = number_of(fields["ci95_nj"])
            layer = text_of(fields["layer"])
            joules[layer] = joules.get(layer, 0) + execution["energy_nj"]
        elif name == "execution_end":
            execution = executions[fields["number"]]
            label = text_of(execution.pop("told")["name"])
            execution.update(length_ns=time - execution["begin_ns"], label=label if texts else None)
    different = list(other_executions(executions.values(), launches, relative=1e-5))
    if texts and not launches["coverage"]["without_time"]:
        different += other_layers(joules, layers)
    assert not different, "\n".join(different[:10])


def check_time(found, report):
    last, lanes, running, layers, joules, ended, intervals = 0, {}, {}, {}, 0, 0, 0
    for time, name, fields in found:
        assert time >= last, f"{name} at {time} is written after {last}"
        last = time
        if name == "execution_begin":
            lane = fields["device"], fields["lane"]
            assert lanes.setdefault(lane, None) is None, f"two executions in {lane}"
            assert fields["number"] not in running and fields["lane"].startswith(fields["stream"][:-1])
            lanes[lane] = running[fields["number"]] = fields["number"]
            assert fields["kind"] in ('"kernel"', '"memory"', '"graph"')
            assert fields["grid"].count("=") in (0, 3), fields["grid"]
        elif name == "execution_end":
            lane = fields["device"], fields["lane"]
            assert lanes[lane] == fields["number"], f"{lane} ends what it did not begin"
            lanes[lane] = None
            del running[fields["number"]]
            ended += 1
        elif name == "execution_energy":
            assert fields["number"] in running
            joules += int(fields["energy_nj"])
            intervals += fields["ci95_nj"] != "nan"
        elif name == "layer_begin":
            layers.setdefault(fields["thread"], []).append(fields["name"])
            assert len(layers[fields["thread"]]) == int(fields["depth"])
        elif name == "layer_end":
            assert len(layers[fields["thread"]]) == int(fields["depth"])
            assert layers[fields["thread"]].pop() == fields["name"], "a layer closes within another"
    assert not running and not any(layers.values()), "something does not end"
    timed = report["coverage"]["executions"] - report["coverage"]["without_time"]
    assert ended == timed, (ended, timed)
    assert joules == (report["balance"]["attributed_j"] or 0) * 10**9, (joules, report["balance"])
    if report["rows"] and report["rows"][0]["by"] == "kernel" and not report["coverage"]["without_time"]:
        names = {text_of(fields["name"]) for _, name, fields in found if name == "execution_begin"}
        rows = {row["short_name"] for row in report["rows"]}
        names = {name if name in rows else name.rsplit(" [", 1)[0] for name in names}
        # Of an empty text, babeltrace 2.0.4 prints what the field had before.
        assert names | {""} == rows | {""}, names ^ rows
    if all(row.get("begin_ns") for row in report["rows"]) and report["coverage"]["without_time"] == 0:
        assert intervals == sum(row["ci95_j"] is not None for row in report["rows"])


def check_analyses(root, found, whole):
    known = {}
    for _, name, fields in found:
        known.setdefault(name, set(fields))
    for element in root.iter():
        attributes, children = ELEMENTS[element.tag]
        assert set(element.keys()) <= attributes, (element.tag, element.keys())
        assert {child.tag for child in element} <= children, element.tag
        assert element.get("type") is None or element.get("type") in TYPES[element.tag], element.attrib
    paths = set()
    for handler in root.iter("eventHandler"):
        fields = known.get(handler.get("eventName"))
        assert fields or not whole, f"no event {handler.get('eventName')}"
        for change in handler:
            used = {part.get("value") for part in change if part.get("type") == "eventField"}
            assert not fields or used <= fields, (handler.get("eventName"), used - fields)
            assert change[-1].tag == "stateValue" and change[0].get("type") == "constant"
            paths.add((change[0].get("value"), len(change) - 1))
    views = [view for view in root if view.tag != "stateProvider"]
    drawn = {(entry.get("path").split("/")[0], 2 + len(entry.findall("entry")))
             for view in views for entry in view.findall("entry")}
    assert drawn == paths, (drawn, paths)
    providers = {provider.get("id") for provider in root.iter("stateProvider")}
    assert {analysis.get("id") for analysis in root.iter("analysis")} == providers
    assert len({view.get("id") for view in root}) == len(list(root)), "an id twice"


json_report, json_launches, json_layers = (load(path) for path in sys.argv[3:6])
all_events = list(events(sys.argv[1]))
check_time(all_events, json_report)
check_executions(all_events, json_report["rows"][0]["by"] == "launch", json_launches, json_layers)
check_analyses(xml.etree.ElementTree.parse(sys.argv[2]).getroot(), all_events, len(sys.argv) > 6)
