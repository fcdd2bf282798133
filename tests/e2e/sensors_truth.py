# Whether `pwrtrace sensors --json` found what is known.
# Usage: sensors_truth.py KNOWN <IDENTIFIED; prints what is wrong, or nothing.
import json
import sys

# source, kind: {what: (least, most)}; for an interval, of its value.
KNOWN = {
    # Samples every 20 ms, of which some are stamped half a period late, behind a filter whose
    # equivalent boxcar is 25 ms; a counter that ticks every 100 ms; an average over a second.
    "h200": {
        ("sample", "power"): {
            "period_ms": (19.999, 20.001), "jitter_ms": (0.3, 0.8), "off_grid": (0.2, 0.35),
            "off_grid_by_ms": (8, 11), "window_ms": (22, 28), "lag_ms": (1.5, 4),
            "tail_ms": (10, 18), "idle_w": (124, 129), "step_w": (235, 243),
            "residual_w": (0, 6), "gain": (0.95, 1.03), "stamped": (True, True)},
        ("energy", "energy"): {
            "period_ms": (99.95, 100.05), "jitter_ms": (0, 1), "lag_ms": (2, 15),
            "idle_w": (124, 129), "step_w": (235, 247), "stamped": (False, False)},
        ("average", "power"): {"window_ms": (950, 1150), "gain": (0.95, 1.03)},
        ("instant", "power"): {"window_ms": (20, 40), "step_w": (230, 245)},
    },
    # tests/simgpu/nvml.c.  The counter ticks by CLOCK_REALTIME and is polled every 5 ms of CLOCK_MONOTONIC, so
    # that its lag is known to half of that; where in a poll ticks come differs by machine and hour.
    "simulated": {
        ("nvml", "power"): {
            "period_ms": (19.99, 20.01), "window_ms": (24.8, 25.2), "lag_ms": (2.8, 3.2),
            "tail_ms": (0, 0.2), "idle_w": (99.5, 100.5), "step_w": (199, 201),
            "gain": (0.97, 1.03), "formula": (True, True), "stamped": (True, True)},
        ("nvml", "energy"): {
            "period_ms": (99.8, 100.2), "lag_ms": (-3, 3), "idle_w": (99, 101),
            "step_w": (198, 202)},
    },
}


def check(sensor, known):
    if sensor["trouble"]:
        print(sensor["source"], sensor["trouble"])
        return
    for what, (least, most) in known.items():
        got = sensor.get(what)
        if isinstance(got, list):
            value, low, high = got
            if not low <= value <= high:
                print(what, "lies outside of its interval", got)
            got = value
        if got is None or not least <= got <= most:
            print(sensor["source"], sensor["quantity"], what, got, "is not in", least, most)
    if sensor["quantity"] == "power":
        total = sum(tap["weight"] for tap in sensor["taps"])
        if abs(total - 1) > 1e-6 or min(tap["weight"] for tap in sensor["taps"]) < 0:
            print("taps", total)


def main():
    known = dict(KNOWN[sys.argv[1]])
    identified = json.load(sys.stdin)["identified"]
    for sensor in identified:
        key = (sensor["source"], sensor["quantity"])
        if sensor["domain"] == "gpu" and key in known:
            check(sensor, known.pop(key))
    if known:
        print("not identified:", known)


main()
