"""What the players were told, and whether the engine has all of it."""
import collections
import json

from resp import ask_all


class Told:
    def __init__(self):
        self.lines = collections.defaultdict(dict)
        self.tellers = collections.defaultdict(set)
        self.problems = []
        # Matches that a player had, and that were over when the player came back.
        self.vanished = {}

    @property
    def count(self):
        return sum(len(lines) for lines in self.lines.values())

    def hear(self, event, player):
        """Takes up an event of a match. Every copy must have the same content."""
        content = {key: value for key, value in event.items() if key not in ("you", "re")}
        known = self.lines[event["match"]].setdefault(event["seq"], content)
        if known != content:
            self.problems.append(
                "%s was told %s, but another player %s" % (player, content, known))

    def tell(self, node, keys):
        """A node has told events that were new."""
        for key in keys:
            self.tellers[key].add(node)

    async def compare(self, primary):
        """Compares everything with the streams. Returns the number of lines that are lost."""
        matches = list(self.lines)
        replies = await ask_all(
            primary, [("XRANGE", "j:" + match, "-", "+") for match in matches], within=30)
        lost = 0
        for match, entries in zip(matches, replies):
            stored = self.read(match, entries)
            lost += self.compare_match(match, stored)
            if match in self.vanished and not is_over(stored):
                self.problems.append(
                    "%s goes on, but %s" % (match, "; ".join(self.vanished[match])))
        for (match, seq), nodes in self.tellers.items():
            if len(nodes) > 1:
                self.problems.append("%s %d was told by %s" % (match, seq, sorted(nodes)))
        return lost

    def read(self, match, entries):
        """Returns the events in a stream by their numbers, and checks that it is whole."""
        events, previous = {}, None
        for identity, words in entries:
            fields = dict(zip(words[::2], words[1::2]))
            if fields.get("p") != previous:
                self.problems.append("the stream of %s has a hole at %s" % (match, identity))
            previous = identity
            for record in fields.get("d", "").split("\n"):
                if record.startswith("e "):
                    event = json.loads(record[2:])
                    if event["seq"] != len(events) + 1:
                        self.problems.append("%s has %d at its place %d" % (
                            match, event["seq"], len(events) + 1))
                    events[event["seq"]] = event
        return events

    def compare_match(self, match, stored):
        lost = 0
        for seq, line in self.lines[match].items():
            if seq not in stored:
                lost += 1
                self.problems.append("lost: %s" % line)
            elif stored[seq] != line:
                lost += 1
                self.problems.append("told was %s, but stored is %s" % (line, stored[seq]))
        numbers = self.lines[match]
        if len(numbers) != max(numbers) - min(numbers) + 1:
            missing = set(range(min(numbers), max(numbers))) - set(numbers)
            self.problems.append("nobody was told %s of %s" % (sorted(missing)[:5], match))
        return lost


def is_over(events):
    return any(event["type"] == "matchDidEnd" for event in events.values())
