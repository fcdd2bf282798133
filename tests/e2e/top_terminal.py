"""top_terminal.py COMMAND...: runs pwrtrace top in a terminal of its own, presses keys, and prints what
came of it, a line each.  RECORDER: the recorder's pid, which is ended meanwhile."""
import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time

LIMIT_S = 60


def resize(terminal, rows, columns):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def read_until(terminal, text):
    """Reads what is drawn until it has a text.  Returns whether that came."""
    got, end = b"", time.monotonic() + LIMIT_S
    while text not in got and time.monotonic() < end:
        if select.select([terminal], [], [], 1)[0]:
            try:
                got += os.read(terminal, 65536)
            except OSError:
                break
    return text in got


def say(what, held):
    print(what if held else "NOT: " + what, flush=True)


ours, theirs = pty.openpty()
resize(ours, 24, 80)
before = termios.tcgetattr(theirs)
child = os.fork()
if child == 0:
    os.setsid()
    fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)
    for fd in range(3):
        os.dup2(theirs, fd)
    os.execvp(sys.argv[1], sys.argv[1:])
say("draws a kernel", read_until(ours, b"matmul"))
os.write(ours, b"s")
say("s sorts by time", read_until(ours, b"time)"))
os.write(ours, b"h")
say("h shows help", read_until(ours, b"q quit"))
resize(ours, 40, 100)
say("draws anew when resized", read_until(ours, b"matmul"))
if os.environ.get("RECORDER"):
    os.write(ours, b"h")
    os.kill(int(os.environ["RECORDER"]), 15)
    say("says that the recording has ended", read_until(ours, b"Nothing is recorded any more"))
os.write(ours, b"q")
say("gives the screen back", read_until(ours, b"\033[?1049l"))
say("ends well", os.waitpid(child, 0)[1] == 0)
say("leaves the terminal as it was", termios.tcgetattr(theirs) == before)
