# The events of a trace, from the text that babeltrace2 makes of it.
import re

FIELD = re.compile(r'(\w+) = (?:"([^"]*)"|(-?\d+))')
EXECUTIONS = "kernel_exec", "memory_exec", "graph_launch"
UNKNOWN, UNKNOWN_32, UNKNOWN_SIGNED, LONG = 2**64 - 1, 2**32 - 1, -2**31, 2**32 - 2


def times_of(event, long_times):
    """The times of an execution: return_ns, begin_ns and end_ns, beside enqueue_ns."""
    if event["duration_ns"] == LONG:
        times = long_times[event["process"], event["correlation"]]
        return {name: times[name] for name in ("enqueue_ns", "return_ns", "begin_ns", "end_ns")}
    times = {"return_ns": event["enqueue_ns"] + event["call_ns"], "begin_ns": UNKNOWN, "end_ns": UNKNOWN}
    if event["call_ns"] == UNKNOWN_32:
        times["return_ns"] = UNKNOWN
    if event["delay_ns"] != UNKNOWN_SIGNED:
        times["begin_ns"] = event["enqueue_ns"] + event["delay_ns"]
        if event["duration_ns"] != UNKNOWN_32:
            times["end_ns"] = times["begin_ns"] + event["duration_ns"]
    return times


def read_events(lines):
    """Returns lists of dictionaries, by the event's name.  Every event has the pid of its process,
    and an execution has all of its times."""
    events = {}
    for line in lines:
        name = re.search(r" pwrtrace:(\w+): ", line)
        if name:
            fields = {key: text if number == "" else int(number)
                      for key, text, number in FIELD.findall(line)}
            events.setdefault(name[1], []).append(fields)
    pids = {e["process"]: e["pid"] for e in events.get("process", [])}
    long_times = {(e["process"], e["correlation"]): e for e in events.get("long_times", [])}
    for name, of_name in events.items():
        for event in of_name:
            event["pid"] = pids.get(event["process"])
            if name in EXECUTIONS:
                event.update(times_of(event, long_times))
    return events
