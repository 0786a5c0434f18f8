#!/usr/bin/env python3
"""The smallest correct client: smallest.py HOST PORT. Plays one game against the bot, at random."""
import json, random, socket, sys, time
home = server = (sys.argv[1], sys.argv[2])
token, game = None, {"seq": 0}
while True:
    pause, address, server = 1000, server, home
    try:
        with socket.create_connection(address, timeout=60) as connection:
            def send(**command): connection.sendall(json.dumps(command).encode() + b"\n")
            send(type="resume", token=token, seq=game["seq"]) if token else send(type="login")
            for line in connection.makefile(encoding="utf-8", newline="\n"):
                event = json.loads(line)
                if event["type"] == "didLogin":
                    token = event["token"]  # Each is good once.
                    if event.get("place") != "playing": send(type="start", opponent="bot")
                elif event["type"] == "bye" or event.get("code", "stale") != "stale":
                    if event["code"] == "unknownToken": token, game = None, {"seq": 0}  # Log in.
                    elif event["code"] != "shuttingDown" and not {"retry", "to"} & event.keys():
                        sys.exit(event["message"])  # It is no use to try again.
                    pause = event.get("retry", pause)
                    host, _, port = event.get("to", "").rpartition(":")  # After `moved`.
                    server = (host.strip("[]"), port) if port else home
                    break
                elif event["type"] in ("gameDidStart", "matchSnapshot"):  # The whole board.
                    game = event | {"free": [[r, c] for r, row in enumerate(event["board"])
                                             for c, mark in enumerate(row) if mark == "."]}
                elif event.get("seq", 0) <= game["seq"]:
                    continue  # It has no number, or comes again after `stale`.
                game["seq"] = event.get("seq", game["seq"])
                for cell in event.get("cells", []):
                    game["free"].remove([cell["row"], cell["col"]])
                    game.update(turn=event.get("turn"), open=event.get("open"))
                if "result" in event:  # The end of the game, also in a snapshot.
                    sys.exit(send(type="quit") or print(event["result"], event.get("winner", "")))
                if game.get("turn") and game["turn"] == game["you"]:
                    row, col = random.choice(game.get("open") or game["free"])
                    send(type="place", row=row, col=col, seq=game["seq"])  # Never done twice.
    except (OSError, ValueError): pass  # No connection, or half a line.
    time.sleep(pause / 1000)
