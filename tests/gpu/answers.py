#!/usr/bin/env python3
# Rows of bench.sh's table from `pwrtrace sensors --calibrate --json`: WHAT|MEASURED|LIMIT|CONDITION.
import json
import sys


def interval(sensor, key, unit):
    value, low, high = sensor[key]
    return f"{value:.4g} {unit} ({low:.4g} .. {high:.4g})"


def rows(sensor):
    name = f"{sensor['domain']} {sensor['quantity']}"
    if sensor["trouble"]:
        yield f"{name}: {sensor['trouble']}", "no answer", "", ""
        return
    if "period_ms" in sensor:
        yield f"{name}: period", interval(sensor, "period_ms", "ms"), "", ""
    if sensor["quantity"] == "power":
        yield f"{name}: window", interval(sensor, "window_ms", "ms"), "", ""
    yield f"{name}: lag", interval(sensor, "lag_ms", "ms"), "", ""
    left = 100 * sensor["residual_w"] / sensor["step_w"][0]
    yield f"{name}: left unexplained of the step", f"{left:.2f} %", "<= 5 %", f"{left} <= 5"
    if sensor["gain"][0] is not None:
        gain = 100 * (sensor["gain"][0] - 1)
        yield (f"{name}: gain against the counter", f"{gain:+.2f} %", "within 3 %",
               f"{gain} <= 3 && {gain} >= -3")


def main():
    sensors = [s for s in json.load(sys.stdin)["identified"] if s["domain"] == "gpu"]
    found = sum(not s["trouble"] for s in sensors)
    print(f"sensors of the GPU that answer|{found}|>= 2|{found} >= 2")
    for sensor in sensors:
        for row in rows(sensor):
            print("|".join(row))


main()
