"""Two tabs are two players, also where one was copied, or does not answer, as one that is frozen."""
import time

from browser import NAME, wait


def check(browser, url, port, log_in, say):
    for number, address in enumerate((url, f"http://{NAME}:{port}")):
        first = browser.open(address)
        log_in(first, f"cora{number}")
        assert first.run("isSecureContext") == first.run("'locks' in navigator") == (address == url)
        own = first.run("tabID")
        # The browser copies what a tab keeps for its session. This file has no script.
        pages = [browser.open(f"{address}/page.css")]
        wait(lambda: pages[0].run("location.pathname") == "/page.css", 10, "a page without a script")
        pages[0].run(f"sessionStorage.setItem('tab', '{own}')")
        pages[0].call("Page.navigate", url=address)
        if address == url:
            pages[0].shows("Your name")
            first.run("setTimeout(() => { const end = Date.now() + 5000;"
                      " while (Date.now() < end); }, 0)")
            pages.append(browser.open(address))
            begin = time.monotonic()
        for page in pages:
            page.shows("Your name")
            assert page.run("tabID") not in (own, None)
        if address == url:
            assert time.monotonic() - begin < 5, "the first tab can answer"
        first.call("Page.bringToFront")
        time.sleep(0.7)
        first.key("ArrowDown")
        wait(lambda: "Play anyone" in first.run("$('choice').textContent"), 10, "the first tab plays")
        assert first.run("tabID") == own and not first.run("isOver")
        for page in (first, *pages):
            page.run("isOver = true; forget()")
            page.call("Page.close")
    say("a copied tab, and one that is opened beside a tab that does not answer, are other players")
