#!/usr/bin/env python3
"""Plays one game against the server's bot, always on the first free cell."""
import json
import sys


def send(**command):
    print(json.dumps(command), flush=True)


send(type="login")
send(type="start", opponent="bot")
for line in sys.stdin:
    event = json.loads(line)
    if event["type"] == "gameDidStart":
        you, board = event["you"], [list(row) for row in event["board"]]
    elif event["type"] == "boardDidChange":
        for cell in event["cells"]:
            board[cell["row"]][cell["col"]] = cell["mark"]
    elif event["type"] == "gameDidEnd":
        send(type="quit")
    elif event["type"] == "error":
        sys.exit(1)
    if "turn" in event and event["turn"] == you:
        free = [(r, c) for r, row in enumerate(board) for c, mark in enumerate(row) if mark == "."]
        send(type="place", row=free[0][0], col=free[0][1])
