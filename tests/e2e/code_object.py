# A code object as AMD's compiler makes them, without the code.
#
# code_object.py [--bundle] [--variable NAME]... [--constant NAME]... KERNEL... >FILE
#
# KERNEL is its name, then what it is passed: _Z5twicePfm=global_buffer:8,by_value:8.  --bundle: as
# a host's program has it in its section .hip_fatbin.
import argparse
import struct
import sys

AMDGPU, NOTE, WRITABLE, CONSTANT, SYMBOLS, STRINGS = 224, 32, 1, 2, 3, 4
HEAD_BYTES, SEGMENT_BYTES = 64, 56


def pack(value):
    """MessagePack, in its widest forms."""
    if isinstance(value, dict):
        return struct.pack(">BI", 0xDF, len(value)) + b"".join(
            pack(part) for pair in value.items() for part in pair)
    if isinstance(value, list):
        return struct.pack(">BI", 0xDD, len(value)) + b"".join(map(pack, value))
    if isinstance(value, str):
        return struct.pack(">BI", 0xDB, len(value)) + value.encode()
    return struct.pack(">BQ", 0xCF, value)


def metadata(kernel):
    name, _, kinds = kernel.partition("=")
    arguments = [kind.split(":") for kind in kinds.split(",") if kind]
    return {".name": name, ".symbol": name + ".kd",
            ".args": [{".value_kind": kind, ".size": int(size)} for kind, size in arguments]}


def note(kernels):
    body = pack({"amdhsa.kernels": [metadata(kernel) for kernel in kernels]})
    return struct.pack("<III", 7, len(body), NOTE) + b"AMDGPU\0\0" + body + b"\0" * (-len(body) % 4)


def symbol_tables(variables, constants):
    symbols, strings = struct.pack("<IBBHQQ", 0, 0, 0, 0, 0, 0), b"\0"
    for names, section in ((variables, WRITABLE), (constants, CONSTANT)):
        for name in names:
            symbols += struct.pack("<IBBHQQ", len(strings), 0x11, 0, section, 0, 8)
            strings += name.encode() + b"\0"
    return symbols, strings


def section(kind, flags=0, at=0, size=0, link=0):
    return struct.pack("<IIQQQQIIQQ", 0, kind, flags, 0, at, size, link, 0, 8, 24)


def code_object(options):
    descriptors = [kernel.partition("=")[0] + ".kd" for kernel in options.kernels]
    symbols, strings = symbol_tables(options.variable, options.constant + descriptors)
    notes = note(options.kernels)
    notes_at = HEAD_BYTES + SEGMENT_BYTES
    symbols_at = notes_at + len(notes)
    strings_at = symbols_at + len(symbols)
    sections = [section(0), section(8, 3, size=8 * len(options.variable)), section(1, 2, size=8),
                section(2, 0, symbols_at, len(symbols), STRINGS),
                section(3, 0, strings_at, len(strings))]
    head = b"\x7fELF\2\1\1\x40" + bytes(8) + struct.pack(
        "<HHIQQQIHHHHHH", 3, AMDGPU, 1, 0, HEAD_BYTES, strings_at + len(strings), 0, HEAD_BYTES,
        SEGMENT_BYTES, 1, 64, len(sections), 0)
    segment = struct.pack("<IIQQQQQQ", 4, 4, notes_at, 0, 0, len(notes), len(notes), 4)
    return head + segment + notes + symbols + strings + b"".join(sections)


def bundle(code):
    target, at = b"hipv4-amdgcn-amd-amdhsa--gfx906", 4096
    head = b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<QQQQ", 1, at, len(code), len(target)) + target
    return head.ljust(at, b"\0") + code


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bundle", action="store_true")
    parser.add_argument("--variable", action="append", default=[])
    parser.add_argument("--constant", action="append", default=[])
    parser.add_argument("kernels", nargs="+")
    options = parser.parse_args()
    code = code_object(options)
    sys.stdout.buffer.write(bundle(code) if options.bundle else code)


main()
