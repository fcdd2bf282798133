"""replay_terminal.py COMMAND...: runs a command with its standard error output on a terminal, and writes
to that itself a part of a line, as programs do, once progress is seen.  Prints the command's status, each
line of progress with N for its numbers, and after "left:", in one line, what remains on the screen."""
import fcntl
import os
import pty
import re
import struct
import sys
import termios

COLUMNS = 60
PART = b"step 1 "
PROGRESS = re.compile(rb"pwrtrace: replay: \d+ done, \d+ waiting; [^\033]*")


class Screen:
    """As much of a terminal as is needed; what it does not know it shows."""

    def __init__(self):
        self.rows, self.column, self.wraps, self.kept = [""], 0, True, (0, 0)

    def put(self, letter):
        if self.column == COLUMNS and self.wraps:
            self.rows.append("")
            self.column = 0
        self.column = min(self.column, COLUMNS - 1)
        row = self.rows[-1].ljust(self.column)
        self.rows[-1] = row[:self.column] + letter + row[self.column + 1:]
        self.column += 1

    def take(self, part):
        if part == "\n":
            self.rows.append("")
        elif part == "\r":
            self.column = 0
        elif part == "\0337":
            self.kept = len(self.rows), self.column
        elif part == "\0338":
            assert self.kept[0] == len(self.rows), "the screen has moved"
            self.column = self.kept[1]
        elif part == "\033[K":
            self.rows[-1] = self.rows[-1][:self.column]
        elif part in ("\033[?7l", "\033[?7h"):
            self.wraps = part.endswith("h")
        else:
            for letter in part:
                self.put(letter)


def main():
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
    child = os.fork()
    if child == 0:
        os.setsid()
        fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)
        os.dup2(theirs, 2)
        os.close(ours)
        os.execvp(sys.argv[1], sys.argv[1:])
    got, written = b"", False
    while not got.endswith(b"\n") or b"recorded to" not in got:
        got += os.read(ours, 65536)
        if not written and PROGRESS.search(got):
            os.write(theirs, PART)
            written = True
    print("status:", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    print(*dict.fromkeys(re.sub(r"\d+", "N", line.decode()) for line in PROGRESS.findall(got)), sep="\n")
    screen = Screen()
    for part in re.findall(r"\033[78]|\033\[\??\d*[A-Za-z]|[\r\n]|[^\033\r\n]+|\033", got.decode()):
        screen.take(part)
    print("left: ", *screen.rows, sep="")


main()
