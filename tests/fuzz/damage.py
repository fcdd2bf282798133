#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Damages traces and has them read: damage.py BUILD FIRST-SEED COUNT TRACE...

A TRACE is a directory, of which bytes are damaged, or a text (trace_text), of which values are, so that the trace
can be read and says what no trace should.  Each seed damages one of them, always in the same way, and shows it by
some of the views, each of which comes in turn.  Prints a line for each seed for which pwrtrace crashed, hung,
ended with a status of no meaning, failed without a word, printed JSON or CSV that is none, or "nan" or "inf" where
a number is; the damaged trace then stays, as damaged-SEED."""

import csv
import io
import itertools
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys

TIMEOUT_S = 60
VIEWS_EACH = 4  # of a seed
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


# What a value of a text becomes, of its digits: of another size, or another event's.
VALUES = [lambda value, dice: str(dice.choice(WORDS)), lambda value, dice: "0", lambda value, dice: value + "000",
          lambda value, dice: value[:-3] or "1", lambda value, dice: str(int(value) + dice.choice([-1, 1])),
          lambda value, dice: "-" + value, lambda value, dice: str(dice.randrange(2 ** 32))]


def change_value(lines, dice):
    at = dice.randrange(len(lines))
    values = list(re.finditer(r"(?<==)\d+", lines[at]))
    if values:
        value = dice.choice(values)
        changed = dice.choice(VALUES)(value[0], dice)
        lines[at] = lines[at][:value.start()] + changed + lines[at][value.end():]


def change_all(lines, dice):
    """The values of a field of an event, wherever it comes."""
    fields = sorted({(line.split()[0], key) for line in lines if "=" in line
                     for key in re.findall(r"(\w+)=\d", line)})
    event, key = dice.choice(fields)
    change = dice.choice(VALUES)
    for i, line in enumerate(lines):
        if line.startswith(event + " "):
            lines[i] = re.sub(rf"(?<=\b{key}=)\d+", lambda value: change(value[0], dice), line)


def drop_value(lines, dice):
    """What an event does not say is unknown."""
    at = dice.randrange(len(lines))
    words = lines[at].split(" ")
    if "=" in words[-1]:
        del words[dice.randrange(1, len(words))]
        lines[at] = " ".join(words)


def drop_line(lines, dice):
    del lines[dice.randrange(len(lines))]


def drop_event(lines, dice):
    event = dice.choice(lines).split(" ")[0]
    lines[:] = [line for line in lines if event == "at" or not line.startswith(event + " ")]


def repeat_line(lines, dice):
    lines.insert(dice.randrange(len(lines)), dice.choice(lines))


CHANGES = [change_value, change_value, change_value, change_all, change_all, drop_value, drop_value, drop_line,
           drop_event, repeat_line]


def damaged_text(path, dice):
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
    for _ in range(dice.choice([1, 1, 2, 4])):
        dice.choice(CHANGES)(lines, dice)
    return "\n".join(lines) + "\n"


def damage(directory, dice):
    files = sorted(path for path in directory.rglob("*") if path.is_file() and path.stat().st_size)
    for _ in range(dice.choice([1, 1, 1, 2, 4, 16])):
        path = dice.choice(files)
        data = bytearray(path.read_bytes())
        if data:
            dice.choice(DAMAGES)(data, dice)
            path.write_bytes(data)


# What is never printed in place of a number; what is not known has words of its own.
NO_NUMBER = re.compile(r"(?<![\w.])[-+]?(nan|inf|infinity)(?!\w)", re.IGNORECASE)

ANALYSES = [["report", "--work", "100token"], ["report", "--ops", "any.ops", "--peak", "989T,3.35T"],
            ["report", "--domains"], ["report", "--domains", "--relative"], ["power"], ["critical"],
            ["critical", "--by", "launch"], ["efficiency", "--work", "100"], ["frontier", "--per", "run"],
            ["frontier", "--per", "kernel"], ["frontier", "--per", "layer"], ["frontier", "--per", "iteration"],
            ["frontier", "--work", "token"], ["compare", "--force"], ["profile", "--layer", "iteration"],
            ["profile", "--kernel", "gemm"], ["profile", "--kernel", "k", "--before"]]
OPERATIONS = "kernel * 2e6 2.4e7\n"  # any.ops
REPORTS = [["report", "--by", by] for by in
           ("kernel", "layer", "stream", "device", "process", "stack", "launch", "collective")]
FORMATS = ["text", "json", "csv"]
FORMATS_OF_REPORT = ["folded", "html", "ndjson", "speedscope", "perfetto", "ctf"]


def refuse(constant):
    raise ValueError(f"{constant} is no JSON")


def read_json(text):
    json.loads(text, parse_constant=refuse)


def read_lines_of_json(text):
    for line in text.splitlines():
        read_json(line)


def read_text(text):
    for line in text.splitlines():
        if NO_NUMBER.search(line):
            raise ValueError(f"no number: {line}")


def read_csv(text):
    headings, *rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    for row in rows:
        if len(row) != len(headings) or any(map(NO_NUMBER.fullmatch, row)):
            raise ValueError(f"no row: {row}")


def read_html(text):
    """But for scripts, which know of numbers that are none, and what is drawn by them."""
    read_text(re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL))


# How to read a format; others are not made of text.
READ = {"text": read_text, "json": read_json, "csv": read_csv, "html": read_html, "folded": read_text,
        "ndjson": read_lines_of_json, "speedscope": read_json}
WITH_FORMAT = [*itertools.product(REPORTS + ANALYSES, FORMATS), *itertools.product(REPORTS[:1], FORMATS_OF_REPORT),
               *itertools.product(REPORTS[1:2], ["folded", "html", "speedscope"])]
VIEWS = [*(([*view, "--format", form], form) for view, form in WITH_FORMAT),
         (["report", "--verbose", "--wide"], "text"), (["report", "--by", "layer", "--verbose"], "text"),
         (["info"], "text"), (["graphs"], "json"), (["library"], "json")]


def command_of(build, view, form, directory, trace):
    """What is compared is the trace before the damage, or the damaged one with itself."""
    if form == "ctf":
        view = [*view, "-o", f"{directory}.out"]
    if view[0] == "compare":
        view = [*view, trace if trace.is_dir() else directory]
    return [build / "bin/pwrtrace", *view, directory]


def fault(command, form):
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
    if run.returncode == 0 and form in READ:
        try:
            READ[form](run.stdout.decode())
        except (ValueError, csv.Error) as error:
            return f"prints no {form}: {error}"
    return None


def make_damaged(build, trace, directory, dice):
    """False where the text says what cannot be written."""
    if trace.is_dir():
        shutil.copytree(trace, directory)
        damage(directory, dice)
        return True
    text = damaged_text(trace, dice)
    written = subprocess.run([build / "tests/trace_text", directory], input=text.encode(), capture_output=True)
    return written.returncode == 0


def main(build, first, count, *traces):
    build = pathlib.Path(build)
    pathlib.Path("any.ops").write_text(OPERATIONS)
    for seed in range(int(first), int(first) + int(count)):
        dice = random.Random(seed)
        directory = pathlib.Path(f"damaged-{seed}")
        trace = pathlib.Path(dice.choice(traces))
        while not make_damaged(build, trace, directory, dice):
            shutil.rmtree(directory, ignore_errors=True)
        faulty = False
        for i in range(seed * VIEWS_EACH, (seed + 1) * VIEWS_EACH):
            view, form = VIEWS[i % len(VIEWS)]
            command = command_of(build, view, form, directory, trace)
            what = fault(command, form)
            if what:
                print(f"seed {seed}, {trace.name}: {' '.join(map(str, command[1:]))} {what}")
                faulty = True
        shutil.rmtree(f"{directory}.out", ignore_errors=True)
        if not faulty:
            shutil.rmtree(directory)


if __name__ == "__main__":
    main(*sys.argv[1:])
