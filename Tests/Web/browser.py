"""A small client of Chromium's remote debugging, over its WebSocket, with the standard library."""
import base64
import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request


# A name of this host that only this browser knows.
NAME = "play.example"


class Socket:
    """A WebSocket connection as a client (RFC 6455)."""

    def __init__(self, host, port, path, source=""):
        self.socket = socket.create_connection((host, port), timeout=30, source_address=(source, 0))
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nOrigin: http://{host}:{port}\r\n"
            f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {key}\r\n\r\n".encode())
        self.bytes = b""
        while b"\r\n\r\n" not in self.bytes:
            self.fill()
        head, self.bytes = self.bytes.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise ConnectionError(head.decode())

    def fill(self):
        more = self.socket.recv(65536)
        if not more:
            raise ConnectionError("closed")
        self.bytes += more

    def take(self, count):
        while len(self.bytes) < count:
            self.fill()
        taken, self.bytes = self.bytes[:count], self.bytes[count:]
        return taken

    def send(self, text):
        data, mask = text.encode(), os.urandom(4)
        length = len(data)
        head = b"\x81"
        if length < 126:
            head += bytes([0x80 | length])
        elif length < 65536:
            head += b"\xfe" + length.to_bytes(2, "big")
        else:
            head += b"\xff" + length.to_bytes(8, "big")
        repeated = mask * (length // 4 + 1)
        self.socket.sendall(head + mask + bytes(a ^ b for a, b in zip(data, repeated)))

    def receive(self):
        """Returns the next text; None at the end."""
        text = b""
        while True:
            first, second = self.take(2)
            length = second & 127
            if length > 125:
                length = int.from_bytes(self.take(2 if length == 126 else 8), "big")
            payload = self.take(length)
            if first & 15 == 8:
                return None
            if first & 15 in (0, 1):
                text += payload
                if first & 128:
                    return text.decode()


class Browser:
    """Chromium without a window."""

    def __init__(self, program, folder):
        self.folder = folder
        self.profile = tempfile.mkdtemp()
        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--remote-debugging-port=0", "--remote-allow-origins=*", "--no-first-run",
             f"--host-resolver-rules=MAP {NAME} 127.0.0.1",
             f"--user-data-dir={self.profile}", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        path = os.path.join(self.profile, "DevToolsActivePort")
        wait(lambda: os.path.exists(path) and open(path).read().strip(), 60, "Chromium starts")
        port, path = open(path).read().split()[:2]
        self.port = int(port)
        self.connection = Socket("127.0.0.1", self.port, path)
        self.id = 0

    def call(self, method, **parameters):
        self.id += 1
        self.connection.send(json.dumps({"id": self.id, "method": method, "params": parameters}))
        while (answer := json.loads(self.connection.receive())).get("id") != self.id:
            pass
        return answer

    def open(self, url, width=1000, height=700, mobile=False):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/json/new?about:blank", method="PUT")
        target = json.load(urllib.request.urlopen(request))
        page = Page(Socket("127.0.0.1", self.port, re.sub(r"ws://[^/]*", "",
                                                            target["webSocketDebuggerUrl"])), self)
        page.call("Page.enable")
        page.call("Runtime.enable")
        page.resize(width, height, mobile)
        page.call("Page.navigate", url=url)
        return page

    def close(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


class Grid:
    """What has a text, in rows."""

    def shows(self, pattern, seconds=20):
        try:
            wait(lambda: re.search(pattern, self.text()), seconds, pattern)
        except TimeoutError:
            self.picture("failed")
            raise AssertionError(f"“{pattern}” is not shown:\n{self.text()}")
        return re.search(pattern, self.text())

    def find(self, text):
        for row, line in enumerate(self.text().split("\n")):
            if text in line:
                return row, line.index(text)
        raise AssertionError(f"“{text}” is not shown:\n{self.text()}")


class Page(Grid):
    """A tab."""

    def __init__(self, connection, browser):
        self.connection = connection
        self.browser = browser
        self.id = 0

    def call(self, method, **parameters):
        self.id += 1
        self.connection.send(json.dumps({"id": self.id, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.connection.receive())
            if answer.get("id") == self.id:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def run(self, script):
        for _ in range(100):
            result = self.call("Runtime.evaluate", expression=script, returnByValue=True,
                               awaitPromise=True)
            # A page that is still being loaded has no script yet.
            if "$ is not defined" not in str(result.get("exceptionDetails")):
                break
            time.sleep(0.1)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"])
        return result["result"].get("value")

    def resize(self, width, height, mobile=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=2 if mobile else 1, mobile=mobile)
        self.call("Emulation.setTouchEmulationEnabled", enabled=mobile)

    def offline(self, is_offline):
        self.call("Network.enable")
        self.call("Network.emulateNetworkConditions", offline=is_offline, latency=0,
                  downloadThroughput=-1, uploadThroughput=-1)

    def text(self):
        return self.run("typeof cells === 'undefined' ? '' : cells.map(l => l.filter(c => c.className !== 'none')"
                        ".map(c => c.textContent).join('').trimEnd()).join('\\n')") or ""

    def type(self, text):
        for letter in text:
            self.call("Input.dispatchKeyEvent", type="keyDown", text=letter, key=letter)
            self.call("Input.dispatchKeyEvent", type="keyUp", key=letter)

    def type_fast(self, text):
        """Presses all keys before the page has answered to the first one."""
        first = self.id + 1
        for letter in text:
            for kind in ("keyDown", "keyUp"):
                self.id += 1
                more = {"text": letter} if kind == "keyDown" else {}
                self.connection.send(json.dumps(
                    {"id": self.id, "method": "Input.dispatchKeyEvent",
                     "params": {"type": kind, "key": letter, **more}}))
        left = set(range(first, self.id + 1))
        while left:
            left.discard(json.loads(self.connection.receive()).get("id"))

    def insert(self, text):
        """Text that comes at once, as from the keyboard of a phone, into the field with the focus."""
        self.call("Input.insertText", text=text)

    def insert_into_field(self, text):
        self.run("$('text').focus()")
        self.insert(text)

    def compose(self, text):
        """The word that a composing keyboard shows in the field, before it is finished."""
        self.call("Input.imeSetComposition", text=text, selectionStart=len(text),
                  selectionEnd=len(text))

    def paste(self, text):
        """Pastes from the clipboard with the browser's own key."""
        self.browser.call("Browser.grantPermissions",
                          permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
        self.call("Page.bringToFront")
        self.call("Runtime.evaluate", awaitPromise=True, userGesture=True,
                  expression=f"navigator.clipboard.writeText({json.dumps(text)})")
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key="v", code="KeyV", modifiers=2,
                      windowsVirtualKeyCode=86, commands=["paste"] if kind == "rawKeyDown" else [])

    def key(self, name, modifiers=0, repeats=0, **more):
        """Presses a key, which is held while it comes again."""
        for count in range(repeats + 1):
            self.call("Input.dispatchKeyEvent", type="keyDown" if "text" in more else "rawKeyDown",
                      key=name, modifiers=modifiers, autoRepeat=count > 0, **more)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=name, modifiers=modifiers)

    def middle(self, element):
        return self.run("(b => [b.x + b.width / 2, b.y + b.height / 2])"
                        f"({element}.getBoundingClientRect())")

    def click(self, row, column):
        self.click_on(f"cells[{row}][{column}]")

    def press(self, button):
        """Clicks on a button of the page by its id."""
        self.click_on(f"$('{button}')")

    def click_on(self, element):
        x, y = self.middle(element)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def tap(self, row, column):
        """Touches a cell of the screen with a finger."""
        x, y = self.middle(f"cells[{row}][{column}]")
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def click_text(self, text):
        row, column = self.find(text)
        self.click(row, column + len(text) // 2)

    def tap_text(self, text):
        row, column = self.find(text)
        self.tap(row, column + len(text) // 2)

    def picture(self, name):
        # Chromium draws no picture of a tab behind another one, and does not answer either.
        self.call("Page.bringToFront")
        image = self.call("Page.captureScreenshot", format="png")["data"]
        with open(os.path.join(self.browser.folder, f"{name}.png"), "wb") as file:
            file.write(base64.b64decode(image))


def wait(condition, seconds, what):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"in vain: {what}")
        time.sleep(0.05)
