"""A tab whose connection is lost without a sign, as in a tunnel."""
import re
import socket
import threading
import time

from browser import wait


class Relay:
    """Passes bytes to a port of this host and back, until it stops: then connections stay open."""

    def __init__(self, port):
        self.target = port
        self.passes = threading.Event()
        self.passes.set()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self.target))
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self.copy, args=(one, other), daemon=True).start()

    def copy(self, one, other):
        try:
            while data := one.recv(65536):
                self.passes.wait()
                other.sendall(data)
            self.passes.wait()
            other.shutdown(socket.SHUT_WR)
        except OSError:
            pass


def check(browser, port, log, say):
    """`port` is that of the page."""
    relay = Relay(port)
    page = browser.open(f"http://127.0.0.1:{relay.port}/start/bot/tictactoe/easy")
    page.shows("Your name")
    page.type("tina")
    page.key("Enter")
    page.shows("Your turn")
    relay.passes.clear()
    begin = time.monotonic()
    wait(lambda: page.run("document.title").startswith("The connection is lost"), 20, "the title")
    seconds = time.monotonic() - begin
    assert 8 < seconds < 16, seconds
    page.shows("The connection is lost. Trying again …")
    assert not page.run("$('icon').href.includes('green')")
    page.picture("tunnel")
    time.sleep(max(0, begin + 20 - time.monotonic()))
    relay.passes.set()
    wait(lambda: page.run("document.title").startswith("Your turn"), 20, "the title of the match")
    page.shows("Your turn")
    assert "Trying" not in page.text(), page.text()
    time.sleep(0.7)
    page.key("Enter")
    page.shows("Last move: O")
    assert not re.search("disconnected.*session=tina", log("server"))
    page.run("isOver = true; forget()")
    page.call("Page.close")
    relay.listener.close()
    say(f"in a tunnel, a page says after {seconds:.0f} s that it is lost, and plays on behind it")
