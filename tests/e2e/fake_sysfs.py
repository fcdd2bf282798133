"""A sysfs of our own making, whose counters a program moves: what tests/e2e/sysfs.sh records.

fake_sysfs.py make DIR          a CPU package with cores, DRAM and psys, an MI300 and a card of xe
fake_sysfs.py move DIR SECONDS  moves the counters by the powers below, and then rests
fake_sysfs.py pull DIR SECONDS  the same, and half way there the cards are off the bus
"""
import os
import struct
import sys
import time

POWERCAP = "class/powercap/intel-rapl:"
AMD = "class/drm/card0/device/"
XE = "class/drm/card1/device/"
HWMON = XE + "hwmon/hwmon1/"
STEP_S = 0.01
REST_S = 0.5

# Watts by file, and where the counters begin: RAPL's packages are about to wrap.
RANGE_UJ = 262143328850
COUNTERS = {
    POWERCAP + "0/energy_uj": (50, RANGE_UJ - 20_000_000),
    POWERCAP + "0:0/energy_uj": (30, 1_000_000),
    POWERCAP + "0:1/energy_uj": (10, 2_000_000),
    POWERCAP + "1/energy_uj": (900, 3_000_000),
    HWMON + "energy1_input": (150, 4_000_000),
    HWMON + "energy2_input": (100, 5_000_000),
}
AMD_W = 500


def write(root, file, content):
    path = os.path.join(root, file)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    # As sysfs does: never half a value.  The file is opened once and read again and again.
    fd = os.open(path, os.O_WRONLY | os.O_CREAT, 0o644)
    os.pwrite(fd, content if isinstance(content, bytes) else f"{content:>20}\n".encode(), 0)
    os.close(fd)


def amd_table(joules, watts, now_ns):
    """v1.7; all ones is what is not there.  The firmware's clock never rests."""
    table = bytearray(b"\xff" * 2208)
    struct.pack_into("<HBB", table, 0, len(table), 1, 7)
    struct.pack_into("<H", table, 10, watts)
    struct.pack_into("<Q", table, 24, 7_000_000 + int(joules * 65536))
    struct.pack_into("<Q", table, 288, 123_456_789 + now_ns // 10)
    return bytes(table)


def set_counters(root, passed_s, amd_watts):
    for file, (watts, begin_uj) in COUNTERS.items():
        write(root, file, (begin_uj + int(watts * passed_s * 1e6)) % RANGE_UJ)
    write(root, AMD + "gpu_metrics", amd_table(AMD_W * passed_s, amd_watts, time.monotonic_ns()))


def make(root):
    for zone, name in ("0", "package-0"), ("0:0", "core"), ("0:1", "dram"), ("1", "psys"):
        write(root, f"{POWERCAP}{zone}/name", name.encode())
        write(root, f"{POWERCAP}{zone}/max_energy_range_uj", RANGE_UJ)
    write(root, AMD + "uevent", b"DRIVER=amdgpu\nPCI_ID=1002:74A1\nPCI_SLOT_NAME=0000:c1:00.0\n")
    write(root, AMD + "unique_id", b"0123456789abcdef")
    write(root, XE + "uevent", b"DRIVER=xe\nPCI_ID=8086:E20B\nPCI_SLOT_NAME=0000:03:00.0\n")
    write(root, HWMON + "name", b"xe")
    write(root, HWMON + "energy1_label", b"card")
    write(root, HWMON + "energy2_label", b"pkg")
    set_counters(root, 0, 0)


def move(root, seconds, pull):
    begin_s = time.monotonic()
    passed_s, pulled = 0, False
    while passed_s < seconds:
        time.sleep(STEP_S)
        passed_s = min(time.monotonic() - begin_s, seconds)
        set_counters(root, passed_s, AMD_W if passed_s < seconds else 0)
        if pull and passed_s > seconds / 2 and not pulled:
            pulled = True
            for file in AMD + "gpu_metrics", HWMON + "energy1_input", HWMON + "energy2_input":
                os.truncate(os.path.join(root, file), 0)
                os.unlink(os.path.join(root, file))
    time.sleep(REST_S)


def main():
    command, root = sys.argv[1:3]
    if command == "make":
        make(root)
    else:
        move(root, float(sys.argv[3]), command == "pull")


if __name__ == "__main__":
    main()
