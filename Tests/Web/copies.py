"""Two tabs are two players, also where one was copied, or is frozen and cannot answer."""
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
            first.call("Page.setWebLifecycleState", state="frozen")
            pages.append(browser.open(address))
        for page in pages:
            page.shows("Your name")
            assert page.run("tabID") not in (own, None)
        first.call("Page.setWebLifecycleState", state="active")
        first.call("Page.bringToFront")
        time.sleep(0.7)
        first.key("ArrowDown")
        wait(lambda: "Play anyone" in first.run("$('choice').textContent"), 10, "the first tab plays")
        assert first.run("tabID") == own and not first.run("isOver")
        for page in (first, *pages):
            page.run("isOver = true; forget()")
            page.call("Page.close")
    say("a copied tab, and one that is opened beside a frozen tab, are other players")
