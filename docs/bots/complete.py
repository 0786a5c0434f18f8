#!/usr/bin/env python3
"""A bot that survives: complete.py HOST:PORT [--name NAME] [--opponent bot|anyone|NAME]
[--game GAME] [--games N] [--state FILE]. It plays N games, and takes them up again after lost
connections, restarts of the server and, with --state, its own. The first line of the file
TICTACTOE_PASSWORD_FILE is the password of a registered name. docs/writing-a-bot.md explains it."""
import argparse
import json
import os
import random
import socket
import sys
import time

SILENCE = 10  # seconds without a line after which the server is asked whether it is there
RETURN = 30  # seconds for which the server may not have noticed that our connection is lost


def board_hash(rows):
    value = 0x811C9DC5
    for byte in "/".join("".join(row) for row in rows).encode():
        value = (value ^ byte) * 0x01000193 % 2**32
    return f"{value:08x}"


def password():
    if "TICTACTOE_PASSWORD_FILE" not in os.environ:
        return None
    with open(os.environ["TICTACTOE_PASSWORD_FILE"], encoding="utf-8") as file:
        return file.readline().rstrip("\n")


def choose(board, cells, mark, in_a_row):
    """The move: a cell that wins, else one that blocks, else any. Write a better one here."""
    marks = {(r, c): mark for r, row in enumerate(board) for c, mark in enumerate(row)}

    def completes(cell, mark):
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            length = 1
            for sign in (1, -1):
                row, col = cell[0] + sign * down, cell[1] + sign * right
                while marks.get((row, col)) == mark:
                    length, row, col = length + 1, row + sign * down, col + sign * right
            if length >= in_a_row:
                return True
        return False

    for side in (mark, "O" if mark == "X" else "X"):
        for cell in cells:
            if completes(cell, side):
                return cell
    return random.choice(cells)


class Bot:
    def __init__(self, options):
        self.options = options
        host, _, port = options.server.rpartition(":")
        self.home = self.server = (host.strip("[]"), int(port))
        self.token = self.kept_token()
        self.seq = 0  # the last event of the match that we have
        self.game = None  # the last gameDidStart or matchSnapshot, kept up to date
        self.before = [0, 0, 0]  # won, lost and drawn in earlier matches
        self.score = [0, 0, 0]  # the same for this match
        self.lost_at = float("-inf")
        self.is_in_doubt = False  # the last `resume` has no reply, so its token may be spent
        self.exit_code = None

    def kept_token(self):
        """The token that an earlier run of this program has left in its file; None without one."""
        try:
            with open(self.options.state or os.devnull, encoding="utf-8") as file:
                return file.read() or None
        except FileNotFoundError:
            return None

    def keep_token(self):
        if self.options.state:
            with open(self.options.state + ".new", "w", encoding="utf-8") as file:
                file.write(self.token)
            os.replace(self.options.state + ".new", self.options.state)

    # The connection

    def run(self):
        pause = 0.1
        while self.exit_code is None:
            self.retry = None
            self.place = None  # until didLogin
            try:
                with socket.create_connection(self.server, timeout=SILENCE) as self.connection:
                    self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    self.talk()
            except (OSError, ValueError) as error:  # ValueError: half a line
                print(f"The connection is lost: {error}", file=sys.stderr)
                self.server = self.home
            if self.place:
                pause, self.lost_at = 0.1, time.monotonic()
            if self.exit_code is None:
                time.sleep(pause * random.uniform(0.5, 1) if self.retry is None else self.retry)
                pause = min(2 * pause, 5)
        return self.exit_code

    def talk(self):
        self.last_id, self.pending, self.not_before = 0, None, 0
        self.asked = self.is_behind = False
        self.invitations = []
        unread, is_probing = b"", False
        while self.exit_code is None and self.retry is None:
            try:
                more = self.connection.recv(65536)
            except TimeoutError:
                if is_probing:
                    raise
                is_probing = True
                self.connection.sendall(b'{"type":"ping"}\n')
                continue
            if not more:
                raise OSError("the server has closed it.")
            is_probing = False
            *lines, unread = (unread + more).split(b"\n")
            for line in lines:
                self.take(json.loads(line))
            if self.pending is None and self.exit_code is None and self.retry is None:
                self.act()

    def send(self, **command):
        """Sends a command. The line with its id as `re` is the reply."""
        self.last_id += 1
        self.pending = dict(command, id=self.last_id)
        self.connection.sendall(json.dumps(self.pending).encode() + b"\n")

    # What to do next

    def act(self):
        """Sends what the state asks for. Called whenever no command is without a reply."""
        options = self.options
        time.sleep(max(0, self.not_before - time.monotonic()))
        if self.place is None:
            if self.token:
                self.was_in_doubt, self.is_in_doubt = self.is_in_doubt, True
                # Without a game, the whole board comes.
                self.send(type="resume", token=self.token, seq=self.seq if self.game else None)
            else:
                self.send(type="login", name=options.name, password=password())
        elif sum(self.before) + sum(self.score) >= options.games:
            self.send(type="quit")
        elif self.place == "waiting" and options.opponent == "anyone" and self.invitations:
            self.send(type="cancel")
        elif self.place == "lobby":
            self.start(self.invitations.pop(0) if self.invitations else None)
        elif self.place == "playing" and self.game and not self.is_behind:
            if "turn" not in self.game:
                if not self.asked:
                    self.start()
            elif self.game["turn"] == self.game["you"]:
                self.move()

    def start(self, inviting=None):
        """Asks for a game. If an opponent has just left, this arrives in the lobby, and means the
        same there."""
        chosen = self.options.opponent if self.options.opponent != "anyone" else inviting
        self.send(type="start", opponent=chosen, game=self.options.game)

    def move(self):
        """Sends a move that holds only for the board that we know, so it is never made twice."""
        board = self.game["board"]
        free = [[r, c] for r, row in enumerate(board) for c, mark in enumerate(row) if mark == "."]
        row, col = choose(board, self.game.get("open", free), self.game["you"], self.game["inARow"])
        self.send(type="place", row=row, col=col, seq=self.seq)

    # What the server says

    def take(self, event):
        command = None
        if "re" in event and self.pending and event["re"] == self.pending["id"]:
            command, self.pending = self.pending, None
        kind = event["type"]
        if kind == "hello" and event["protocol"] != 1:
            self.end(f"This server speaks protocol {event['protocol']}.")
        elif kind == "didLogin":
            self.token, self.place = event["token"], event.get("place", "lobby")
            self.is_in_doubt = False
            self.keep_token()
            # What stands comes again now. The reply to this comes after all of it.
            self.send(type="ping")
        elif kind == "didQueue":
            self.asked = True
            if self.place == "lobby":
                self.place = "waiting"
        elif kind == "didCancel":
            self.asked = False
            if self.place == "waiting":
                self.place = "lobby"
        elif kind == "invited" and event["game"] == self.options.game:
            self.invitations.append(event["from"])
        elif kind == "invitationDidEnd":
            self.invitations = [name for name in self.invitations if name != event["from"]]
        elif kind == "announcement":
            print(event["text"], file=sys.stderr)
        elif kind == "error":
            self.take_error(event, command or {})
        elif kind == "bye":
            self.take_bye(event)
        elif "seq" in event:
            self.take_match_event(event)

    def take_match_event(self, event):
        kind = event["type"]
        if kind in ("gameDidStart", "matchSnapshot"):
            if self.game and event["match"] != self.game["match"]:
                self.close_match()
            if kind == "gameDidStart" and self.game and event["seq"] <= self.seq:
                return
            self.game = dict(event, board=[list(row) for row in event["board"]])
            self.seq, self.place = event["seq"], "playing"
            self.forget_invitations()
            self.asked = self.is_behind = False
        elif event["seq"] <= self.seq:
            return  # It comes again.
        elif event["seq"] > self.seq + 1 or not self.game:
            return self.synchronize()
        else:
            self.seq, self.is_behind = event["seq"], False
        if kind == "boardDidChange":
            for cell in event["cells"]:
                self.game["board"][cell["row"]][cell["col"]] = cell["mark"]
            for key in ("turn", "open"):
                self.game.pop(key, None)
                if key in event:
                    self.game[key] = event[key]
            if event["hash"] != board_hash(self.game["board"]):
                self.synchronize()
        elif kind == "gameDidEnd":
            self.game.pop("turn", None)
            print(event["result"], event.get("winner", ""), event["reason"], flush=True)
        elif kind == "matchDidEnd":
            self.place, self.asked = "lobby", False
            self.forget_invitations()
        if "score" in event:
            you = self.game["you"]
            other, score = "O" if you == "X" else "X", event["score"]
            self.score = [score[you], score[other], score["draws"]]

    def forget_invitations(self):
        """Those of the players of this match end with it, and no line says so."""
        players = self.game["players"].values()
        self.invitations = [name for name in self.invitations if name not in players]

    def close_match(self):
        """Adds the score of the match to that of all earlier ones."""
        self.before = [a + b for a, b in zip(self.before, self.score)]
        self.score, self.seq = [0, 0, 0], 0

    def synchronize(self):
        """Asks for what is missing, or for the whole board."""
        if not self.is_behind:
            self.is_behind = True
            self.send(type="sync")

    def take_error(self, event, command):
        code, sent = event["code"], command.get("type")
        self.not_before = time.monotonic() + event.get("retry", 0) / 1000
        is_early = time.monotonic() < self.lost_at + RETURN
        if code == "stale":
            self.is_behind = True  # The missing events follow.
        elif code == "unknownToken":
            # A spent token is good again once the server has noticed that its connection is lost.
            if self.was_in_doubt and is_early:
                self.retry = 1
            else:
                self.token, self.game, self.is_in_doubt = None, None, False
                self.close_match()
        elif code == "nameTaken" and is_early:
            self.retry = 1
        elif code in ("notInMatch", "notWaiting"):
            self.is_behind = False  # What has happened, the lines before have said.
        elif sent == "place" and code != "tooFast":
            self.synchronize()
        elif sent == "start" and code not in ("unknownGame", "badField"):
            self.not_before = max(self.not_before, time.monotonic() + 1)
        elif "retry" not in event:
            self.end(event["message"])

    def take_bye(self, event):
        if event["code"] == "quit":
            won, lost, drawn = (a + b for a, b in zip(self.before, self.score))
            print(f"{won + lost + drawn} games: {won} won, {lost} lost, {drawn} drawn", flush=True)
            self.exit_code = 0
        elif event["code"] in ("takenOver", "kicked", "banned", "badProtocol", "flood"):
            self.end(event["message"])
        else:
            self.retry = event.get("retry", 0 if "to" in event else 60_000) / 1000
            host, _, port = event.get("to", "").rpartition(":")
            self.server = (host.strip("[]"), int(port)) if port else self.home

    def end(self, sentence):
        print(sentence, file=sys.stderr)
        self.exit_code = 1


parser = argparse.ArgumentParser(description="Plays games, whatever happens to the connection.")
parser.add_argument("server", metavar="HOST:PORT")
parser.add_argument("--name")
parser.add_argument("--opponent", default="bot")
parser.add_argument("--game", default="tictactoe")
parser.add_argument("--games", type=int, default=1)
parser.add_argument("--state", help="the file that keeps the token for the next run")
sys.exit(Bot(parser.parse_args()).run())
