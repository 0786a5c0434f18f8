"""Players and spectators, who follow the protocol as a program should."""
import asyncio
import collections
import json
import random
import ssl
import time

# How long a connection may take, up to the greeting; and how long a logged-in player waits for any
# line, with a ping each second. A node that has lost the engine says goodbye after 5 s.
GREETING_TIME = 3
SILENCE_TIME = 6.5
PACE = (0.1, 0.4)
# How often a player leaves after a game, and says something when it begins.
LEAVING, TALKING = 0.02, 0.1
# How often a player may be sent to another node within 10 s.
MAX_MOVES = 9
# Codes of errors that pass by themselves.
PASSING = ("unavailable", "tooFast", "full", "shuttingDown", "unknownPlayer", "unknownCode",
           "inMatch", "nameTaken", "unknownMatch", "notInMatch", "noGame", "notYourTurn",
           "cellTaken", "stale", "spectator")


# Nobody has signed the certificate of the trial.
TLS = ssl.create_default_context()
TLS.check_hostname, TLS.verify_mode = False, ssl.CERT_NONE


class Player:
    def __init__(self, name, trial, wish):
        self.name, self.trial, self.wish = name, trial, wish
        self.writer = self.node = self.port = self.token = None
        self.forget_match()
        self.place, self.is_logged_in = None, False
        self.lost_at = None
        self.heard = self.news = self.asked = 0
        self.absences, self.longest_pause = [], 0
        self.before_next_visit = None
        self.entrance = trial.entrance
        self.moves, self.most_moves, self.move_count = [], 0, 0
        # How often the player was sent to a node that was away, by the processes.
        self.dead_ends = collections.Counter()

    def forget_match(self):
        self.match = self.mark = self.turn = None
        self.seq, self.is_over, self.free = 0, True, set()

    # Connections

    async def live(self):
        address, failures = self.entrance, 0
        while not self.trial.is_over:
            following, wait = await self.visit(address)
            failures = 0 if self.is_logged_in or following else failures + 1
            if failures:
                wait = max(wait, random.uniform(0.05, 0.1) * 2 ** min(failures, 4))
            if self.before_next_visit:
                await self.before_next_visit(following)
            address = following or self.entrance
            await asyncio.sleep(wait)

    async def visit(self, address):
        """Plays over one connection. Returns where to go next, and how long to wait."""
        self.begin_visit(address)
        try:
            reader, self.writer = await asyncio.wait_for(
                asyncio.open_connection(*address, limit=1 << 20, ssl=TLS), GREETING_TIME)
        except (OSError, asyncio.TimeoutError):
            return None, random.uniform(0.1, 0.3)
        self.heard = time.monotonic()
        self.port = self.writer.get_extra_info("sockname")[1]
        self.enter()
        following, wait = None, random.uniform(0.05, 0.2)
        try:
            while line := await reader.readline():
                event = json.loads(line)
                if event["type"] == "bye":
                    following, wait = self.follow(event)
                self.hear(event)
        except OSError:
            pass
        self.end_visit()
        return following, wait

    def begin_visit(self, address):
        self.is_greeted = self.is_logged_in = self.is_silent = False
        node = self.trial.cluster.node_at(address)
        self.node = node and node.name
        self.pings = self.pongs = self.settling = 0
        self.live_keys = []

    def end_visit(self):
        self.trial.told.tell(self.node, self.live_keys if self.node else [])
        if self.is_logged_in and self.lost_at is None:
            self.lost_at = self.heard
        if self.is_silent and self.is_logged_in:
            self.trial.silences.append(self.name)
        self.writer.close()
        self.writer = None

    def follow(self, bye):
        self.trial.goodbyes[bye["code"]] += 1
        if bye["code"] == "moved":
            self.note_move()
        if bye.get("to"):
            host, port = bye["to"].rsplit(":", 1)
            self.note_dead_end((host, int(port)))
            return (host, int(port)), 0
        return None, bye.get("retry", 100) / 1000

    def note_dead_end(self, address):
        """Nobody is sent to a node twice that is away."""
        node = self.trial.cluster.node_at(address)
        if not node or not node.is_away:
            return
        key = node.name, node.process.pid
        self.dead_ends[key] += 1
        if self.dead_ends[key] == 2:
            self.trial.fail("%s was sent to %s again, which is away" % (self.name, node.name))

    def note_move(self):
        """Nobody is sent around without end."""
        self.move_count += 1
        now = time.monotonic()
        self.moves = [move for move in self.moves if now - move < 10] + [now]
        self.most_moves = max(self.most_moves, len(self.moves))
        if len(self.moves) > MAX_MOVES:
            self.trial.fail("%s was sent to other nodes %d times in 10 s" % (
                self.name, len(self.moves)))

    def check_silence(self, now):
        """Called four times a second."""
        if not self.writer:
            return
        limit = SILENCE_TIME if self.is_greeted else GREETING_TIME
        if now - self.heard > limit:
            self.is_silent = True
            self.writer.transport.abort()
        elif now - self.heard > 1 and self.pings == self.pongs:
            self.ping()

    def say(self, line):
        if line and self.writer and not self.writer.is_closing():
            self.writer.write(line.encode() + b"\n")

    def say_soon(self, line, delay):
        """Says something after a while, unless the connection has ended by then."""
        writer = self.writer

        def speak():
            if self.writer is writer and not writer.is_closing():
                self.say(line())
        asyncio.get_running_loop().call_later(delay, speak)

    def ping(self):
        self.pings += 1
        self.say("ping")

    def enter(self):
        """Logs in or resumes. The pong that follows comes after all that is repeated."""
        if self.token:
            self.say("resume %s %d" % (self.token, self.seq) if self.match else
                     "resume %s" % self.token)
        else:
            self.say("login %s" % self.name)
        self.ping()
        self.settling = self.pings

    @property
    def is_settled(self):
        return self.is_logged_in and self.pongs >= self.settling

    @property
    def returns(self):
        """How long the player was away each time, once it was possible to come back."""
        return [max(0, back - max(lost, self.trial.recoverable_since))
                for lost, back in self.absences]

    # Lines

    def hear(self, event):
        self.heard = time.monotonic()
        self.is_greeted = True
        kind = event["type"]
        if kind == "matchSnapshot":
            self.take_snapshot(event)
        elif "seq" in event:
            self.take_event(event)
        elif kind == "pong":
            self.pongs += 1
            if self.pongs == self.settling and self.is_logged_in:
                self.act()
        elif kind == "didLogin":
            self.did_log_in(event)
        elif kind == "error":
            self.take_error(event)
        elif kind == "didQueue":
            self.did_queue(event)
        elif kind == "didCancel" and not self.match:
            self.place = "lobby"
        elif kind == "invited":
            self.wish.was_invited(self, event)

    def did_log_in(self, event):
        self.token, self.is_logged_in = event["token"], True
        place = event.get("place", "lobby")
        if self.lost_at is not None:
            self.absences.append((self.lost_at, time.monotonic()))
            self.lost_at = None
        if self.match and place != "playing":
            self.lose_match("%s was told to be in the place %s" % (self.name, place))
        self.place = place

    def lose_match(self, sentence):
        """The match may have ended meanwhile. The records tell."""
        self.trial.told.vanished.setdefault(self.match, []).append(sentence)
        self.forget_match()

    def take_error(self, event):
        code = event["code"]
        self.trial.errors[code] += 1
        if code == "unknownToken":
            self.lose_session()
        elif not self.is_logged_in:
            self.say_again(event)
        elif code == "alreadyWaiting":
            self.place = self.place if self.match else "waiting"
        elif code in PASSING:
            if self.match:
                self.act(after=event.get("retry", 300) / 1000)
        else:
            self.trial.fail("%s got %s" % (self.name, event))

    def say_again(self, event):
        """The login or the resume was refused for the moment."""
        if event["code"] not in PASSING:
            self.trial.fail("%s cannot enter: %s" % (self.name, event))
        writer = self.writer

        def retry():
            if self.writer is writer and not writer.is_closing():
                self.enter()
        asyncio.get_running_loop().call_later(event.get("retry", 500) / 1000, retry)

    def lose_session(self):
        if self.match and self.mark:
            self.lose_match("%s got unknownToken" % self.name)
        self.forget_match()
        self.token, self.place = None, None
        self.enter()

    def did_queue(self, event):
        if not self.match:
            self.place = "waiting"
            self.wish.did_queue(self, event)

    # Matches

    def take_snapshot(self, event):
        if self.match == event["match"] and event["seq"] < self.seq:
            self.trial.fail("%s had %d, and gets %s" % (self.name, self.seq, event))
        self.match, self.seq = event["match"], event["seq"]
        self.take_board(event)
        self.is_over = event["over"]

    def take_event(self, event):
        self.trial.told.hear(event, self.name)
        if event["match"] != self.match:
            if event["seq"] != 1:
                return self.trial.fail("%s is in %s, and gets %s" % (self.name, self.match, event))
            self.forget_match()
            self.match = event["match"]
        if event["seq"] <= self.seq:
            return
        if event["seq"] != self.seq + 1:
            self.trial.fail("%s had %d, and gets %s" % (self.name, self.seq, event))
        self.seq = event["seq"]
        if self.is_settled:
            self.live_keys.append((self.match, self.seq))
        self.count_pause()
        self.apply(event)

    def count_pause(self):
        now, since = time.monotonic(), self.trial.trouble_since
        if since and self.news:
            self.longest_pause = max(self.longest_pause, now - max(self.news, since))
        self.news = now

    def apply(self, event):
        kind = event["type"]
        if kind == "gameDidStart":
            self.take_board(event)
            self.is_over = False
            if random.random() < TALKING:
                self.say("say hello from %s" % self.name)
        elif kind == "boardDidChange":
            self.turn = event.get("turn")
            self.free -= {(cell["row"], cell["col"]) for cell in event["cells"]}
        elif kind == "gameDidEnd":
            self.is_over = True
            if event["reason"] in ("timeout", "abandoned"):
                self.trial.fail("A game of %s has ended: %s" % (self.name, event))
        elif kind == "matchDidEnd":
            if event["reason"] != "left":
                self.trial.fail("A match of %s has ended: %s" % (self.name, event))
            self.forget_match()
            self.place = "lobby"
            return
        if kind in ("gameDidStart", "boardDidChange", "gameDidEnd"):
            self.act(may_leave=kind == "gameDidEnd")

    def take_board(self, event):
        self.place = "playing"
        self.mark, self.turn = event.get("you"), event.get("turn")
        self.free = {(row, column) for row, cells in enumerate(event["board"])
                     for column, cell in enumerate(cells) if cell == "."}

    def act(self, after=0, may_leave=False):
        """Moves, or asks for the next game. What happens before the player's own turn counts."""
        if not self.match or not self.is_settled:
            return
        delay = after + random.uniform(*PACE)
        if self.is_over:
            leaves = may_leave and self.wish.leaves and random.random() < LEAVING
            word = "leave" if leaves else "start"
            self.say_soon(lambda: word if self.is_over and self.match else "", delay)
        elif self.turn == self.mark:
            self.say_soon(self.move, delay)

    def move(self):
        if not self.free or self.turn != self.mark or not self.match:
            return ""
        return "place %d %d %d" % (*random.choice(sorted(self.free)), self.seq)

    # The lobby

    def seek(self, now):
        """Called four times a second: asks for a game, if there is none."""
        if self.place == "lobby" and self.is_settled and now - self.asked > 1:
            self.asked = now
            self.wish.ask(self)


class Spectator(Player):
    """Follows one match after the other, and talks."""

    def apply(self, event):
        if event["type"] == "matchDidEnd":
            self.forget_match()
            self.place = "lobby"
        elif random.random() < TALKING / 10:
            self.say("say well done")

    def did_log_in(self, event):
        if self.match and event.get("place") != "watching":
            self.forget_match()
        super().did_log_in(event)

    def lose_match(self, sentence):
        pass

    def act(self, after=0, may_leave=False):
        pass


class Anyone:
    """Plays with anyone."""

    leaves = True

    def __init__(self, game=None):
        self.line = 'start "" %s' % game if game else "start"

    def ask(self, player):
        player.say(self.line)

    def did_queue(self, player, event):
        pass

    def was_invited(self, player, event):
        pass


class Inviting(Anyone):
    """Invites a friend by name. Friends stay together."""

    leaves = False

    def __init__(self, friend):
        self.line = "start " + friend


class Accepting(Inviting):
    """Waits for an invitation, and accepts it."""

    def ask(self, player):
        pass

    def was_invited(self, player, event):
        if not player.match:
            player.say("start " + event["from"])


class Naming(Inviting):
    """Names a friend as soon as it may, and accepts nothing."""

    def __init__(self, friend):
        super().__init__(friend)
        self.is_ready = False

    def ask(self, player):
        if self.is_ready:
            player.say(self.line)


class Opening(Inviting):
    """Opens a code, and gives it to a friend."""

    def __init__(self):
        self.line = "open"
        self.code = None

    def did_queue(self, player, event):
        self.code = event.get("code")


class Joining(Inviting):
    """Plays with a friend who has opened a code."""

    def __init__(self, opening):
        self.opening = opening

    def ask(self, player):
        if self.opening.code:
            player.say("join " + self.opening.code)


class Friend(Player):
    """Plays with one friend only."""

    def __init__(self, name, trial, wish):
        super().__init__(name, trial, wish)
        self.game_count = 0

    def apply(self, event):
        super().apply(event)
        if event["type"] == "gameDidEnd":
            self.game_count += 1


class Thinking(Player):
    """Does not move as long as it thinks, and watches the time for the move."""

    def __init__(self, name, trial, wish):
        super().__init__(name, trial, wish)
        self.is_thinking, self.times_left, self.pair = True, [], []

    def act(self, after=0, may_leave=False):
        if not self.is_thinking:
            super().act(after, may_leave)

    def count_pause(self):
        """Of its own accord nothing happens in its match."""
        self.news = time.monotonic()

    def take_snapshot(self, event):
        super().take_snapshot(event)
        self.times_left.append((time.monotonic(), event.get("left")))


class Watching(Anyone):
    """Watches any match."""

    def __init__(self, trial):
        self.trial = trial

    def ask(self, player):
        matches = [other.match for other in self.trial.players if other.match]
        if matches:
            player.say("watch " + random.choice(matches))
