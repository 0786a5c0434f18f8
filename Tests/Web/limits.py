"""Pages without room, and one address with very many connections."""
import re
import socket

from browser import Socket, wait


def check(browser, programs, game, start, says, log, log_in, say):
    """`programs` is the folder of the programs, `game` the port of the server; the others are
    functions of the caller."""
    def serve_few(port):
        program = start("few", f"{programs}/tictactoe-client", "--web", f"{port}", "--send-proxy",
                        "--max-tabs", "3", f"127.0.0.1:{game}")
        return program, int(says("few", r"http://127.0.0.1:(\d+)/")[1])

    program, few = serve_few(0)
    page = browser.open(f"http://127.0.0.1:{few}")
    log_in(page, "rita")
    page.call("Page.navigate", url="about:blank")
    program.terminate()
    program.wait()
    program, few = serve_few(few)
    answers, strangers, sockets = [], [], []
    for _ in range(5):
        stranger = Socket("127.0.0.1", few, "/socket")
        stranger.send("h24 80  /")
        answers.append(stranger.receive()[0])
        strangers.append(stranger)
    assert answers == ["k", "k", "k", "n", "n"], answers
    say("a page for 3 tabs has 3 tabs and no more")
    page.call("Page.navigate", url=f"http://127.0.0.1:{few}")
    page.shows("This page is full. Trying again …")
    wait(lambda: "full" in page.run("document.title"), 10, "the title of a page without room")
    # The first stranger leaves.
    strangers[0].send("kCtrl-c")
    wait(lambda: len(re.findall("loggedIn .*session=rita", log("server"))) == 2, 20, "rita again")
    page.shows("Play with a friend")
    page.run("isOver = true; forget()")
    page.call("Page.close")
    say("a page that returns and finds no room tries again until there is some")

    start("many", f"{programs}/tictactoe-client", "--web", "0", f"127.0.0.1:{game}")
    many = int(says("many", r"http://127.0.0.1:(\d+)/")[1])
    for _ in range(500):
        sockets.append(socket.create_connection(("127.0.0.1", many)))
    other = Socket("127.0.0.1", many, "/socket", source="127.0.0.2")
    other.send("h24 80  /")
    assert other.receive().startswith("k")
    say("one address with 500 connections keeps no other address away")
    for connection in sockets:
        connection.close()
