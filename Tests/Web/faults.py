"""Tabs whose processes end by an error or hang: they come back into their matches, and the others
notice nothing. No process is left over."""
import os
import re
import signal
import time
import urllib.request

from browser import Socket, wait

# Seconds in which the page of another player shows the effect of a key, whatever happens to a tab.
SAME = 1
# The time for which a tab is kept without a page.
KEPT = 60


def children(program):
    with open(f"/proc/{program.pid}/task/{program.pid}/children") as file:
        return {int(pid) for pid in file.read().split()}


def state(pid):
    """The letter of its state; blank if there is no such process."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return ""


def goes_on(page, key):
    """A key moves what is highlighted."""
    script = "cells.flatMap((line) => line.map((cell) => cell.classList.contains('reversed')))"
    before = page.run(script)
    page.key(key)
    wait(lambda: page.run(script) != before, SAME, "the effect of a key")


class Faults:
    def __init__(self, programs, game, start, says):
        """`programs` is the folder of the programs, `game` the port of the server; the others are
        functions of the caller."""
        # A backtrace would keep the process for some seconds.
        self.command = ("env", "SWIFT_BACKTRACE=enable=no", f"{programs}/tictactoe-client", "--web",
                        "0", "--send-proxy", "--web-metrics", "0", f"127.0.0.1:{game}")
        self.start, self.says = start, says
        # The processes that the tabs are copies of.
        self.templates = set()
        self.program, self.port = self.serve("faulty")
        self.metrics = int(says("faulty", r"http://127.0.0.1:(\d+)/metrics")[1])
        self.left = self.open_socket()
        self.left_pid, = self.tabs(self.program)
        self.left.socket.close()
        self.since = time.monotonic()

    def serve(self, name):
        program = self.start(name, *self.command)
        port = int(self.says(name, r"http://127.0.0.1:(\d+)/ ")[1])
        self.templates |= children(program)
        return program, port

    def tabs(self, program):
        """The processes of its tabs."""
        return children(program) - self.templates

    def open_socket(self, port=None):
        tab = Socket("127.0.0.1", port or self.port, "/socket")
        tab.send("h24 80  /")
        assert tab.receive().startswith("k")
        return tab

    def check(self, browser, log, say):
        own = {}

        def new_pid():
            pid, = self.tabs(self.program) - set(own.values()) - {self.left_pid}
            return pid

        def open_page(name, path, text):
            page = browser.open(f"http://127.0.0.1:{self.port}{path}")
            page.shows("Your name")
            own[name] = new_pid()
            page.type(name)
            page.key("Enter")
            page.shows(text)
            return page

        def resumed(name):
            return len(re.findall(f"resumed connection=[0-9]* session={name}", log("server")))

        gus = open_page("gus", "/", "Play with a friend")
        hal = open_page("hal", "/start/gus/tictactoe", "[Ww]aiting|invited")
        gus.shows("hal invites you")
        time.sleep(0.7)
        gus.type("a")
        pages = {"gus": gus, "hal": hal,
                 "ida": open_page("ida", "/start/bot/gomoku/easy", "Your turn")}
        for number, (kind, name) in enumerate(((signal.SIGSEGV, "gus"), (signal.SIGKILL, "hal"),
                                               (signal.SIGSTOP, "gus"))):
            page = pages[name]
            page.run("{ const old = say; window.said = [];"
                     " say = (...texts) => { said.push(texts[0]); old(...texts); }; }")
            time.sleep(0.7)
            before = resumed(name)
            begin = time.monotonic()
            os.kill(own[name], kind)
            goes_on(pages["ida"], "ArrowDown")
            wait(lambda: "This tab had an error, and starts again …" in page.run("said"), 20,
                 "the sentence")
            wait(lambda: resumed(name) > before, 10, f"{name} comes back")
            page.shows(f"{name} .*0", 10)
            seconds = time.monotonic() - begin
            own.pop(name)
            own[name] = new_pid()
            time.sleep(0.7)
            goes_on(pages["ida"], "ArrowUp")
            mover, = [player for player in ("gus", "hal") if "Your turn" in pages[player].text()]
            pages[mover].type(f"{number + 1}")
            pages["hal" if mover == "gus" else "gus"].shows("Your turn")
            say(f"a tab gets {kind.name} and is back in its match after {seconds:.1f} s; a key of"
                f" another one shows within {SAME} s")
        assert all(state(pid) not in ("", "Z") for pid in children(self.program)), "a zombie"
        with urllib.request.urlopen(f"http://127.0.0.1:{self.metrics}/metrics") as text:
            assert "\ntictactoe_web_faults_total 3\n" in text.read().decode()
        for page in pages.values():
            page.run("isOver = true; forget()")
            page.call("Page.close")

    def check_end(self, say):
        wait(lambda: not state(self.left_pid), KEPT + 15 - (time.monotonic() - self.since),
             "the process ends whose page has gone")
        say("the process of a tab ends when its page has gone for a minute")
        program, port = self.serve("killed")
        for end, served, number in ((self.program.terminate, self.program, self.port),
                                    (program.kill, program, port)):
            sockets = [self.open_socket(number) for _ in range(3)]
            pids = self.tabs(served)
            # One of them hangs.
            os.kill(min(pids), signal.SIGSTOP)
            end()
            served.wait()
            wait(lambda: all(state(pid) in ("", "Z") for pid in pids), 1, "the end of all tabs")
            if served is self.program:
                assert not any(map(state, pids)), "a process is left"
            for tab in sockets:
                tab.socket.close()
        say("no process is left at the end of the page's program, also if one hangs")
