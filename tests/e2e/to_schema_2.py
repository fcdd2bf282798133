# to_schema_2.py OLD NEW: writes a trace of schema 1, a text as trace_text takes it, as schema 2 has the
# same: each launch of a kernel joined with its execution, at the place of the execution, and times by
# the device's clock told by the clock_sync that converted them.  What schema 2 cannot say exactly ends
# it with status 1 and one line.
import re
import sys

WORD = re.compile(r'(\w+)=("(?:\\.|[^"\\])*"|\S*)')
EXECUTIONS = "kernel_exec", "memory_exec", "graph_launch"
UNKNOWN_U32 = 2**32 - 1
LONG_U32 = 2**32 - 2
OLD_TIMES = ("enqueue_ns", "return_ns", "submit_ns", "begin_ns", "end_ns", "raw_begin_ns",
             "raw_end_ns")


def number(fields, name):
    """None: not known."""
    return int(fields[name], 0) if name in fields else None


def text_of(event, fields):
    return " ".join([event, *(f"{key}={value}" for key, value in fields.items() if value is not None)])


def renamed(event, fields):
    """What every event of schema 2 has: the number of a process, which is the pid here."""
    if "pid" not in fields:
        return fields
    more = {"pid": fields["pid"]} if event == "process" else {}
    if "schema" in fields:
        more["schema"] = 2
    return {"process": fields["pid"], **{k: v for k, v in fields.items() if k != "pid"}, **more}


def parse(lines):
    """Lists of [line, event, fields]; fields is None where the line is no event."""
    for line in lines:
        event, _, rest = line.rstrip("\n").partition(" ")
        plain = not event or event.startswith("#") or event in ("at", "discard")
        yield [line.rstrip("\n"), event, None if plain else dict(WORD.findall(rest))]


def join(events):
    """Moves what a launch says into its execution, and removes the launch."""
    launches, executions, joined = {}, {}, set()
    for i, (_, event, fields) in enumerate(events):
        if event not in ("kernel_launch", "kernel_exec"):
            continue
        key = fields["pid"], fields["correlation"]
        ours, others = ((launches, executions) if event == "kernel_launch" else
                        (executions, launches))
        if key not in others:
            ours[key] = i
            continue
        other = others.pop(key)
        launch, execution = (i, other) if event == "kernel_launch" else (other, i)
        for name in "tid", "layer", "stack", "enqueue_ns", "return_ns":
            if name in events[launch][2]:
                events[execution][2][name] = events[launch][2][name]
        joined.add(launch)
    return [each for i, each in enumerate(events) if i not in joined]


def number_anchors(events):
    """Numbers the comparisons of clocks, and returns their numbers by process and offset."""
    count, anchors = {}, {}
    for _, event, fields in events:
        if event != "clock_sync":
            continue
        pid = fields["pid"]
        fields["anchor"] = count[pid] = count.get(pid, 0) + 1
        offset = number(fields, "host_ns") - number(fields, "raw_ns")
        anchors.setdefault((pid, offset), count[pid])
    return anchors


def anchor_of(fields, times, anchors):
    """The anchor of an execution; times, (begin, end), become raw where they were not converted."""
    begin, end = times
    raw = number(fields, "raw_begin_ns"), number(fields, "raw_end_ns")
    if None in raw:
        return 0, times
    if None in times:
        return UNKNOWN_U32, raw
    if raw[1] - raw[0] != end - begin:
        sys.exit("an execution took longer by one clock than by the other")
    if raw[0] == begin:
        return 0, times
    anchor = anchors.get((fields["pid"], begin - raw[0]))
    if anchor is None:
        sys.exit("no clock_sync converts the times of an execution")
    return anchor, times


def execution(event, fields, anchors):
    """The lines of an execution: its times, where they do not fit, and itself."""
    enqueue, returned = number(fields, "enqueue_ns"), number(fields, "return_ns")
    anchor, (begin, end) = anchor_of(
        fields, (number(fields, "begin_ns"), number(fields, "end_ns")), anchors)
    new = {**{k: v for k, v in fields.items() if k not in OLD_TIMES}, "anchor": anchor,
           "enqueue_ns": enqueue}
    new.setdefault("layer", 0)
    new.setdefault("stack", 0)
    if None not in (enqueue, returned, begin, end) and 0 <= returned - enqueue < LONG_U32 and \
            -2**31 < begin - enqueue < 2**31 and 0 <= end - begin < LONG_U32:
        new |= {"call_ns": returned - enqueue, "delay_ns": begin - enqueue, "duration_ns": end - begin}
    elif (begin, end) == (None, None) and None not in (enqueue, returned):
        new["call_ns"] = returned - enqueue
    elif (begin, end) != (None, None) or enqueue is not None:
        new["duration_ns"] = LONG_U32
        yield text_of("long_times", renamed("long_times", {
            "pid": fields["pid"], "correlation": fields["correlation"], "enqueue_ns": enqueue,
            "return_ns": returned, "begin_ns": begin, "end_ns": end}))
    yield text_of(event, renamed(event, new))


def main():
    with open(sys.argv[1], encoding="utf-8") as text:
        events = join(list(parse(text)))
    anchors = number_anchors(events)
    lines = []
    for line, event, fields in events:
        if fields is None:
            lines.append(line)
        elif event in EXECUTIONS:
            lines += execution(event, fields, anchors)
        else:
            lines.append(text_of(event, renamed(event, fields)))
    with open(sys.argv[2], "w", encoding="utf-8") as text:
        text.write("\n".join(lines) + "\n")


main()
