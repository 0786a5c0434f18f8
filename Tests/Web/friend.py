"""Somebody sends a link from a terminal, a phone opens it, and the two play gomoku."""
import os
import re
import time

from browser import wait
from terminal import Terminal

# The terminal's moves, and the phone's, which has five in a row at last.
MOVES = (("h8", "d4"), ("a1", "e4"), ("c2", "f4"), ("e1", "g4"), ("o15", "h4"))


def settle():
    # Keys right after a change of the screen, or after one another, have no effect.
    time.sleep(0.7)


def play(browser, client, server, url, work, say):
    """`client` is the program, `server` the address of the server, `url` that of the page."""
    home = os.path.join(work, "home")
    os.makedirs(os.path.join(home, ".config/tictactoe"))
    with open(os.path.join(home, ".config/tictactoe/config"), "w", encoding="utf-8") as file:
        file.write(f"friend-line = {url}/join/CODE\n")
    environment = {"HOME": home, "TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": "/usr/bin"}
    terminal = Terminal(
        [client, "--send-proxy", "--name", "tess", "--game", "gomoku", server], environment)
    try:
        terminal.shows("Play with a friend")
        settle()
        terminal.type("f")
        terminal.shows("Send your friend this line")
        link = terminal.shows(r"http://\S+/join/\w+")[0]
        assert link.startswith(url), link
        phone = browser.open(link, 390, 800, mobile=True)
        phone.shows("Your name")
        phone.insert_into_field("phil")
        phone.key("Enter")
        phone.shows("tess")
        wait(lambda: re.search("Your turn", terminal.text() + phone.text()), 20, "a turn")
        chat_under_keyboard(phone, terminal)
        if not re.search("Your turn", terminal.text()):
            # The phone begins, far from all other moves.
            tap(phone, "o1")
            terminal.shows("Last move: . on o1")
        for number, (own, other) in enumerate(MOVES):
            terminal.shows("Your turn")
            settle()
            terminal.type(f"g{own}\r")
            settle()
            terminal.type("\r")
            phone.shows(f" {own}" if number else "Your turn")
            wait(lambda: phone.run("$('news').textContent").endswith(f"on {own}"), 10,
                 "the spoken move")
            settle()
            tap(phone, other)
            wait(lambda: re.search(f"on {other}|phil wins|You lost", terminal.text()), 20,
                 f"the move on {other}")
        terminal.shows("You lost")
        phone.shows("You win")
        wait(lambda: re.search("You win.*Last move: . on h4", phone.run("$('news').textContent")),
             10, "the spoken result")
        phone.picture("friend-phone")
        phone.run("isOver = true; forget()")
        phone.call("Page.close")
    except Exception:
        print(terminal.text())
        raise
    finally:
        terminal.close()
    say("a link from a terminal opens on a phone, and the two play gomoku to the end")


def chat_under_keyboard(phone, terminal):
    """The keyboard takes half of the window, and the board stays."""
    time.sleep(0.7)
    rows = phone.run("rows")
    phone.type("t")
    wait(lambda: phone.run("document.activeElement.id") == "text", 10, "the field")
    phone.resize(390, 400, True)
    wait(lambda: phone.run("$('bar').getBoundingClientRect().bottom") <= 400, 10, "the keyboard")
    phone.insert("hello from here")
    phone.shows("hello from here")
    assert phone.run("rows") == rows and "at least" not in phone.text(), phone.text()
    inside = phone.run("(() => { const at = cursor.getBoundingClientRect(), all ="
                       " screen_.getBoundingClientRect(); return at.top >= all.top"
                       " && at.bottom <= all.bottom; })()")
    assert inside, "the cursor is under the keyboard"
    phone.picture("keyboard-gomoku-phone")
    phone.key("Enter")
    wait(lambda: "hello from" in terminal.text(), 10, "the message")
    phone.resize(390, 800, True)
    wait(lambda: phone.run("rows") == rows and phone.run("$('bar').getBoundingClientRect().bottom")
         > 700, 10, "all of the window")
    time.sleep(0.7)


def tap(phone, cell):
    phone.shows("Your turn")
    at = phone.run("[...document.querySelectorAll('#buttons button')]"
                   f".find((b) => b.textContent === '{cell}: free').dataset.at")
    phone.tap(*map(int, at.split()))
