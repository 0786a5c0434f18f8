#!/usr/bin/env python3
"""Plays one game against the server's bot, always on the first free cell. With a NAME it logs in
under that name, and takes a game up that was left behind: then `didLogin` has a `place`. After that,
and after some lost connections, the whole board comes again as a `matchSnapshot`."""
import json
import sys
import time


def send(**command):
    global last
    last = command
    print(json.dumps(command), flush=True)


send(type="login", name=sys.argv[1] if len(sys.argv) > 1 else None)
for line in sys.stdin:
    event = json.loads(line)
    if event["type"] == "didLogin" and event.get("place") != "playing":
        send(type="start", opponent="bot")
    elif event["type"] in ("gameDidStart", "matchSnapshot"):
        you, board = event["you"], [list(row) for row in event["board"]]
    elif event["type"] == "boardDidChange":
        for cell in event["cells"]:
            board[cell["row"]][cell["col"]] = cell["mark"]
    elif event["type"] == "error":
        if "retry" not in event:
            sys.exit(1)
        time.sleep(event["retry"] / 1000)
        send(**last)
    if event["type"] == "gameDidEnd" or event.get("over"):
        send(type="quit")
    elif "turn" in event and event["turn"] == you:
        free = [(r, c) for r, row in enumerate(board) for c, mark in enumerate(row) if mark == "."]
        send(type="place", row=free[0][0], col=free[0][1])
