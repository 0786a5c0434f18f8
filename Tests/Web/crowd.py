"""Hostile tabs beside an honest one: how long its keys take to show an effect."""
import os
import re
import socket
import statistics
import time
import urllib.request

from browser import Socket

# Seconds: a machine may do other work, but a key never waits as long as a page for the other end.
MEDIAN, MAXIMUM = 5, 30
# What each stranger does all the time. The first two types break the protocol and come back; the
# last three never read.
ROLES = [[b"kF99"], [b"\xff"], [b"tq", b"kBackspace"], [b"kEnter", b"a"], [b"m3 4", b"a"],
         [b"p" + b"x" * 1000, b"a"], [b"r40 80", b"r24 80", b"a"], [b"i", b"tx", b"a"],
         [b"a", b"kArrowUp", b"r60 160"]]
BREAKING, READING = 2, 6
# Seconds between two connections of one stranger, so that the system has ports for all.
PAUSE = 0.5


def frame(data):
    mask = os.urandom(4)
    length = len(data)
    head = bytes([0x81, 0x80 | length]) if length < 126 else b"\x81\xfe" + length.to_bytes(2, "big")
    return head + mask + bytes(a ^ mask[i % 4] for i, a in enumerate(data))


class Stranger:
    """A tab of its own, to which it returns whenever its connection is closed."""

    def __init__(self, port, index):
        self.port = port
        self.role = index % len(ROLES)
        self.messages = [frame(message) for message in ROLES[self.role]]
        first = Socket("127.0.0.1", port, "/socket")
        first.socket.settimeout(120)
        first.send("h24 80  /")
        self.secret = first.receive()[1:]
        self.peer = first.socket
        self.peer.setblocking(False)
        self.turn, self.since = 0, time.monotonic()

    def connect(self):
        self.peer.close()
        self.peer = socket.create_connection(("127.0.0.1", self.port))
        self.peer.sendall(
            (f"GET /socket HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
             f"Origin: http://127.0.0.1:{self.port}\r\nUpgrade: websocket\r\n"
             "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
             "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n").encode()
            + frame(f"h24 80 {self.secret} /".encode()))
        self.peer.setblocking(False)
        self.since = time.monotonic()

    def act(self):
        is_due = time.monotonic() - self.since > PAUSE
        try:
            if self.role >= BREAKING or is_due:
                self.turn += 1
                self.peer.send(self.messages[self.turn % len(self.messages)])
            if self.role < READING and not self.peer.recv(65536):
                raise ConnectionError("closed")
        except BlockingIOError:
            pass
        except OSError:
            if is_due:
                self.connect()


def draw(page):
    """Waits for the next frame, and says that it is drawn."""
    while not (page.receive() or "").startswith("f"):
        pass
    page.send("a")


def figures(port):
    """What the page counts, by name."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as page:
        return {name: int(value) for name, value in re.findall(
            r"^tictactoe_web_(\w+) (\d+)$", page.read().decode(), re.M)}


def check(port, metrics, say, count=1000, presses=60):
    """`port` is that of a page which allows so many tabs, `metrics` that of its metrics. Returns the
    times in seconds."""
    honest = Socket("127.0.0.1", port, "/socket")
    honest.socket.settimeout(120)
    honest.send("h24 80  /")
    draw(honest)
    crowd = [Stranger(port, index) for index in range(count)]
    pid = os.fork()
    if pid == 0:  # The crowd, until it is killed.
        while True:
            for stranger in crowd:
                stranger.act()
    for stranger in crowd:
        stranger.peer.close()
    times = []
    try:
        time.sleep(2)
        before, begin = figures(metrics), time.monotonic()
        for index in range(presses):
            time.sleep(0.1)
            pressed = time.monotonic()
            # A letter in the field of the name appears, and the next key takes it away.
            honest.send("tx" if index % 2 == 0 else "kBackspace")
            draw(honest)
            times.append(time.monotonic() - pressed)
        after, seconds = figures(metrics), time.monotonic() - begin
    finally:
        os.kill(pid, 9)
        os.waitpid(pid, 0)
    keys, frames = (sum(after[name] - before[name] for name in names) for names in (
        ("keys_total", "dropped_keys_total"), ("frames_total",)))
    # Of nine strangers two are cut again and again, and come back.
    assert min(before["connections"], after["connections"]) >= count / 2, (before, after)
    assert keys > min(1000, count) * seconds, (keys, seconds)
    assert statistics.median(times) < MEDIAN and max(times) < MAXIMUM, times
    say(f"beside {after['connections'] - 1} hostile tabs, which press {keys / seconds:.0f} keys and"
        f" get {frames / seconds:.0f} frames a second, a key of an honest one shows after"
        f" {statistics.median(times):.2f} s in the median, {max(times):.2f} s at most")
    return times
