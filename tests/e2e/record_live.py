"""record_live.py MODE COMMAND...: runs pwrtrace record --live on a terminal, with its output in the files
live.out and live.err, until the line shows a kernel; then ends it by SIGTERM.  MODE: "shown"; or
"killed", where the line's process is killed and the recording goes on.  Prints what came of it."""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

LIMIT_S = 100


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return [int(child) for child in file.read().split()]


def arguments(pid):
    with open(f"/proc/{pid}/cmdline", "rb") as file:
        return file.read().split(b"\0")


ours, theirs = pty.openpty()
fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
child = os.fork()
if child == 0:
    os.setsid()
    fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)
    os.dup2(os.open("live.out", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
    os.dup2(os.open("live.err", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
    os.close(ours)
    os.close(theirs)
    os.execvp(sys.argv[2], sys.argv[2:])
shown, line, end = b"", None, time.monotonic() + LIMIT_S
while not line and time.monotonic() < end:
    if select.select([ours], [], [], 1)[0]:
        shown += os.read(ours, 65536)
    line = re.search(rb"pwrtrace: [0-9.]+ s, [0-9.]+ W, [0-9.]+ k?J; [^\r]*[0-9.]+ % matmul", shown)
print("line:", bool(line), flush=True)
if sys.argv[1] == "killed":
    for process in children(child):
        if b"--line" in arguments(process):
            os.kill(process, signal.SIGKILL)
os.kill(child, signal.SIGTERM)
status = os.waitpid(child, 0)[1]
while select.select([ours], [], [], 0)[0]:
    shown += os.read(ours, 65536)
print("status:", os.waitstatus_to_exitcode(status))
rows = shown.split(b"\r")
print("cleared:", rows[-1] == b"" and not rows[-2].strip())
print("each row fits:", all(len(row.decode()) < 80 for row in rows))
