"""Two tabs in a match of tictactoe: chat, paste, changes of the size, and a server that restarts."""
import re
import string
import time

from browser import wait

DESKTOP, PHONE = (1000, 700, False), (390, 800, True)


def chat(ann, bob, say):
    """`ann` types letter by letter on a desktop, `bob` all at once on a phone."""
    # Keys right after a change of the screen have no effect.
    time.sleep(1)
    ann.type("t")
    time.sleep(0.3)
    ann.type("good luck")
    ann.key("Enter")
    bob.shows("good luck")
    bob.type("t")
    time.sleep(0.3)
    bob.run("$('text').focus()")
    bob.insert("日本 🙂 <b>you too</b>")
    bob.key("Enter")
    ann.shows("日本 🙂 <b>you too</b>")
    ann.picture("chat-desktop")
    bob.picture("chat-phone")
    say("two tabs chat, and markup stays text")


def paste(ann, bob, marks, say):
    before = marks(ann)
    # Over the board, no line of it is a move, not even after a sequence that begins a paste of a
    # terminal and never ends.
    for text in ("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "\x1b[200~5\n5\n5", "q\ny\n" * 500, "\x03\x04\x1a"):
        ann.paste(text)
    # A page may send 400 keys at once, and then 40 a second.
    time.sleep(6)
    assert marks(ann) == marks(bob) == before, ann.text()
    ann.shows("[Yy]our turn|[Bb]ob")
    # In a message, lines become one, and what is too long is cut.
    ann.type("t")
    time.sleep(0.3)
    ann.paste("one\ntwo\r\nthree\x1b[200~four")
    ann.key("Enter")
    shown = bob.shows("one two +three.*four")[0]
    assert "\x1b" not in shown, shown
    ann.type("t")
    time.sleep(0.3)
    ann.paste("long " * 1000)
    time.sleep(0.5)
    ann.key("Enter")
    bob.shows("long long")
    # The keys that follow count as before.
    ann.type("t")
    time.sleep(0.3)
    ann.type("after the paste")
    ann.key("Enter")
    bob.shows("after the paste")
    assert marks(ann) == before, ann.text()
    say("a paste is no move, and becomes one line of a message")


def fast(ann, bob, say):
    """Keys arrive once and in order, however fast they are pressed."""
    letters = string.ascii_letters + string.digits + "".join(map(chr, range(0x410, 0x436)))
    assert len(set(letters)) == 100
    ann.type("t")
    wait(lambda: ann.run("document.activeElement.id") == "text", 10, "the field has the focus")
    begin = time.monotonic()
    ann.type_fast(letters)
    ann.shows(letters[-50:])
    seconds = time.monotonic() - begin
    ann.key("Enter")
    # The window has the message in several lines.
    bob.shows(r"\s*".join(letters))
    say(f"100 different letters, typed and shown in {seconds:.1f} s, arrive once and in order")


def wheel(page, say):
    """A wheel that turns 250 times a second, which is more than a page may send messages."""
    page.run("wheels = 0; first = socket; sendAll = send;"
             " send = (text) => { wheels += text.startsWith('kScroll'); sendAll(text); }")
    turned = page.run("new Promise((done) => { let count = 0; const timer = setInterval(() => {"
                      " screen_.dispatchEvent(new WheelEvent('wheel', { deltaY: 9 }));"
                      " if ((count += 1) === 500) { clearInterval(timer); done(wheels); } }, 4); })")
    assert 20 < turned < 120, turned
    assert page.run("socket === first && socket.readyState === 1"), "the page was disconnected"
    page.run("send = sendAll")
    say(f"of 500 turns of a wheel, a page sends {turned}, and stays connected")


def resize(ann, bob, marks, place, say):
    """Between the sizes of a desktop and of a phone, in the middle of a game."""
    before = marks(ann)
    for number in range(3):
        for size, name in ((PHONE, "phone"), (DESKTOP, "desktop")):
            ann.resize(*size)
            wait(lambda: ann.run("columns") <= 40 if size is PHONE else ann.run("columns") > 40, 10,
                 f"the size of a {name}")
            ann.shows("[Yy]our turn|[Bb]ob")
            wait(lambda: marks(ann) == before, 10, f"the board at the size of a {name}")
            assert not re.search("Make the terminal", ann.text()), ann.text()
            if number == 0:
                ann.picture(f"resized-{name}")
    ann.resize(*PHONE)
    wait(lambda: ann.run("columns") <= 40, 10, "the size of a phone")
    ann.shows("Your turn")
    place(ann)
    wait(lambda: marks(ann) == marks(bob) == before + 1, 10, "a move at the size of a phone")
    ann.resize(*DESKTOP)
    wait(lambda: ann.run("columns") > 40, 10, "the size of a desktop")
    wait(lambda: marks(ann) == before + 1, 10, "the move at the size of a desktop")
    # A person who drags the edge of the window.
    for width in range(1000, 380, -20):
        ann.resize(width, 700)
    wait(lambda: marks(ann) == before + 1, 10, "the move after a drag")
    ann.resize(*DESKTOP)
    wait(lambda: ann.run("columns") > 40, 10, "the size of a desktop")
    say("a window changes between desktop and phone in the middle of a game, and the game goes on")


def keys(ann, bob, free, say):
    """Keys that are held, and keys that mean nothing here. It is bob's turn."""
    before = free(ann)
    # A held key asks once whether to leave, and no further one answers.
    for letter in "qrm":
        ann.key(letter, repeats=29, text=letter)
        time.sleep(0.7)
        ann.type("x")
    for name in ("F6", "F7", "F8", "F9", "F10", "F11", "F12", "Alt", "AltGraph", "CapsLock",
                 "ContextMenu", "Control", "Dead", "Meta", "NumLock", "Process", "Shift",
                 "Unidentified", "AudioVolumeUp"):
        ann.key(name)
    # The browser's menus have letters with Alt.
    for letter in "qr":
        ann.key(letter, modifiers=1, text=letter)
    ann.key("F5")
    time.sleep(1)
    ann.shows("[Bb]ob to move")
    assert not re.search(r"\(y/n\)|muted", ann.text()), ann.text()
    assert free(ann) == free(bob) == before, ann.text()
    # However long Enter is held, it places one mark.
    bob.key("Enter", repeats=60)
    wait(lambda: len(free(ann)) == len(before) - 1, 10, "a mark of the held Enter")
    ann.shows("Your turn")
    ann.key("Enter", repeats=60)
    time.sleep(1)
    # Its cell is taken.
    assert len(free(bob)) == len(before) - 1, bob.text()
    say("held keys place one mark, and stray keys do nothing")


def restart(ann, bob, stop, start_page, start_server, resumed, say):
    """The program of the page and the server end together. The page returns first, and finds none."""
    stop()
    start_page()
    for page in (ann, bob):
        page.shows("Trying again …", 30)
        wait(lambda: page.run("$('news').textContent").endswith("Trying again …"), 10,
             "the page says that it tries")
    ann.picture("trying")
    bob.picture("trying-phone")
    # Longer than the pauses between two attempts.
    time.sleep(12)
    for page in (ann, bob):
        assert re.search("Trying again …", page.text()), page.text()
    start_server()
    for page, name in ((ann, "ann"), (bob, "bob")):
        resumed(name)
        page.shows("ann .*0", 30)
        wait(lambda: "Trying" not in page.run("$('news').textContent"), 10, "no trying any more")
    say("after a restart of the page's program and of the server, both tabs return by themselves")
