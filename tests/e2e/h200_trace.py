# The text of a trace (tests/writers/trace_text.c) from tests/data/h200-square.
# Usage: h200_trace.py DIR
#
# nvml.csv has values when they were seen to change.  That they had been read before, unchanged, is
# in the other rows: each poll asked for all of them in turn, the counter first.
import csv
import sys

REALTIME_OFFSET_NS = 1795213408643700514
SECOND_NS = 10**9
GPU = "GPU-h200"
SENSORS = {  # what: id, quantity, period, poll and cost in ns
    "sample_mW": (1, "power", 20_000_000, SECOND_NS, 0),
    "energy_mJ": (2, "energy", 100_000_000, 10_000_000, 3_000_000),
    "instant_mW": (3, "power", 100_000_000, 10_000_000, 0),
    "average_mW": (4, "power", 100_000_000, 10_000_000, 0),
}


def event(event_name, **fields):
    print(event_name, *(f'{key}="{value}"' if isinstance(value, str) else f"{key}={value}"
                  for key, value in fields.items()))


def read(directory, file):
    with open(f"{directory}/{file}") as lines:
        return list(csv.DictReader(lines))


def readings(rows):
    """Of each value: when it was asked for and what it was, repeated where it had not changed."""
    polls = sorted({int(row["mono_ns"]) for row in rows})
    before = {later: earlier for earlier, later in zip(polls, polls[1:])}
    last = {}
    for row in rows:
        what, seen_ns, value = row["what"], int(row["mono_ns"]), int(row["value"])
        if what not in SENSORS:
            continue
        if what == "sample_mW":
            yield int(row["extra"]) * 1000 - REALTIME_OFFSET_NS, what, value
            continue
        cost_ns = int(row["extra"]) if what == "energy_mJ" else 0
        if what in last and seen_ns in before:
            yield before[seen_ns] - cost_ns, what, last[what]
        yield seen_ns - cost_ns // 2, what, value
        last[what] = value


def main():
    directory = sys.argv[1]
    load, rows = read(directory, "load.csv"), read(directory, "nvml.csv")
    begin_ns = int(rows[0]["mono_ns"]) - 3 * SECOND_NS
    print("at", begin_ns)
    event("recording", pid=1, schema=1, begin_ns=begin_ns, realtime_offset_ns=REALTIME_OFFSET_NS,
          host="h200", boot_id="1", command="calibrate", power="nvml")
    event("process", pid=2, schema=1, parent_pid=1, begin_ns=begin_ns, host="h200", boot_id="1",
          executable="calibrate")
    event("device", pid=2, device=1, parent_device=0, compute_units=132, api="cuda", kind="gpu",
          name="NVIDIA H200", vendor="NVIDIA", driver="580.159", uuid=GPU, pci="")
    event("stream_def", pid=2, stream=1, context=1, device=1, out_of_order=0)
    for what, (sensor, quantity, period_ns, poll_ns, cost_ns) in SENSORS.items():
        event("sensor_def", pid=1, sensor=sensor, period_ns=period_ns, poll_ns=poll_ns,
              read_cost_ns=cost_ns, source=what.split("_")[0], device=GPU, domain="gpu",
              part_of="", quantity=quantity, driver="580.159")
    for number, name in ((1, "pwrtrace_load"), (2, "stream")):
        event("kernel_def", pid=2, kernel=number, api="cuda", name=name)
    for number, row in enumerate(load, 1):
        event("kernel_exec", pid=2, correlation=number, stream=1,
              kernel=1 + (row["kernel"] == "stream"), begin_ns=int(row["begin_ns"]),
              end_ns=int(row["end_ns"]), name=row["kernel"])
    for time_ns, what, value in sorted(readings(rows)):
        sensor, quantity = SENSORS[what][:2]
        if quantity == "energy":
            event("energy_counter", pid=1, sensor=sensor, time_ns=time_ns, energy_uj=value * 1000)
        else:
            event("power_sample", pid=1, sensor=sensor, time_ns=time_ns, power_mw=value)
    event("recording_end", pid=1, end_ns=int(rows[-1]["mono_ns"]), why="end")


main()
