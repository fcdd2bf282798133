#!/usr/bin/env python3
"""house.py BUILD: checks the dependencies between rooms (folders) against tests/house.txt.

A room includes what its row allows and nothing else.  There is no circle of rooms, and none of files,
by includes and by calls (nm on the objects of BUILD says which file calls which).  The library that
every process loads needs libc alone.  At the top level git keeps nothing but what
belongs there.  Prints a line for each violation.

house.py --graph: prints which room includes which.
"""
import ctypes
import os
import re
import subprocess
import sys

HALVES = ("preload", "analyzer")
TOP_LEVEL = {"Makefile", "preload", "analyzer", "include", "tests", "examples", "README.md", "LICENSE",
             "CONTRIBUTING.md", "NEWS.md"}
INCLUDE = re.compile(r'^#include "((?:%s)/[^"]+)"' % "|".join(HALVES), re.M)


def sources():
    """All files of both halves that include or are included."""
    for half in HALVES:
        for folder, _, names in os.walk(half):
            for name in names:
                if name.endswith((".c", ".h", ".def")):
                    yield os.path.join(folder, name)


def inclusions():
    """(file, file that it includes)."""
    for path in sources():
        with open(path) as file:
            for included in INCLUDE.findall(file.read()):
                yield path, included


def rows():
    """The rooms of house.txt: what each may include."""
    rooms = {}
    with open("tests/house.txt") as file:
        for line in file:
            room, colon, others = line.partition("#")[0].partition(":")
            if colon:
                rooms[room.strip()] = others.split()
    return rooms


def circles(arrows):
    """Strongly connected components of more than one node (Tarjan 1972)."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in arrows.get(node, ()):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            at = stack.index(node)
            if len(stack) - at > 1:
                found.append(sorted(stack[at:]))
            del stack[at:]

    for node in list(arrows):
        if node not in index:
            visit(node)
    return found


def symbols(build):
    """(half, file, functions that it defines, names that it needs) of each object."""
    for kind in ("pic", "bin-o"):
        for folder, _, names in os.walk(os.path.join(build, kind)):
            for name in names:
                path = os.path.join(folder, name)
                source = os.path.relpath(path, os.path.join(build, kind))[:-2] + ".c"
                if not name.endswith(".o") or not os.path.exists(source):
                    continue
                lines = subprocess.run(["nm", path], capture_output=True, text=True).stdout
                words = [line.split()[-2:] for line in lines.splitlines()]
                yield (source.split("/")[0], source, {n for t, n in words if t in "TW"},
                       {n for t, n in words if t == "U"})


def calls(build):
    """Which files call functions of which: {file: {file: functions}}."""
    libc = ctypes.CDLL(None)
    objects = [o for o in symbols(build) if o[0] in HALVES]
    home = {(half, name): source for half, source, defined, _ in objects for name in defined}
    arrows = {}
    for half, source, _, needed in objects:
        for name in needed:
            # A function of the C library that we override, as dlsym: its callers mean the C library's.
            other = home.get((half, name))
            if other and other != source and not hasattr(libc, name):
                arrows.setdefault(source, {}).setdefault(other, set()).add(name)
    return arrows


def kept():
    """The names at the top level that git keeps, dot-files apart; nothing where this is no git repository."""
    listed = subprocess.run(["git", "ls-files", "-z"], capture_output=True, text=True, check=False).stdout
    return {path.split("/")[0] for path in listed.split("\0") if path and not path.startswith(".")}


def problems(build):
    allowed = rows()
    arrows = {}
    for name in sorted(kept() - TOP_LEVEL):
        yield f"git keeps {name} at the top level, where it does not belong"
    for path, included in inclusions():
        room, other = os.path.dirname(path), os.path.dirname(included)
        arrows.setdefault(path, set()).add(included)
        if room != other and other not in allowed.get(room, ()):
            yield f"{path} includes {included}: tests/house.txt does not let {room} include {other}"
    for room in sorted({os.path.dirname(path) for path in sources()} - set(allowed)):
        yield f"{room} has no row in tests/house.txt"
    for room, others in allowed.items():
        for other in [room, *others]:
            if not os.path.isdir(other):
                yield f"tests/house.txt names {other}, which is no folder"
    for circle in circles(allowed):
        yield "rooms in a circle in tests/house.txt: " + " ".join(circle)
    called = calls(build)
    for path, others in called.items():
        arrows.setdefault(path, set()).update(others)
    for circle in circles(arrows):
        yield "files in a circle: " + " ".join(circle)
        for path in circle:
            for other in sorted(set(called.get(path, ())) & set(circle)):
                yield f"    {path} calls {' '.join(sorted(called[path][other]))} of {other}"
    shim = os.path.join(build, "lib/libpwrtrace.so")
    needed = subprocess.run(["readelf", "-d", shim], capture_output=True, text=True).stdout
    for library in re.findall(r"NEEDED.*\[(.*)\]", needed):
        if not library.startswith(("libc.so", "ld-linux")):
            yield f"{shim} needs {library}: it may need the C library alone"


def graph():
    rooms = {}
    for path, included in inclusions():
        if os.path.dirname(path) != os.path.dirname(included):
            rooms.setdefault(os.path.dirname(path), set()).add(os.path.dirname(included))
    for room in sorted(rooms):
        print(f"{room}: {' '.join(sorted(rooms[room]))}")


os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
if sys.argv[1:] == ["--graph"]:
    graph()
else:
    found = list(problems(sys.argv[1] if len(sys.argv) > 1 else "build"))
    for problem in found:
        print(problem)
    sys.exit(1 if found else 0)
