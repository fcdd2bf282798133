# What tests/simgpu/nvml.c made the GPUs draw, against what a trace and its report say.
# Usage: babeltrace2 TRACE | nvml_truth.py REPORT.json; prints what is wrong, or nothing.
import json
import sys

from trace_events import read_events

SAMPLE_S, STEP_S, TICK_S, BASE_W = 0.02, 0.25, 0.1, 100


def energy_j(device, time_s):
    """Since the epoch, of the device's square wave."""
    pairs, rest_s = divmod(time_s, 2 * STEP_S)
    return (device + 1) * BASE_W * (pairs * 4 * STEP_S + rest_s + 2 * max(0, rest_s - STEP_S))


def wrong(text, *values):
    print(text, *values)


def check_samples(device, samples, realtime_s):
    """Each is the mean over the 20 ms before its stamp, once."""
    last = -1
    for sample in samples:
        number = round((sample["time_ns"] / 1e9 + realtime_s) / SAMPLE_S)
        mean_w = (energy_j(device, number * SAMPLE_S) -
                  energy_j(device, (number - 1) * SAMPLE_S)) / SAMPLE_S
        if abs(mean_w - sample["power_mw"] / 1000) > 0.1 or number <= last:
            wrong("sample", device, sample, mean_w)
        last = number


def check_counter(device, readings, realtime_s):
    def truth_j(reading):
        return energy_j(device, reading["time_ns"] / 1e9 + realtime_s)

    first, last = readings[0], readings[-1]
    difference_j = (last["energy_uj"] - first["energy_uj"]) / 1e6
    if abs(difference_j - truth_j(last) + truth_j(first)) > 2 * TICK_S * 3 * BASE_W * (device + 1):
        wrong("counter", device, difference_j, truth_j(last) - truth_j(first))


def unsampled_s(samples, begin_ns, end_ns):
    times = [sample["time_ns"] for sample in samples]
    pairs = [(max(a, begin_ns), min(b, end_ns)) for a, b in zip(times, times[1:])
             if b - a < 1.5 * SAMPLE_S * 1e9]
    return (end_ns - begin_ns - sum(b - a for a, b in pairs if b > a)) / 1e9


def shortest_s(readings):
    """The shortest time between readings of the counter from which a report takes energy."""
    times_s = [reading["time_ns"] / 1e9 for reading in readings]
    return max(TICK_S / 2, min(b - a for a, b in zip(times_s, times_s[1:])))


def main():
    events = read_events(sys.stdin)
    report = json.load(open(sys.argv[1]))
    recording, end = events["recording"][0], events["recording_end"][0]
    realtime_s = recording["realtime_offset_ns"] / 1e9
    begin_ns, end_ns = recording["begin_ns"], end["end_ns"]
    total_j = 0
    for balance in report["balance"]["devices"]:
        if not balance["summed"]:
            continue
        device = int(balance["device"].rsplit("-", 1)[1])
        sensors = {s["quantity"]: s["sensor"] for s in events["sensor_def"]
                   if s["device"] == balance["device"] and s["domain"] == "gpu"}
        samples = [e for e in events.get("power_sample", []) if e["sensor"] == sensors.get("power")]
        readings = [e for e in events["energy_counter"] if e["sensor"] == sensors["energy"]]
        if len(sys.argv) == 2:
            check_samples(device, samples, realtime_s)
        check_counter(device, readings, realtime_s)
        truth_j = (energy_j(device, end_ns / 1e9 + realtime_s) -
                   energy_j(device, begin_ns / 1e9 + realtime_s))
        # Where there are no samples, the counter fills in, which knows no times, and the energy
        # between its readings only to a tick.
        slack_j = 0.01 * truth_j + 3 * BASE_W * (device + 1) * (0.001 + unsampled_s(
            samples, begin_ns, end_ns) * (1 + TICK_S / shortest_s(readings)))
        if len(sys.argv) > 2:
            slack_j = float(sys.argv[2]) * 3 * BASE_W * (device + 1)
        if abs(balance["measured_j"] - truth_j) > slack_j:
            wrong("energy", device, balance["measured_j"], truth_j, slack_j)
        total_j += balance["measured_j"]
    if total_j == 0 or abs(report["balance"]["measured_j"] - total_j) > 1e-6:
        wrong("total", report["balance"]["measured_j"], total_j)


if __name__ == "__main__":
    main()
