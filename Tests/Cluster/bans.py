"""A ban with a time, as each node of a cluster carries it out."""
import asyncio
import json
import time

from players import GREETING_TIME, TLS

# By how much what the nodes say and do may differ from what was given, in seconds.
TOLERANCE = 1.5
# Within this time the other nodes know of a ban, in seconds.
SPREAD_TIME = 3


class Ban:
    """An address is banned at one node, and tries at each of them to come in again."""

    def __init__(self, trial, address, length):
        self.trial, self.address, self.length = trial, address, length
        # When each node has refused the address first and last, and taken it in again.
        self.refused_first, self.refused_last, self.welcome = {}, {}, {}
        self.worst = 0

    async def begin(self, node):
        self.given = time.monotonic()
        reply = await node.admin("ban", self.address, "%ds" % self.length)
        if "here; the other nodes end theirs" not in reply:
            self.trial.fail("the reply does not speak of the other nodes: %s" % reply)
        self.given = (self.given + time.monotonic()) / 2
        self.tasks = [asyncio.create_task(self.knock(each)) for each in self.trial.cluster.nodes]

    @property
    def end(self):
        return self.given + self.length

    async def until_over(self):
        """Waits until all nodes have taken the address in again, and prints when that was."""
        try:
            await asyncio.wait_for(asyncio.gather(*self.tasks), self.end - time.monotonic() + 10)
        except asyncio.TimeoutError:
            pass
        for node in self.trial.cluster.nodes:
            self.check(node.name)
        print("  a ban of %d s: in force after up to %.1f s; it ended after %s s; `retry` was wrong"
              " by up to %.1f s" % (
                  self.length, max(self.refused_first.values(), default=self.end) - self.given,
                  ", ".join("%.1f" % (moment - self.given) for moment in self.welcome.values()),
                  self.worst), flush=True)

    def check(self, name):
        if self.refused_first.get(name, self.end) - self.given > SPREAD_TIME:
            self.trial.fail("the ban was not in force at %s" % name)
        if name not in self.welcome:
            self.trial.fail("the ban does not end at %s" % name)
        elif abs(self.welcome[name] - self.end) > TOLERANCE:
            self.trial.fail("the ban of %d s lasted %.1f s at %s" % (
                self.length, self.welcome[name] - self.given, name))

    async def knock(self, node):
        """Tries again and again to come in, until the ban is over."""
        while node.name not in self.welcome:
            now = time.monotonic()
            bye = await self.visit(node)
            if bye and bye.get("code") == "banned":
                self.refused_first.setdefault(node.name, now)
                self.refused_last[node.name] = now
                error = abs(now + bye["retry"] / 1000 - self.end)
                self.worst = max(self.worst, error)
                if error > TOLERANCE:
                    self.trial.fail("%s says that the ban ends in %d ms, %.1f s after its begin" % (
                        node.name, bye["retry"], now - self.given))
            elif bye and node.name in self.refused_first:
                self.welcome[node.name] = now
            await asyncio.sleep(0.1)

    async def visit(self, node):
        """Returns the second line of a node; None if there is none."""
        try:
            reader, writer = await asyncio.wait_for(
                asyncio.open_connection(
                    *node.address, ssl=TLS, local_addr=(self.address, 0)), GREETING_TIME)
        except (OSError, asyncio.TimeoutError):
            return None
        try:
            writer.write(b"ping\n")
            lines = [await asyncio.wait_for(reader.readline(), GREETING_TIME) for _ in range(2)]
            return json.loads(lines[1]) if lines[1] else None
        except (OSError, asyncio.TimeoutError):
            return None
        finally:
            writer.close()
