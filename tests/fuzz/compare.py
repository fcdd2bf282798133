#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Damages traces and has both readers print them: compare.py READ_TRACE FIRST-SEED COUNT TRACE...

Prints a line for each seed for which one of them crashed or hung, or what they say does not fit
together; the damaged trace then stays, as compared-SEED.  Last comes how many traces were read by
packets.  What must hold, where packets are read at all:

- Where neither says that something is damaged, both hand over the same, in the same order.
- Where packets are read without damage, or with no other than torn ends, all that libbabeltrace2 hands
  over is there.  More may be: libbabeltrace2 gives up a trace for what does not matter, as an index
  that lies.
- Where packets are left out, nothing else is compared: libbabeltrace2 hands over one event that runs
  beyond its packet's content, before it gives up the stream; it does not look at the uuid of packets;
  and it does not read the packets behind a damaged one."""

import collections
import pathlib
import random
import shutil
import subprocess
import sys

import damage


def read(command):
    """Returns exit status, what is handed over, and the warnings; None where it hangs."""
    try:
        run = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL,
                             timeout=damage.TIMEOUT_S)
    except subprocess.TimeoutExpired:
        return None
    return run.returncode, run.stdout.decode().splitlines(), run.stderr.decode(errors="replace")


def fault(packets, babeltrace):
    """Returns what is wrong with what the readers say, or None."""
    for name, said in ("packets", packets), ("libbabeltrace2", babeltrace):
        if not said:
            return f"{name}: hangs"
        if said[0] not in (0, 1):
            return f"{name}: ends with status {said[0]}: {said[2].splitlines()[-1:]}"
    ours, theirs = packets[1], babeltrace[1]
    if packets[0]:
        return None # refused
    if ("damaged" in ours) != ("pwrtrace: " in packets[2]):
        return "packets: damage without a warning, or a warning without damage"
    if "damaged" not in ours and "damaged" not in theirs and babeltrace[0] == 0:
        return None if ours == theirs else "neither says damaged, but they differ"
    if " of its packets are left out" in packets[2]:
        return None
    missing = collections.Counter(theirs) - collections.Counter(ours)
    missing.pop("damaged", None)
    return f"packets: {missing.total()} events are missing" if missing else None


def main(reader, first, count, *traces):
    by_packets = 0
    for seed in range(int(first), int(first) + int(count)):
        dice = random.Random(seed)
        directory = pathlib.Path(f"compared-{seed}")
        shutil.copytree(dice.choice(traces), directory)
        damage.damage(directory, dice)
        packets = read([reader, "--print", directory])
        what = fault(packets, read([reader, "--babeltrace", "--print", directory]))
        by_packets += bool(packets and packets[0] == 0)
        if what:
            print(f"seed {seed}: {what}")
        else:
            shutil.rmtree(directory)
    print(f"read by packets: {by_packets}")


main(*sys.argv[1:])
