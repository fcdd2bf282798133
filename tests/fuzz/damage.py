#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Damages traces and has them read: damage.py PWRTRACE FIRST-SEED COUNT TRACE...

Each seed damages a copy of one of the traces, always in the same way.  Prints a line for each seed
for which pwrtrace crashed, hung, ended with a status of no meaning, failed without a word, or
printed JSON that is none; the damaged trace then stays, as damaged-SEED."""

import json
import pathlib
import random
import shutil
import subprocess
import sys

TIMEOUT_S = 60
WORDS = [0, 1, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1, 2**63, 2**64 - 1]


def flip_bit(data, dice):
    data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)


def set_byte(data, dice):
    data[dice.randrange(len(data))] = dice.choice([0, 1, 10, 32, 34, 127, 128, 255, dice.randrange(256)])


def set_word(data, dice):
    size = dice.choice([4, 8])
    at = dice.randrange(len(data))
    word = (dice.choice(WORDS) % 2 ** (8 * size)).to_bytes(size, "little")
    data[at:at + size] = word[:len(data) - at]


def cut_end(data, dice):
    del data[dice.randrange(len(data)):]


def cut_out(data, dice):
    at = dice.randrange(len(data))
    del data[at:at + dice.randrange(1, 64)]


def repeat(data, dice):
    at = dice.randrange(len(data))
    data[at:at] = data[at:at + dice.randrange(1, 64)]


def swap(data, dice):
    a, b, size = dice.randrange(len(data)), dice.randrange(len(data)), dice.randrange(1, 32)
    first, second = bytes(data[a:a + size]), bytes(data[b:b + size])
    data[a:a + len(second)] = second
    data[b:b + len(first)] = first


DAMAGES = [flip_bit, flip_bit, set_byte, set_byte, set_word, cut_end, cut_out, repeat, swap]


def damage(directory, dice):
    files = sorted(path for path in directory.rglob("*") if path.is_file() and path.stat().st_size)
    for _ in range(dice.choice([1, 1, 1, 2, 4, 16])):
        path = dice.choice(files)
        data = bytearray(path.read_bytes())
        if data:
            dice.choice(DAMAGES)(data, dice)
            path.write_bytes(data)


def fault(command, is_json):
    """Returns what is wrong with how the command ends, or None."""
    try:
        run = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired:
        return "hangs"
    said = run.stderr.decode(errors="replace").splitlines()
    if run.returncode not in (0, 1, 2):
        return f"ends with status {run.returncode}: {said[-1:]}"
    if run.returncode and not said:
        return "fails without a word"
    if not all(line.startswith("pwrtrace: ") for line in said):
        return f"says {said}"
    if run.returncode == 0 and is_json:
        try:
            json.loads(run.stdout.decode())
        except ValueError as error:
            return f"prints no JSON: {error}"
    return None


def main(pwrtrace, first, count, *traces):
    for seed in range(int(first), int(first) + int(count)):
        dice = random.Random(seed)
        directory = pathlib.Path(f"damaged-{seed}")
        shutil.copytree(dice.choice(traces), directory)
        damage(directory, dice)
        by = dice.choice(["kernel", "layer", "stream", "device", "process", "launch"])
        commands = [[pwrtrace, "report", "--by", by, "--format", "json", directory],
                    [pwrtrace, "report", "--by", by, directory],
                    [pwrtrace, "report", "--domains", "--format", "json", directory],
                    [pwrtrace, "power", "--format", "json", directory],
                    [pwrtrace, "info", directory], [pwrtrace, "graphs", directory]]
        faults = [(command, fault(command, "json" in command)) for command in commands]
        for command, what in faults:
            if what:
                print(f"seed {seed}: {' '.join(map(str, command))} {what}")
        if not any(what for _, what in faults):
            shutil.rmtree(directory)


if __name__ == "__main__":
    main(*sys.argv[1:])
