"""The failures of a cluster, each a function that carries it out while people play.

A failure ends when all processes run again. `trial.recovers()` says from when on everybody has to
be back in time; without a call that is when the failure begins.
"""
import asyncio
import os
import random
import re
import signal
import time

from bans import Ban
from players import Accepting, Anyone, Friend, Inviting, Naming, Player, Thinking
from processes import DOWN_AFTER, PRIMARY, SHIPPED, TrialError, own_host, until
from resp import ask

FAILURES = {}
# The exit code of a node whose name another process has.
NAME_IN_USE = 76
# How long play may stop when the operator moves the primary, with the script and without it, in
# seconds; see docs/cluster.md.
PLANNED_PAUSE, SENTINELS_PAUSE = 2, 3
# Within this time after its start a node must know that another one has its address.
ADDRESS_TIME = 5


def failure(is_short=False, needs_detours=False, may_freeze=False, is_too_much=False,
            needs_clocks=False):
    """`may_freeze`: a node that does not run says nothing, so clients notice it by themselves.
    `is_too_much`: lines are lost, as docs/reliability.md says. It is carried out only by name."""
    def register(function):
        function.is_short, function.needs_detours = is_short, needs_detours
        function.may_freeze, function.is_too_much = may_freeze, is_too_much
        function.needs_clocks = needs_clocks
        FAILURES[function.__name__.replace("_", "-")] = function
        return function
    return register


@failure(is_short=True)
async def node_killed(trial):
    node = random.choice(trial.cluster.nodes)
    node.kill()
    await trial.sleep(8, short=6)
    node.start()
    await node.until_ready()


@failure(may_freeze=True)
async def node_frozen(trial):
    node = random.choice(trial.cluster.nodes)
    node.freeze()
    await trial.sleep(15, short=9)
    node.wake()
    await node.until_ready()


@failure(is_short=True, needs_detours=True)
async def node_cut_off(trial):
    """The node reaches the clients, but neither Redis nor a Sentinel."""
    number = random.randrange(len(trial.cluster.nodes))
    trial.cluster.detours[number].say("cut")
    await trial.sleep(15, short=9)
    trial.cluster.detours[number].say("mend")
    await trial.cluster.nodes[number].until_ready()


@failure(is_short=True)
async def primary_killed(trial):
    primary = await trial.cluster.primary()
    primary.kill()
    # No sooner, or the Sentinels would not notice that its memory was lost.
    await asyncio.sleep(2 * DOWN_AFTER + 1)
    primary.start()
    await trial.until_replicated()
    # The report of the morning reads warnings.
    if not any(" warning engineLost" in node.log_text for node in trial.cluster.nodes):
        trial.fail("no node says that it has lost the primary")
    if not any(" warning engineAvailable engine=" in node.log_text for node in trial.cluster.nodes):
        trial.fail("no node says which one it has found")


@failure()
async def node_and_primary_killed(trial):
    """The other nodes learn only from the next primary that the node is dead."""
    node, primary = random.choice(trial.cluster.nodes), await trial.cluster.primary()
    node.kill()
    primary.kill()
    await trial.cluster.until_promoted(primary)
    trial.recovers()
    await asyncio.sleep(2 * DOWN_AFTER)
    primary.start()
    await asyncio.sleep(5)
    node.start()
    await node.until_ready()
    await trial.until_replicated()


@failure()
async def primary_frozen(trial):
    """It wakes when another one is the primary, and everybody follows that."""
    primary = await trial.cluster.primary()
    primary.freeze()
    await trial.cluster.until_promoted(primary)
    await asyncio.sleep(3)
    primary.wake()
    await trial.until_replicated()


@failure()
async def primary_woken_at_promotion(trial):
    """For a moment there are two, and one replica still follows the old one."""
    primary = await trial.cluster.primary()
    primary.freeze()
    await trial.cluster.until_promoted(primary)
    await asyncio.sleep(random.choice([0, 0, random.uniform(0, 0.3)]))
    primary.wake()
    await trial.until_replicated()


@failure(is_too_much=True)
async def primary_woken_and_node_killed(trial):
    """For about a second the old primary confirms what the new one never gets. Its node would add
    that there, but dies."""
    primary = await trial.cluster.primary()
    node = random.choice(trial.cluster.nodes)
    primary.freeze()
    await trial.cluster.until_promoted(primary)
    primary.wake()
    await asyncio.sleep(random.uniform(0, 1))
    node.kill()
    trial.recovers()
    await asyncio.sleep(8)
    node.start()
    await node.until_ready()
    await trial.until_replicated()


@failure()
async def replica_frozen(trial):
    primary = await trial.cluster.primary()
    replica = random.choice([redis for redis in trial.cluster.engine if redis is not primary])
    replica.freeze()
    await trial.sleep(10, short=5)
    replica.wake()
    await trial.until_replicated()


@failure(is_short=True)
async def owner_killed_before_arrival(trial):
    """A player is sent to the node of another one, which dies before the player arrives."""
    pair = [Player("early", trial, Anyone("four")), Player("late", trial, Anyone("four"))]
    nodes = random.sample(trial.cluster.nodes, 2)
    owner, killed = nodes[0], asyncio.Event()

    async def kill_owner(address):
        if address == owner.address and not killed.is_set():
            owner.kill()
            killed.set()

    pair[1].before_next_visit = kill_owner
    for player, node in zip(pair, nodes):
        player.entrance = node.address
        trial.begin(player)
        await asyncio.sleep(1)
        player.entrance = trial.cluster.balancer.address
    try:
        await asyncio.wait_for(killed.wait(), 10)
    except asyncio.TimeoutError:
        raise TrialError("the second player was not sent to the first")
    trial.recovers()
    await trial.sleep(8, short=6)
    owner.start()
    await owner.until_ready()


@failure(is_short=True, needs_detours=True)
async def mutual(trial):
    """Two people at two nodes name each other in the same moment. One goes to the other, once."""
    for wave in range(2 if trial.is_short else 6):
        delay = 0.05 * (wave % 2)
        for detour in trial.cluster.detours:
            detour.say("delay %s %s" % (delay, delay))
        pairs = await friends_apart(trial, "w%d" % wave, 4 if trial.is_short else 10)
        begin = time.monotonic()
        await asyncio.gather(*[name_each_other(*pair, lag=number % 2 * random.uniform(0, 0.1))
                               for number, pair in enumerate(pairs)])

        async def are_together():
            return all(one.match and one.match == other.match for one, other in pairs)
        await until(are_together, 10, "not everybody who was named has come")
        moves = [one.move_count + other.move_count for one, other in pairs]
        print("  %d pairs, %.0f ms to the engine: %s moves of a pair; together after %.1f s" % (
            len(pairs), 1000 * delay, "/".join(map(str, sorted(set(moves)))),
            time.monotonic() - begin), flush=True)
        for (one, other), count in zip(pairs, moves):
            if count > 1:
                trial.fail("%s and %s were sent to other nodes %d times" % (
                    one.name, other.name, count))

        async def have_played():
            return all(player.game_count for pair in pairs for player in pair)
        await until(have_played, 30, "not everybody who was named plays to the end")


@failure(is_short=True)
async def named_node_killed(trial):
    """People name friends at a node that dies in this moment, again and again."""
    pairs = await friends_apart(trial, "n", 5 if trial.is_short else 20)
    node = trial.cluster.nodes[0]
    node.kill()
    for one, other in pairs:
        one.wish.is_ready = other.wish.is_ready = True
    await trial.sleep(8, short=6)
    node.start()
    await node.until_ready()


async def friends_apart(trial, prefix, count):
    """Lets pairs of friends log in, the two of a pair at two nodes, in all orders."""
    pairs = []
    for number in range(count):
        names = ["%s-%d-%s" % (prefix, number, end) for end in "xo"]
        pair = [Friend(name, trial, Naming(other)) for name, other in zip(names, names[::-1])]
        for player, node in zip(pair, random.sample(trial.cluster.nodes, 2)):
            player.entrance = node.address
            trial.begin(player)
        pairs.append(pair)

    async def are_there():
        return all(player.is_settled and player.place == "lobby" for pair in pairs for player in pair)
    await until(are_there, 10, "not all of the friends are there")
    for pair in pairs:
        for player in pair:
            player.entrance = trial.entrance
    return pairs


async def name_each_other(one, other, lag):
    """Lets two friends name each other, the second one after some seconds."""
    for player, wait in (one, 0), (other, lag):
        await asyncio.sleep(wait)
        player.asked, player.wish.is_ready = time.monotonic(), True
        player.wish.ask(player)


@failure()
async def engine_frozen(trial):
    for redis in trial.cluster.engine:
        redis.freeze()
    await trial.sleep(60, short=12)
    for redis in trial.cluster.engine:
        redis.wake()
    await trial.until_replicated()
    trial.recovers()


@failure()
async def engine_killed(trial):
    await kill_engine(trial)


@failure()
async def engine_cut_short(trial):
    """All copies die, and none has the last moments. That happens when the power fails, and when
    the disk is slow: then Redis writes what it has confirmed to its file up to 2 s later."""
    await kill_engine(trial, lost_bytes=random.randrange(1_000, 20_000))


async def kill_engine(trial, lost_bytes=0):
    for redis in trial.cluster.engine:
        redis.kill()
    await trial.sleep(60, short=12)
    for redis in trial.cluster.engine:
        redis.cut_file(lost_bytes)
        redis.start()
    await trial.until_replicated()
    trial.recovers()


@failure(needs_detours=True)
async def engine_slow(trial):
    for detour in trial.cluster.detours:
        detour.say("delay 0.1 0.3")
    await trial.sleep(15, short=6)
    for detour in trial.cluster.detours:
        detour.say("delay 0 0")


@failure(is_short=True)
async def same_name(trial):
    """A second process with the name of a node starts at another address, again and again as its
    service manager would have it. It must not, and nobody notices."""
    number = random.randrange(len(trial.cluster.nodes))
    second = trial.cluster.new_node(number, elsewhere=3, log="second")
    for _ in range(1 if trial.is_short else 3):
        second.start()
        code = await second.wait(within=10)
        if code != NAME_IN_USE:
            trial.fail("the second %s was started, and its exit code is %s" % (second.name, code))
            second.kill()
    if trial.goodbyes.keys() - {"moved"}:
        trial.fail("somebody was sent away: %s" % dict(trial.goodbyes))


@failure(is_short=True)
async def same_address(trial):
    """A fourth node advertises the address of another one. It says so, and begins no game; the other
    one goes on, and nobody is sent in a circle."""
    owner = random.choice(trial.cluster.nodes)
    second = trial.cluster.new_twin(owner)
    begin = time.monotonic()
    second.start()
    try:
        reply, words = b"", b"The node %s advertises" % owner.name.encode()
        while words not in naming(reply):
            if time.monotonic() - begin > ADDRESS_TIME:
                trial.fail("%s does not say that %s has its address: %s" % (
                    second.name, owner.name, reply.decode(errors="replace")))
                break
            await asyncio.sleep(0.05)
            reply = await second.readyz()
        print("  %s says after %.1f s: %s" % (
            second.name, time.monotonic() - begin, naming(reply).decode()), flush=True)
        end = time.monotonic() + (6 if trial.is_short else 15)
        while time.monotonic() < end:
            if not await owner.is_ready():
                trial.fail("%s is not ready: %s" % (owner.name, await owner.readyz()))
                break
            await asyncio.sleep(0.5)
        if words not in naming(await second.readyz()):
            trial.fail("%s is ready: %s" % (second.name, await second.readyz()))
        if " warning advertises" not in second.log_text:
            trial.fail("%s does not log the address" % second.name)
        if trial.goodbyes.keys() - {"moved"}:
            trial.fail("somebody was sent away: %s" % dict(trial.goodbyes))
        if trial.most_moves > 2:
            trial.fail("somebody was sent to other nodes %d times" % trial.most_moves)
    finally:
        second.end()


def naming(reply):
    """Returns the sentence of a reply of /readyz if it is 503."""
    head, _, body = reply.partition(b"\r\n\r\n")
    return body.strip() if b" 503 " in head.split(b"\n")[0] else b""


@failure(is_short=True, needs_clocks=True)
async def clocks(trial):
    """The clocks of the nodes are hours apart, and are set again while people play."""
    hour, decade = 3600, 3652 * 24 * 3600
    for node, seconds in zip(trial.cluster.nodes, (hour, -hour)):
        await set_clock(trial, node, seconds)
    steps = [(0, -hour), (1, hour), (2, -decade)] if trial.is_short else [
        (0, -hour), (1, hour), (2, hour // 2), (2, -decade), (0, 0), (1, decade)]
    thinker = await begin_thinking(trial)
    ban = Ban(trial, own_host(trial.number, of_stranger=True), 4 * len(steps) + 3)
    await ban.begin(trial.cluster.nodes[0])
    await asyncio.sleep(3)
    for number, seconds in steps:
        await set_clock(trial, trial.cluster.nodes[number], seconds)
        thinker.say("sync")
        await asyncio.sleep(1)
    await ban.until_over()
    end_thinking(trial, thinker)


@failure(needs_clocks=True)
async def engine_clock(trial):
    """The clock of the primary is set, and the next primary has another one."""
    hour = 3600
    thinker, primary = await begin_thinking(trial), await trial.cluster.primary()
    ban = Ban(trial, own_host(trial.number, of_stranger=True), 15 if trial.is_short else 30)
    await ban.begin(trial.cluster.nodes[0])
    await asyncio.sleep(3)
    for seconds in (hour,) if trial.is_short else (hour, -hour, -24 * hour):
        await set_engine_clock(trial, primary, seconds)
        thinker.say("sync")
        await asyncio.sleep(2)
    count = engine_steps(trial)
    await ask(trial.cluster.sentinels[0].address, "SENTINEL", "FAILOVER", PRIMARY)
    await trial.cluster.until_promoted(primary)
    await trial.until_replicated()
    thinker.say("sync")
    await ban.until_over()
    if engine_steps(trial) == count:
        trial.fail("no node says that the next primary has another clock")
    end_thinking(trial, thinker)


async def set_engine_clock(trial, primary, seconds):
    """Sets the clock of the primary. At least one node says so in its log."""
    count = engine_steps(trial)
    primary.clock.set(seconds)

    async def is_logged():
        return engine_steps(trial) > count
    await until(is_logged, 4, "no node says that the clock of the engine was set")


def engine_steps(trial):
    """Returns how often a node has logged that the clock of the engine was set."""
    return sum(node.log_text.count("engineClockStepped") for node in trial.cluster.nodes)


async def set_clock(trial, node, seconds):
    """Sets the clock of a node, which says so in its log, and by how much it is ahead."""
    count = len(skews(node))
    node.clock.set(seconds)

    async def is_logged():
        return len(skews(node)) > count
    try:
        await until(is_logged, 4, "%s does not say that its clock was set" % node.name)
    except TrialError as error:
        return trial.fail(str(error))
    if abs(skews(node)[-1] - 1000 * seconds) > 1000:
        trial.fail("%s is %d s ahead, and says: %d ms" % (node.name, seconds, skews(node)[-1]))


def skews(node):
    """Returns what a node has logged about its clock, in milliseconds."""
    return [int(number) for number in re.findall(r"clockSkew ms=(-?\d+)", node.log_text)]


async def begin_thinking(trial):
    """Begins a match in which nobody moves. Returns the player whose turn it is."""
    pair = [Thinking("thinker", trial, Inviting("partner")),
            Thinking("partner", trial, Accepting("thinker"))]
    for player in pair:
        trial.begin(player)

    async def have_match():
        return all(player.match for player in pair)
    await until(have_match, 10, "the thinkers find no match")
    thinker = next(player for player in pair if player.turn == player.mark)
    thinker.pair = pair
    thinker.say("sync")
    return thinker


def end_thinking(trial, thinker):
    """The time for a move must have passed as quickly as the time itself; it may stand still while
    the engine is away."""
    first, *others = thinker.times_left
    for moment, left in others:
        error = (first[1] - left) / 1000 - (moment - first[0])
        if not -1 - trial.longest_pause < error < 1:
            trial.fail("%.1f s of the time for a move are missing" % error)
    print("  the time for a move: %s s" % ", ".join(
        "%.1f" % (left / 1000) for _, left in thinker.times_left), flush=True)
    if not others:
        trial.fail("nothing was said of the time for a move")
    for player in thinker.pair:
        player.is_thinking = False
        player.act()


@failure(is_short=True)
async def failover_planned(trial):
    """The operator moves the primary to another host, with the script of docs/cluster."""
    primary, begin = await trial.cluster.primary(), time.monotonic()
    script = await asyncio.create_subprocess_exec(
        "sh", os.path.join(SHIPPED, "failover"), trial.cluster.nodes[0].operator,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
    words = (await script.communicate())[0].decode().strip()
    print("  %s (%.1f s)" % (words, time.monotonic() - begin), flush=True)
    if script.returncode != 0:
        trial.fail("the script has failed: %s" % words)
    await trial.until_replicated()
    await asyncio.sleep(1)
    if await trial.cluster.primary() is primary:
        trial.fail("the primary is the same: %s" % words)
    check_stay(trial, PLANNED_PAUSE)


@failure()
async def replica_copied(trial):
    """A replica has lost everything, and copies the whole engine. With --fill that is much."""
    primary = await trial.cluster.primary()
    replica = random.choice([redis for redis in trial.cluster.engine if redis is not primary])
    replica.end()
    replica.forget()

    async def is_missed():
        return not await trial.cluster.has_replicas(primary)
    await until(is_missed, 10, "the primary does not notice that a replica is gone")
    begin = time.monotonic()
    replica.start()
    await trial.until_replicated()
    print("  the copy took %.1f s" % (time.monotonic() - begin), flush=True)


@failure()
async def failover_by_sentinels(trial):
    """The operator lets the Sentinels move the primary, without the script."""
    primary = await trial.cluster.primary()
    await ask(trial.cluster.sentinels[0].address, "SENTINEL", "FAILOVER", PRIMARY)
    await trial.cluster.until_promoted(primary)
    await trial.until_replicated()
    await asyncio.sleep(1)
    check_stay(trial, SENTINELS_PAUSE)


def check_stay(trial, longest_pause):
    """Nobody was sent away but to another node, and play has not stopped for too long."""
    if trial.goodbyes.keys() - {"moved"}:
        trial.fail("somebody was sent away: %s" % dict(trial.goodbyes))
    if trial.longest_pause > longest_pause:
        trial.fail("play stopped for %.1f s" % trial.longest_pause)


@failure(is_short=True)
async def rolling_restart(trial):
    for node in trial.cluster.nodes:
        begin = time.monotonic()
        node.send(signal.SIGTERM)
        code = await node.wait(within=15)
        if code != 0:
            trial.fail("%s was told to stop: exit code %s after %.1f s" % (
                node.name, code, time.monotonic() - begin))
            node.kill()
        node.start()
        await node.until_ready()
        await trial.sleep(3, short=1)


@failure(is_short=True)
async def node_emptied(trial):
    """The operator empties a node before it stops, and brings matches back to it afterwards."""
    node, other = random.sample(trial.cluster.nodes, 2)
    begin = time.monotonic()
    await node.admin("drain", "1m")
    await other.admin("rebalance")
    code = await node.wait(within=20)
    print("  %s has stopped after %.1f s" % (node.name, time.monotonic() - begin), flush=True)
    if code != 0:
        trial.fail("%s was emptied: exit code %s" % (node.name, code))
        node.kill()
    node.start()
    await node.until_ready()

    async def is_seen():
        return node.name + ":" in (await other.admin("players", "--all")).splitlines()
    await until(is_seen, 5, "%s is not seen" % node.name)
    await other.admin("rebalance")
    await trial.sleep(8, short=4)
    table = await other.admin("cluster")
    players = {line.split()[0]: int(line.split()[-6]) for line in table.splitlines()
               if line[:len(node.name)] in {other.name for other in trial.cluster.nodes}}
    print("  afterwards: %s" % players, flush=True)
    if players.get(node.name, 0) < min(players.values()) / 2 + 1:
        trial.fail("no matches came to %s: %s" % (node.name, table))


@failure()
async def nothing(trial):
    """For comparison."""
    await trial.sleep(5, short=2)
