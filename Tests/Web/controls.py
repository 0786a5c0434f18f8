"""The page around the screen: its buttons and its field, sound, title, keyboards and zoom."""
import re
import time

from browser import NAME, wait

PHONE = (390, 800, True)


def focus(page):
    return page.run("document.activeElement.id")


def buttons(page, say):
    """`page` shows a link for a friend, and has copied nothing."""
    page.browser.call("Browser.grantPermissions",
                      permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    page.call("Page.bringToFront")
    page.press("copy")
    assert page.run("$('copy').textContent") == "Copied"
    copied = page.run("navigator.clipboard.readText()")
    link = page.shows(r"http://\S+/join/\w+")[0]
    assert copied == link, (copied, link)
    assert focus(page) == "screen", focus(page)
    wait(lambda: page.run("$('copy').textContent") == "Copy the link", 10, "the button's own name")
    for text, state in (("Sound off", "false"), ("Sound on", "true")):
        page.press("sound")
        assert page.run("$('sound').textContent") == text
        assert page.run("$('sound').getAttribute('aria-pressed')") == state
        assert focus(page) == "screen", focus(page)
    # Keys work without a click on the screen.
    page.type("?")
    page.shows("end the program")
    page.key("Escape")
    page.shows(r"/join/\w+")
    say("after a click on a button, its name returns, and the keys work")


def tab(page, say):
    """`page` shows a link for a friend."""
    page.run("screen_.focus()")
    found = []
    for _ in range(3):
        page.key("Tab", code="Tab", windowsVirtualKeyCode=9)
        found.append(focus(page))
    assert found == ["text", "copy", "sound"], found
    page.run("screen_.focus()")
    say("Tab leads from the screen to the buttons of the page")


def spoken(page, say):
    """`page` shows the form of a new visitor."""
    page.shows("Your name")
    wait(lambda: "Your name" in page.run("$('news').textContent"), 10, "the spoken field")
    assert focus(page) == "text", focus(page)
    say("a screen reader hears of the field that gets the keys")


def choice(page, say):
    """`page` is in the lobby."""
    page.shows("Play with a friend")
    # Keys right after a change of the screen have no effect.
    time.sleep(0.7)
    for text in ("Play anyone", "Play the bot"):
        page.key("ArrowDown")
        wait(lambda: text in page.run("$('choice').textContent"), 10, f"the choice: {text}")
    # Text that is selected is copied, and not the key of the program.
    row, _ = page.find("Play with a friend")
    page.run(f"getSelection().selectAllChildren(screen_.children[{row}])")
    for kind in ("rawKeyDown", "keyUp"):
        page.call("Input.dispatchKeyEvent", type=kind, key="c", code="KeyC", modifiers=2,
                  windowsVirtualKeyCode=67, commands=["copy"] if kind == "rawKeyDown" else [])
    page.browser.call("Browser.grantPermissions",
                      permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    page.call("Page.bringToFront")
    copied = page.run("navigator.clipboard.readText()")
    assert re.search("^ *Play with a friend", copied) and "\n" not in copied.strip(), copied
    page.run("getSelection().removeAllRanges()")
    page.shows("Play with a friend")
    say("a screen reader hears the choice, and text that is selected is copied")


def look(page, say):
    """Dark and light follow the system."""
    colors = {}
    for scheme in ("dark", "light"):
        page.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": scheme}])
        colors[scheme] = page.run("getComputedStyle(document.body).backgroundColor")
        page.picture(f"lobby-{scheme}")
    page.call("Emulation.setEmulatedMedia", features=[])
    assert colors == {"dark": "rgb(22, 22, 22)", "light": "rgb(255, 255, 255)"}, colors
    say("the page is dark and light as the system is")


def elsewhere(page, port, say):
    """The page by a name that is not this host's own: without TLS, it warns. There is no clipboard."""
    assert page.run("$('warning').hidden")
    page = page.browser.open(f"http://{NAME}:{port}")
    page.shows("Your name")
    assert not page.run("$('warning').hidden")
    assert page.run("$('warning').getBoundingClientRect().height") > 10
    page.picture("warning")
    page.press("sound")
    assert page.run("$('sound').textContent") == "Sound off"
    page.call("Page.reload")
    wait(lambda: page.run("typeof sound !== 'undefined' && $('sound').textContent") == "Sound off",
         10, "the silence after a reload")
    page.press("sound")
    page.run("isOver = true; forget()")
    page.call("Page.close")
    say("a page without TLS warns beyond this host, and remembers that the sound is off")


def sound(page, say):
    """`page` has got a key, and no click on the board."""
    assert page.run("audio && audio.state") == "running", page.run("audio && audio.state")
    say("the first key allows the sound")


def listen(page):
    """Counts the bells of the program, and the tones that are played."""
    page.run("bells = 0; tones = 0; ringNow = ring; ring = () => { bells += 1; ringNow(); };"
             " createTone = AudioContext.prototype.createOscillator;"
             " AudioContext.prototype.createOscillator = function() { tones += 1;"
             " return createTone.call(this); };")


def bell(page, is_on, say):
    """`page` was listened to, and was invited since then."""
    wait(lambda: page.run("bells") > 0, 10, "the bell of an invitation")
    bells, tones = page.run("[bells, tones]")
    assert tones == (bells if is_on else 0), (bells, tones)
    say("the program rings, and the page plays a tone" if is_on
        else "with the sound off, the program rings, and the page plays no tone")


def title(pages, say):
    """One of two pages is to move."""
    def titles():
        return [page.run("document.title") for page in pages]
    wait(lambda: sum(title.startswith("Your turn") for title in titles()) == 1, 10, "one title")
    icons = [page.run("$('icon').href.includes('green')") for page in pages]
    assert icons == [title.startswith("Your turn") for title in titles()], (icons, titles())
    say(f"one tab says that it is its turn, and has a green icon: {titles()}")


def keyboard(page, say):
    """`page` is a phone's that shows the form."""
    page.shows("Your name")
    row, column = page.find("Your name")
    page.tap(row, column)
    wait(lambda: focus(page) == "text", 10, "the field that shows the keyboard")
    # It takes half of the window.
    page.resize(390, 400, True)
    wait(lambda: page.run("columns * rows > 0 && $('bar').getBoundingClientRect().bottom") <= 400,
         10, "the bar above the keyboard")
    page.shows("Your name")
    # Letters appear while a word is composed; Backspace removes those of the word and others.
    for text in ("p", "ph", "pho", "phox"):
        page.compose(text)
    page.shows(r"phox")
    page.compose("pho")
    page.call("Input.insertText", text="phone")
    page.shows("phone")
    page.run("document.execCommand('delete')")
    wait(lambda: "phone" not in page.text() and "phon" in page.text(), 10, "one letter less")
    page.insert("e7")
    page.shows("phone7")
    page.picture("keyboard-phone")
    page.compose("x")
    page.shows("phone7x")
    page.compose("")
    page.key("Enter")
    page.shows("Play with a friend")
    wait(lambda: focus(page) == "screen", 10, "no keyboard in the lobby")
    row, column = page.find("Play with a friend")
    page.tap(1, column)
    assert focus(page) == "screen", focus(page)
    page.resize(*PHONE)
    wait(lambda: page.run("$('bar').getBoundingClientRect().bottom") > 700, 10, "all of the window")
    say("a tap on a form shows a phone's keyboard, which composes a name, and leaves in the lobby")


def zoom(page, say):
    """Letters that are twice as large, and then so large that 40 columns have no room."""
    page.resize(1000, 700)
    wait(lambda: page.run("columns") > 80, 10, "the size of a desktop")
    before = page.run("columns")
    page.run("document.documentElement.style.fontSize = '32px'; resize()")
    wait(lambda: page.run("columns") < before, 10, "fewer columns")
    assert page.run("measure().height") >= 35, page.run("measure().height")
    assert page.run("columns") >= 40
    page.run("document.documentElement.style.fontSize = '64px'; resize()")
    assert page.run("[columns, rows]") == [40, 12], page.run("[columns, rows]")
    assert page.run("measure().height") >= 0.7 * 64 * 1.125 - 1
    page.run("screen_.scrollTo(10000, 10000)")
    assert page.run("screen_.scrollLeft") > 0 and page.run("screen_.scrollTop") > 0
    page.picture("zoomed")
    page.run("document.documentElement.style.fontSize = ''; resize()")
    wait(lambda: page.run("columns") == before, 10, "as many columns as before")
    assert page.run("screen_.scrollWidth <= screen_.clientWidth"
                    " && screen_.scrollHeight <= screen_.clientHeight")
    say("an enlarged page has larger letters, and scrolls where they need more room")
