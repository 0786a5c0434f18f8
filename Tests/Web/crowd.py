"""1,000 hostile tabs beside an honest one: how long its keys take to show an effect."""
import os
import socket
import statistics
import time

from browser import Socket

# Seconds: at most half a second usually, and never as long as a page waits for the other end.
MEDIAN, MAXIMUM = 0.5, 30
HOSTILE = [b"tq", b"kEnter", b"m3 4", b"r40 80", b"p" + b"x" * 1000, b"kF99", b"\xff", b"a", b"i"]


def frame(data):
    mask = os.urandom(4)
    length = len(data)
    head = bytes([0x81, 0x80 | length]) if length < 126 else b"\x81\xfe" + length.to_bytes(2, "big")
    return head + mask + bytes(a ^ mask[i % 4] for i, a in enumerate(data))


def draw(page):
    """Waits for the next frame, and says that it is drawn."""
    while not (page.receive() or "").startswith("f"):
        pass
    page.send("a")


def check(port, say, count=1000, presses=30):
    """`port` is that of a page which allows so many tabs. Returns the times in seconds."""
    honest = Socket("127.0.0.1", port, "/socket")
    honest.socket.settimeout(120)
    honest.send("h24 80  /")
    draw(honest)
    crowd = []
    for index in range(count):
        stranger = Socket("127.0.0.1", port, "/socket")
        stranger.send("h24 80  /")
        stranger.socket.setblocking(False)
        crowd.append(stranger.socket)
    assert len(crowd) == count
    pid = os.fork()
    if pid == 0:  # The crowd, until it is killed.
        turn = 0
        while True:
            turn += 1
            for index, peer in enumerate(crowd):
                try:
                    if (index + turn) % 5 == 0:
                        peer.send(frame(HOSTILE[(index + turn) % len(HOSTILE)]))
                    peer.recv(65536)
                except BlockingIOError:
                    pass
                except OSError:
                    pass
    times = []
    try:
        for index in range(presses):
            time.sleep(0.1)
            begin = time.monotonic()
            # A letter in the field of the name appears, and the next key takes it away.
            honest.send("tx" if index % 2 == 0 else "kBackspace")
            draw(honest)
            times.append(time.monotonic() - begin)
    finally:
        os.kill(pid, 9)
        os.waitpid(pid, 0)
        for peer in crowd:
            peer.close()
    assert statistics.median(times) < MEDIAN and max(times) < MAXIMUM, times
    say(f"beside {count} hostile tabs, a key of an honest one shows after"
        f" {statistics.median(times):.2f} s in the median, {max(times):.2f} s at most")
    return times
