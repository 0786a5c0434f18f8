"""A program in a pseudo-terminal, and the screen that it has drawn."""
import fcntl
import os
import pty
import re
import select
import struct
import termios
import time

from browser import Grid


class Terminal(Grid):
    """Understands the sequences that the client writes; its characters take one column each."""

    def __init__(self, command, environment, rows=24, columns=80):
        self.size = rows, columns
        self.row = self.column = 0
        self.clear()
        self.rest = ""
        self.process, self.end = pty.fork()
        if self.process == 0:
            os.execvpe(command[0], command, environment)
        fcntl.ioctl(self.end, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def clear(self):
        rows, columns = self.size
        self.cells = [[" "] * columns for _ in range(rows)]

    def read(self):
        while select.select([self.end], [], [], 0)[0]:
            try:
                data = os.read(self.end, 65536)
            except OSError:
                return
            self.draw(self.rest + data.decode(errors="ignore"))

    def draw(self, text):
        # A sequence whose end has not arrived waits.
        cut = re.search(r"\x1b(\[[?0-9;]*)?$", text)
        self.rest = text[cut.start():] if cut else ""
        for piece in re.split(r"(\x1b\[[?0-9;<>=u]*[A-Za-z]|\x1b.|[\x00-\x1a])",
                              text[:cut.start()] if cut else text):
            if re.fullmatch(r"\x1b\[[0-9;]*H", piece):
                numbers = [int(number or 1) for number in (piece[2:-1] or "1;1").split(";")]
                self.row, self.column = numbers[0] - 1, numbers[1] - 1
            elif piece == "\x1b[2J":
                self.clear()
            elif piece and piece >= " ":
                for character in piece:
                    if self.row < self.size[0] and self.column < self.size[1]:
                        self.cells[self.row][self.column] = character
                    self.column += 1

    def text(self):
        self.read()
        return "\n".join("".join(row).rstrip() for row in self.cells)

    def picture(self, name):
        """A terminal shows no picture; its text is in the message."""

    def type(self, text):
        for letter in text:
            os.write(self.end, letter.encode())
            time.sleep(0.05)

    def close(self):
        os.kill(self.process, 9)
        os.waitpid(self.process, 0)
        os.close(self.end)
