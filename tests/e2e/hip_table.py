# Which functions of preload/api/hip*.def that HIP 5.2 has a library of that version or later lacks.
# Usage: hip_table.py LIBRARY TABLE...; prints their names.
import ctypes
import re
import sys

ROW = re.compile(r"^[A-Z_]+\(502, (?:(\d+), )?(?:(?:void|int|hipError_t|const char \*), )?(\w+),", re.M)


def main():
    library = ctypes.CDLL(sys.argv[1])
    tables = "".join(open(table).read() for table in sys.argv[2:])
    for twin_since, name in ROW.findall(tables):
        for wanted in [name] + [name + "_spt"] * (twin_since == "502"):
            if not hasattr(library, wanted):
                print(wanted)


main()
