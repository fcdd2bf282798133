"""Each member and column of pwrtrace power over 1, 5 and 10 ms: power_columns.py JSON CSV CASE, with a case of
power_trace.py whose power only changes at whole milliseconds."""

import sys

from columns import check, head, near
from power_trace import CASES, IDLE_W, MS

WINDOWS_MS = [1, 5, 10]
# Ten standard deviations of a reading, which is a mean of 1 ms and stands for 1 ms.
MEASURED_MS = 10 * (2 / 12) ** 0.5
LIMIT_W, EDPP_W = 700, 910
# By how much the priors of powers may move those that are found.
FOUND = 5e-7
IDLE = (IDLE_W, None, None)
LAYERS = ["(no layer)", "forward", "backward"]
REASONS = {0x4: "sw power cap"}  # idle, 0x1, is none


class Device:
    """What each millisecond draws: W, kernel and layer.  Devices that are added up stay side by side."""

    def __init__(self, gpu=None, parts=()):
        self.parts = list(parts) or [self.each_ms(gpu)]
        self.watts = [sum(watts for watts, _, _ in at) for at in zip(*self.parts)]
        self.mean_w = sum(self.watts) / len(self.watts)
        self.scale = len(self.parts)

    @staticmethod
    def each_ms(gpu):
        ran = {begin: (end, kernel, layer) for begin, end, kernel, layer in gpu.executions}
        each = []
        for begin, end, watts in gpu.power:
            _, kernel, layer = ran.get(begin, (end, None, None))
            each += [(watts, kernel, layer)] * ((end - begin) // MS)
        return each

    def mean(self, at, length):
        return sum(self.watts[at:at + length]) / length

    def shares(self, at, length):
        """The parts of the energy of a window that kernels and layers drew, the most first."""
        energy = {"kernel": {}, "layer": {}}
        for part in self.parts:
            for watts, kernel, layer in part[at:at + length]:
                if kernel:
                    energy["kernel"][kernel] = energy["kernel"].get(kernel, 0) + watts
                    energy["layer"][LAYERS[layer]] = energy["layer"].get(LAYERS[layer], 0) + watts
        whole = self.mean(at, length) * length
        return {by: {name: value / whole for name, value in sorted(of.items(), key=lambda of: -of[1])}
                for by, of in energy.items()}

    def window(self, length):
        count = len(self.watts)
        means = [self.mean(at, length) for at in range(count - length + 1)]
        highest, all_of = self.shares(means.index(max(means)), length), self.shares(0, count)
        measured = length >= MEASURED_MS
        part = 1e-9 if measured else FOUND
        return {"window_s": length / 1e3, "highest_w": near(max(means), part), "lowest_w": near(min(means), part),
                "ramp_w_per_s": near(max(after - before for before, after in zip(means, means[length:]))
                                     / length * 1e3, part, least=1e-6),
                "kind": "measured" if measured else "modelled",
                "causes": [{"by": by, "name": name, "shape": "64 /64" if by == "kernel" else "",
                            "share": near(share, FOUND), "share_of_all": near(all_of[by][name], FOUND)}
                           for by in highest for name, share in highest[by].items() if share >= 0.01]}

    def buffer_j(self):
        """What is drawn over the mean must have been stored, what is drawn under it can be."""
        stored = [0]
        for watts in self.watts:
            stored.append(stored[-1] + (watts - self.mean_w) / 1e3)
        return max(stored) - min(stored)

    def powers(self):
        return {"mean_w": near(self.mean_w), "limit_w": LIMIT_W * self.scale, "edpp_w": EDPP_W * self.scale,
                "buffer_j": near(self.buffer_j(), FOUND), "windows": [self.window(length) for length in WINDOWS_MS]}

    def above(self, limit_w):
        return sum(watts > limit_w * self.scale for watts in self.watts) / len(self.watts)

    def lines(self, name):
        powers = self.powers()
        for window in powers["windows"]:
            cause = window["causes"][0]
            yield {"device": name, **{key: window[key] for key in window if key != "causes"}, "cause": cause["name"],
                   "cause_share": cause["share"], "cause_share_of_all": cause["share_of_all"],
                   **{key: powers[key] for key in ("mean_w", "limit_w", "edpp_w", "buffer_j")},
                   "above_limit": self.above(LIMIT_W), "above_edpp": self.above(EDPP_W)}


def throttled(gpu):
    """What limited the clock, by the part of the time and by the time, as states have it until the next."""
    times_ns = {}
    for (begin, reasons), (end, _) in zip(gpu.states, gpu.states[1:] + [(gpu.now_ns, 0)]):
        for bit, reason in REASONS.items():
            if reasons & bit:
                times_ns[reason] = times_ns.get(reason, 0) + end - begin
    return [{"reason": reason, "share": time / gpu.now_ns, "time_s": time / 1e9} for reason, time in times_ns.items()]


def power(_answer):
    gpus = list(CASES[sys.argv[3]]())
    devices = [Device(gpu) for gpu in gpus]
    both = Device(parts=[part for device in devices for part in device.parts])
    peaks_w = [max(device.watts) for device in devices]
    return {**head("power", [sys.argv[3]], "regress", executions=sum(len(gpu.executions) for gpu in gpus),
                   layers=False),
            "devices": [{"device": f"GPU-{gpu.number}", **device.powers(), "throttled": throttled(gpu)}
                        for gpu, device in zip(gpus, devices)],
            "sum": {"coincidence": near(max(both.watts) / sum(peaks_w), FOUND), **both.powers()}}, \
        [line for gpu, device in zip(gpus, devices) for line in device.lines(f"GPU-{gpu.number}")] \
        + (list(both.lines("sum")) if len(gpus) > 1 else [])


check(power)
