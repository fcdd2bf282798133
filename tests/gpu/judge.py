#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares a recording with what its program did; prints a line for each difference.

usage: judge.py PWRTRACE TRACE STDOUT [--counted PREFIX] [--timing cupti|events|none]
                [--graphs node|graph] [--no-clock] [--losses-counted]
                [--stacks] [--replayed] [--refused] [--alike] [--utilized]

STDOUT is what the program printed, with lines as clients/client.h describes them; PREFIX names
the files that count_records.so left, whose numbers come before the program's own.
"""
import argparse
import glob
import json
import re
import subprocess
from decimal import Decimal

CLOCK_ERROR_MAX_NS = 2000


def numbers(text):
    """All NAME=NUMBER of the lines that consist of such words alone."""
    found = {}
    for line in text.splitlines():
        if re.fullmatch(r"(\w+=\d+\s*)+", line):
            found.update((word, int(number)) for word, number in re.findall(r"(\w+)=(\d+)", line))
    return found


def counted(prefix):
    """The sum over the processes that count_records.so has counted."""
    total = {}
    for path in glob.glob(glob.escape(prefix) + ".*"):
        for name, number in numbers(open(path).read()).items():
            total[name] = total.get(name, 0) + number
    return total


def expected_events(truth, timing, graphs):
    """How many events of each kind the counts ask for; what they do not tell is left out."""
    truth = dict(truth)
    if timing == "cupti" and graphs == "node":
        for name in ("kernels", "memory"):
            if name in truth:
                truth[name] += truth.get("node_" + name, 0)
    elif timing != "cupti" and "calls" in truth:
        truth["memory"] = truth["calls"]
    names = {"kernel_exec": "kernels", "memory_exec": "memory", "graph_launch": "graphs"}
    return {event: truth[name] for event, name in names.items() if name in truth}


class Judge:
    def __init__(self, arguments):
        self.arguments = arguments
        self.differences = 0
        self.report = self.ask("report", "--format", "json")
        self.info = dict(re.findall(r"^events +(\w+) +(\d+)$", self.run("info"), re.M))

    def run(self, *command):
        return subprocess.run([self.arguments.pwrtrace, *command, self.arguments.trace],
                              check=True, stdout=subprocess.PIPE, text=True).stdout

    def ask(self, *command):
        return json.loads(self.run(*command), parse_float=Decimal)

    def must(self, holds, text):
        if not holds:
            self.differences += 1
            print(text)

    def seen(self, event):
        """How many there are; without those of replays, which rows leave out."""
        kind = {"kernel_exec": "kernel", "memory_exec": "memory"}.get(event)
        if kind and "replays" in self.report:
            return sum(row["executions"] for row in self.report["rows"] if row.get("kind") == kind)
        return int(self.info.get(event, 0))

    def replays(self):
        reasons = [outcome["reason"] for outcome in self.report.get("replays", {}).get("outcomes", [])]
        if self.arguments.replayed:
            self.must("" in reasons, f"nothing was replayed: {reasons}")
        if self.arguments.refused:
            self.must(reasons and "" not in reasons, "not everything was refused")

    def events(self, truth):
        expected = expected_events(truth, self.arguments.timing, self.arguments.graphs)
        for event, count in expected.items():
            seen = self.seen(event)
            if event == "kernel_exec" and self.arguments.losses_counted:
                seen += self.report["coverage"]["lost_events"]
            self.must(seen == count, f"{event}: {seen}, expected {count}")
        waits = {"syncs": "sync", "dependencies": "dependency"}
        for name, event in waits.items():
            seen = int(self.info.get(event, 0))
            self.must(seen >= truth.get(name, 0),
                      f"{event}: {seen}, expected {truth.get(name)} or more")
        # The report must count what the trace holds, however it is divided.
        rows = sum(row["executions"] for row in self.report["rows"])
        executions = self.report["coverage"]["executions"]
        held = sum(int(self.info.get(event, 0)) for event in ("kernel_exec", "memory_exec"))
        self.must(rows == executions, f"rows: {rows} executions, coverage says {executions}")
        replayed = self.report.get("replays", {}).get("executions", 0)
        self.must(executions + replayed >= held or self.arguments.timing == "none",
                  f"report: {executions} executions and {replayed} of replays, the trace holds {held}")

    def named(self, stdout):
        """Lines kernel:BEGINNING=COUNT, layer:NAME=COUNT and collective:NAME=COUNT."""
        rows = {}
        for by, name, count in re.findall(r"^(kernel|layer|collective):(.*)=(\d+)$", stdout, re.M):
            if by not in rows:
                rows[by] = self.ask("report", "--format", "json", "--by", by)["rows"]
            seen = sum(row["executions"] for row in rows[by] if row["name"] == name or
                       by == "kernel" and row["name"].startswith(name))
            self.must(seen == int(count), f"{by} {name}: {seen}, expected {count}")

    def collectives(self, stdout):
        """Lines bound:NAME=BOUND; of these collectives all ranks are known."""
        expected = re.findall(r"^bound:(.*)=(.*)$", stdout, re.M)
        if not expected:
            return
        rows = self.ask("report", "--format", "json", "--by", "collective")["rows"]
        seen = {row["name"]: row for row in rows}
        for name, bound in expected:
            row = seen.get(name, {"bound": None, "met_executions": 0, "executions": 0})
            self.must(row["bound"] == bound, f"{name}: {row['bound']}, expected {bound}")
            self.must(row["met_executions"] == row["executions"],
                      f"{name}: all ranks of {row['met_executions']} of {row['executions']} are known")

    def layers(self, stdout, truth):
        """Lines within:PATH=COUNT, the least; outside=COUNT, the most that is in no layer."""
        least = re.findall(r"^within:(.*)=(\d+)$", stdout, re.M)
        if not least:
            return
        rows = self.ask("report", "--format", "json", "--by", "layer")["rows"]
        seen = {row["name"]: row["inclusive_executions"] for row in rows}
        for path, count in least:
            self.must(seen.get(path, 0) >= int(count),
                      f"within {path}: {seen.get(path, 0)}, expected {count} or more")
        outside = sum(row["executions"] for row in rows if row["name"] == "(no layer)")
        self.must(outside <= truth["outside"],
                  f"in no layer: {outside}, expected {truth['outside']} at most")

    def requests(self, stdout):
        """Lines request:NAME=IN OUT.  Where steps overlap, a request is in one more after its last token."""
        expected = re.findall(r"^request:(.*)=(\d+) (\d+)$", stdout, re.M)
        if not expected:
            return
        answer = self.ask("efficiency", "--format", "json")
        seen = {request["request"]: request for request in answer["requests"]}
        self.must(len(seen) == len(expected), f"{len(seen)} requests, expected {len(expected)}")
        for name, tokens_in, tokens_out in expected:
            request = seen.get(name, {"input": None, "output": None})
            self.must(request["input"] == int(tokens_in) and
                      request["output"] in (int(tokens_out), int(tokens_out) + 1),
                      f"request {name}: {request['input']} tokens in and {request['output']} out, "
                      f"expected {tokens_in} and {tokens_out}")
        self.must(0 < sum(request["energy_j"] or 0 for request in seen.values()) <= answer["total_j"],
                  f"requests do not share the {answer['total_j']} J: {answer['requests']}")

    def devices(self, truth):
        if "devices" in truth:
            rows = self.ask("report", "--format", "json", "--by", "device")["rows"]
            self.must(len(rows) == truth["devices"],
                      f"devices: {len(rows)}, expected {truth['devices']}")

    def losses(self):
        coverage = self.report["coverage"]
        if self.arguments.losses_counted:
            self.must(coverage["unfinished"] == 0,
                      f"unfinished: {coverage['unfinished']}, beside those that are lost")
            return
        for name in ("lost_events", "unfinished", "without_time"):
            allowed = name == "without_time" and self.arguments.timing == "none"
            self.must(allowed or coverage[name] == 0, f"{name}: {coverage[name]}")

    def energy(self):
        balance = self.report["balance"]
        measured = [device for device in balance["devices"] if device["source"] == "nvml" and
                    device["summed"] and device["measured_j"]]
        self.must(measured, "no energy is known from NVML")
        self.must(not self.report["estimated"], "the energy is estimated")
        for part in [balance, *balance["devices"]]:
            if part["measured_j"] is None:
                continue
            gap = (part["measured_j"] - part["attributed_j"] - part["idle_j"] -
                   part["unattributed_j"] - part.get("replay_j", 0))
            self.must(gap == 0, f"balance of {part.get('device', 'all')}: {gap} J are missing")

    def layers_add_up(self):
        """However launches overlap, layers have what kernels have, and what waits is all idle."""
        report = self.ask("report", "--format", "json", "--by", "layer")
        rows = report["rows"]
        executions = sum(row["executions"] for row in rows)
        self.must(executions == report["coverage"]["executions"],
                  f"layers: {executions} executions")
        if any(row["energy_j"] is None for row in rows):
            return
        for part, whole in ("energy_j", "attributed_j"), ("idle_j", "idle_j"):
            gap = report["balance"][whole] - sum(row[part] for row in rows)
            self.must(gap == 0, f"layers: {gap} J of {whole} are missing")
        outermost = sum(row["inclusive_j"] for row in rows if row["depth"] == 1)
        self.must(outermost == report["balance"]["attributed_j"],
                  f"layers: {outermost} J in the outermost ones")

    def clock(self):
        error = self.report["coverage"]["clock_error_ns"]
        self.must(error is not None and error <= CLOCK_ERROR_MAX_NS,
                  f"clock error: {error} ns, at most {CLOCK_ERROR_MAX_NS} expected")

    def stacks(self):
        """Each kernel was called by some function of the program, and not by our own."""
        rows = self.ask("report", "-q", "--format", "json", "--by", "stack")["rows"]
        for which in ("energy_j", "executions"):
            by_stack, by_kernel = (sum(row[which] or 0 for row in some)
                                   for some in (rows, self.report["rows"]))
            self.must(by_stack == by_kernel, f"{which}: {by_stack} by stack, {by_kernel} by kernel")
        bare = [row["name"] for row in rows if len(row["path"]) < 3]
        self.must(not bare, f"without a call stack: {bare}")
        own = [row["name"] for row in rows if re.search("traced_cu|callstack_|cupti", row["name"])]
        self.must(not own, f"with frames of pwrtrace or CUPTI: {own}")

    def alike(self):
        """Sensors of one kind say the same of how they answer, as far as they say anything."""
        spans = [fit["equivalent_window_ms_95"] for fit in self.report["fits"] if not fit["other_responses"]]
        self.must(len(self.report["fits"]) == 2, f"{len(self.report['fits'])} fits, 2 expected")
        self.must(all(low <= other[1] * Decimal("1.1") for low, _ in spans for other in spans),
                  f"windows differ: {[[float(end) for end in span] for span in spans]} ms")

    def utilized(self):
        """It is known of the kernels that matter how busy they kept the GPU, and products did so with tensors."""
        kernels = [row for row in self.report["rows"] if row["kind"] == "kernel"]
        total_s = sum(row["time_s"] for row in kernels)
        matter = [row for row in kernels if row["time_s"] > total_s / 100]
        for part in "compute", "issue", "tensor", "cache", "read", "write":
            unknown = [row["name"] for row in matter if row[f"utilization_{part}"] is None]
            self.must(not unknown, f"{part} of {len(unknown)} of {len(matter)} kernels is not known: {unknown[:3]}")
            if unknown:
                return
            busiest = max(matter, key=lambda row: row[f"utilization_{part}"])
            self.must(busiest[f"utilization_{part}"] > Decimal("0.3"),
                      f"{part} is busy for {busiest[f'utilization_{part}']} at most")
            self.must(part != "tensor" or re.search("nvjet|gemm|xmma|cutlass", busiest["name"]),
                      f"no product keeps tensor cores the busiest, but {busiest['name']}")

    def judge(self):
        stdout = open(self.arguments.stdout, errors="replace").read()
        truth = numbers(stdout)
        if self.arguments.counted:
            second = counted(self.arguments.counted)
            self.must(second, "count_records.so has left no count")
            self.must(second.pop("dropped", 0) == 0, "count_records.so has dropped records")
            truth.update(second)
        self.must(truth, "the program has counted nothing")
        self.events(truth)
        self.named(stdout)
        self.collectives(stdout)
        self.layers(stdout, truth)
        self.requests(stdout)
        self.devices(truth)
        self.replays()
        self.losses()
        self.energy()
        self.layers_add_up()
        if self.arguments.timing == "cupti" and not self.arguments.no_clock:
            self.clock()
        if self.arguments.stacks:
            self.stacks()
        if self.arguments.alike:
            self.alike()
        if self.arguments.utilized:
            self.utilized()
        return self.differences


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pwrtrace")
    parser.add_argument("trace")
    parser.add_argument("stdout")
    parser.add_argument("--counted")
    parser.add_argument("--timing", default="cupti")
    parser.add_argument("--graphs", default="node")
    parser.add_argument("--no-clock", action="store_true")
    parser.add_argument("--stacks", action="store_true")
    parser.add_argument("--replayed", action="store_true")
    parser.add_argument("--refused", action="store_true")
    parser.add_argument("--alike", action="store_true")
    parser.add_argument("--utilized", action="store_true")
    parser.add_argument("--losses-counted", action="store_true")
    raise SystemExit(min(Judge(parser.parse_args()).judge(), 1))


if __name__ == "__main__":
    main()
