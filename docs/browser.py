#!/usr/bin/env python3
"""Takes the pictures of the page for browsers: Chromium shows the page of `tictactoe-client --web`,
which draws a golden frame of the tests. One picture is of a light page, and one of a dark page.

  browser.py           take both pictures again; exits with 77 if Chromium is missing
  browser.py --check   list the pictures that are older than the frame or the page; exit with 1 if
                       there are any

Fonts differ from machine to machine, so --check does not compare the pictures themselves. Each has
a digest of the frame and the page in it.
"""
import base64
import hashlib
import http.server
import json
import os
import shutil
import sys
import threading
import zlib

DOCS = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(DOCS)
# The pictures, each for what the page is asked to be.
PICTURES = {"browser": "light", "browser-dark": "dark"}
FRAME = "Tests/ClientTests/Golden/game-connect.ans"
PAGE = {"/": "page.html", "/page.css": "page.css", "/page.js": "page.js"}
TYPES = {"html": "text/html", "css": "text/css", "js": "text/javascript"}
KEYWORD = b"Frame"


def read(path):
    with open(os.path.join(ROOT, path), "rb") as file:
        return file.read()


def page_file(path):
    return read(f"Sources/Client/Web/Page/{PAGE[path]}")


def digest():
    """Of all that a picture is made of."""
    parts = [read(FRAME)] + [page_file(path) for path in PAGE]
    return hashlib.sha256(b"\0".join(parts)).hexdigest().encode()


def chunk(kind, data):
    return (len(data).to_bytes(4, "big") + kind + data
            + zlib.crc32(kind + data).to_bytes(4, "big"))


def signed(image):
    """The PNG with the digest as a text chunk behind its header, which has 33 bytes."""
    return image[:33] + chunk(b"tEXt", KEYWORD + b"\0" + digest()) + image[33:]


def check():
    old = []
    for name in PICTURES:
        path = os.path.join(DOCS, f"{name}.png")
        mark = chunk(b"tEXt", KEYWORD + b"\0" + digest())
        if not os.path.exists(path) or mark not in open(path, "rb").read():
            old.append(f"docs/{name}.png is older than {FRAME}, or than the page.")
    if old:
        sys.exit("\n".join(old + ["Run: make pictures (with chromium)"]))


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves the page. It has no WebSocket, so nothing but this program draws."""

    def do_GET(self):
        if self.path not in PAGE:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Type", TYPES[PAGE[self.path].rsplit(".", 1)[1]])
        self.end_headers()
        self.wfile.write(page_file(self.path))

    def log_message(self, *arguments):
        pass


def take(page, rows):
    """Resizes the page to the frame, draws it and returns the screenshot."""
    columns = 80
    width, height, bar = json.loads(page.run(
        "JSON.stringify([measure().width, measure().height, $('bar').offsetHeight])"))
    page.resize(int(columns * width) + 1, int(len(rows) * height) + 1 + bar)
    page.run("isOver = true; fit()")
    size = page.run("rows + ' ' + columns")
    if size != f"{len(rows)} {columns}":
        sys.exit(f"browser.py: the page has {size} cells.")
    frame = "".join(f"\x1b[{index + 1};1H{row}" for index, row in enumerate(rows))
    page.run(f"receive('f' + {json.dumps(frame)})")
    page.shows("Connect")
    return base64.b64decode(page.call("Page.captureScreenshot", format="png")["data"])


def main():
    if sys.argv[1:] == ["--check"]:
        return check()
    if sys.argv[1:]:
        sys.exit(__doc__.strip())
    sys.path.insert(0, os.path.join(ROOT, "Tests", "Web"))
    from browser import Browser, wait
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if not chromium:
        print("docs/browser.py: chromium is missing.", file=sys.stderr)
        sys.exit(77)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    rows = read(FRAME).decode().rstrip("\n").split("\n")
    browser = Browser(chromium, DOCS)
    try:
        for name, scheme in PICTURES.items():
            page = browser.open(f"http://127.0.0.1:{server.server_port}/")
            page.call("Emulation.setEmulatedMedia",
                      features=[{"name": "prefers-color-scheme", "value": scheme}])
            wait(lambda: page.run("typeof cells !== 'undefined' && cells.length > 0"), 20, "a page")
            image = take(page, rows)
            with open(os.path.join(DOCS, f"{name}.png"), "wb") as file:
                file.write(signed(image))
    finally:
        browser.close()


main()
