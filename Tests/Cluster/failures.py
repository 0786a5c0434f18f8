"""The failures of a cluster, each a function that carries it out while people play.

A failure ends when all processes run again. `trial.recovers()` says from when on everybody has to
be back in time; without a call that is when the failure begins.
"""
import asyncio
import random
import signal
import time

from players import Anyone, Player
from processes import DOWN_AFTER, TrialError

FAILURES = {}
# The exit code of a node whose name another process has taken.
REPLACED = 69


def failure(is_short=False, needs_detours=False, may_freeze=False, is_too_much=False):
    """`may_freeze`: a node that does not run says nothing, so clients notice it by themselves.
    `is_too_much`: lines are lost, as docs/reliability.md says. It is carried out only by name."""
    def register(function):
        function.is_short, function.needs_detours = is_short, needs_detours
        function.may_freeze, function.is_too_much = may_freeze, is_too_much
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


@failure()
async def same_name(trial):
    """A second process takes the name of a node, and then the first one takes it back."""
    number = random.randrange(len(trial.cluster.nodes))
    first = trial.cluster.nodes[number]
    second = trial.cluster.new_node(number, port=first.address[1] + 3, log=first.name + "-second")
    trial.cluster.nodes.append(second)
    second.start()
    await expect_replacement(trial, first)
    await second.until_ready()
    await asyncio.sleep(3)
    first.start()
    await expect_replacement(trial, second)
    await first.until_ready()
    trial.cluster.nodes.remove(second)


async def expect_replacement(trial, node):
    code = await node.wait(within=10)
    if code != REPLACED:
        trial.fail("%s was replaced, and its exit code is %s" % (node.name, code))
        node.kill()


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


@failure()
async def nothing(trial):
    """For comparison."""
    await trial.sleep(5, short=2)
