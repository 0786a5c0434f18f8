"""What the page knows of a game, it knows from the program, whatever people write."""
import time

import screenreader
from browser import wait

DESKTOP, PHONE = (1000, 700, False), (390, 800, True)
CELL = "[...document.querySelectorAll('#buttons button')].find((b) => b.textContent.endsWith('%s'))"


def settle():
    # Keys right after a change of the screen have no effect.
    time.sleep(0.7)


def is_green(page):
    return page.run("$('icon').href.includes('green')")


def press_cell(page, content):
    """Clicks on the first cell with this content; taps on a phone."""
    at = map(int, page.run((CELL % content) + ".dataset.at").split())
    (page.tap if page.run("navigator.maxTouchPoints > 0") else page.click)(*at)


def write(page, text):
    page.type("t")
    wait(lambda: page.run("document.activeElement.id") == "text", 10, "the field has the focus")
    page.type(text)
    page.key("Enter")


def check(browser, url, say):
    """Two people, one of whom has a misleading name; the other one has a phone."""
    pages = []
    for name, path, size in (("Your turn", "/game/tictactoe", DESKTOP),
                             ("cleo", "/start/Your%20turn/tictactoe", PHONE)):
        page = browser.open(url + path, *size)
        page.shows("Your name")
        page.insert_into_field(name)
        page.key("Enter")
        page.shows("invited|[Ww]aiting" if pages else "Play with a friend")
        pages.append(page)
    tess, cleo = pages
    tess.shows("cleo invites you")
    settle()
    tess.type("a")
    wait(lambda: is_green(tess) != is_green(cleo), 10, "one green icon")
    settle()
    # A game in which it is the turn of each of them once.
    seen = set()
    for _ in range(2):
        own, other = (tess, cleo) if is_green(tess) else (cleo, tess)
        assert own.run("document.title").startswith("Your turn: "), own.run("document.title")
        title = other.run("document.title")
        assert title.startswith("Your turn to move" if other is cleo else "cleo to move"), title
        if seen:
            # A move that is refused is no move.
            press_cell(own, ": X")
            wait(lambda: "already" in own.run("$('news').textContent"), 10, "the refusal")
            assert own.run("document.title").startswith("Your turn: ")
            assert is_green(own) and not is_green(other)
        settle()
        if seen:
            screenreader.check(own, say)
        else:
            press_cell(own, ": free")
        wait(lambda: is_green(other) and not is_green(own), 10, "the next turn")
        seen.add(own)
        settle()
    assert seen == set(pages)
    for page, reader in ((cleo, tess), (tess, cleo)):
        write(page, "or this code: zzz")
        reader.shows("this code: zzz")
        assert reader.run("$('copy').hidden") and page.run("$('copy').hidden")
    say("neither a message, a name nor a refused move misleads the link and the icon")

    # A phone reaches all keys by taps.
    settle()
    cleo.tap_text("? keys")
    cleo.shows("send a message")
    cleo.tap_text("send a message")
    wait(lambda: cleo.run("document.activeElement.id") == "text", 10, "the keyboard after one tap")
    cleo.insert("by taps")
    cleo.key("Enter")
    tess.shows("by taps")
    settle()
    cleo.tap_text("q leave")
    cleo.shows("Leave, and lose")
    cleo.picture("leave-phone")
    settle()
    cleo.tap(1, 1)
    settle()
    cleo.tap_text("? keys")
    cleo.shows("resign this game")
    cleo.picture("keys-phone")
    cleo.tap_text("resign this game")
    cleo.shows("y yes")
    cleo.tap_text("y yes")
    tess.shows("resigned|You win")
    cleo.shows("Another game")
    settle()
    cleo.tap_text("Leave the match")
    cleo.shows("Play with a friend")
    for page in pages:
        page.run("isOver = true; forget()")
        page.call("Page.close")
    say("a phone writes, resigns and leaves by taps on hints and on the list of keys")
