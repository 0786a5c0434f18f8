"""The processes of a cluster on one machine: Redis, Sentinels, nodes and HAProxy.

Everything listens at an address of its own, 127.x.y.z, so that neither other programs nor the
connections of clients can take a port.
"""
import asyncio
import collections
import glob
import os
import signal
import subprocess
import sys
import time

from resp import EngineError, ask

NODES = 3
# Those of docs/operations.md; the last two only make the start of a trial faster.
REDIS = """
bind {host}
port {port}
dir {folder}
replica-announce-ip {host}
appendonly yes
maxmemory-policy noeviction
repl-backlog-size 256mb
client-output-buffer-limit replica 1gb 1gb 0
min-replicas-to-write 1
save ""
repl-diskless-sync-delay 0
"""
SENTINEL = """
bind {host}
port {port}
dir {folder}
protected-mode no
sentinel announce-ip {host}
sentinel monitor main {host} {primary} 2
sentinel down-after-milliseconds main 1500
sentinel failover-timeout main 5000
"""
BALANCER = """
global
  maxconn 4000
  stats socket {folder}/haproxy.sock level admin
defaults
  mode tcp
  balance leastconn
  option redispatch
  timeout connect 1s
  timeout check 1s
  timeout client 1h
  timeout server 1h
listen players
  bind {host}:{port}
  option httpchk GET /readyz
  default-server check inter 500 fall 2 rise 1 on-marked-down shutdown-sessions
"""
DOWN_AFTER = 1.5


class Process:
    def __init__(self, name, command, folder):
        self.name, self.command = name, command
        self.log = os.path.join(folder, name + ".log")
        self.process = None

    def start(self):
        self.end()
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=log, stderr=log)

    @property
    def exit_code(self):
        """None while the process runs."""
        return self.process.poll() if self.process else 0

    def send(self, number):
        if self.exit_code is None:
            self.process.send_signal(number)

    def freeze(self):
        self.send(signal.SIGSTOP)

    def wake(self):
        self.send(signal.SIGCONT)

    def kill(self):
        """The process may live on for a moment, if it waits for a disk."""
        self.send(signal.SIGKILL)

    def end(self):
        self.kill()
        if self.process:
            self.process.wait()

    async def wait(self, within):
        """Returns the exit code; None if the process still runs."""
        end = time.monotonic() + within
        while self.exit_code is None and time.monotonic() < end:
            await asyncio.sleep(0.02)
        return self.exit_code

    @property
    def log_text(self):
        if not os.path.exists(self.log):
            return ""
        with open(self.log, errors="replace") as log:
            return log.read()


class Redis(Process):
    def __init__(self, name, address, folder, primary=None):
        self.address = address
        data = os.path.join(folder, name)
        os.mkdir(data)
        config = os.path.join(data, "redis.conf")
        with open(config, "w") as file:
            file.write(REDIS.format(host=address[0], port=address[1], folder=data))
            if primary:
                file.write("replicaof %s %d\n" % primary)
        super().__init__(name, ["redis-server", config], folder)
        self.data = data

    def cut_file(self, count):
        """Cuts the end off the file to which all writes are appended."""
        for path in glob.glob(os.path.join(self.data, "appendonlydir", "*.incr.aof")):
            os.truncate(path, max(0, os.path.getsize(path) - count))


class Sentinel(Process):
    def __init__(self, name, address, folder, primary):
        self.address = address
        data = os.path.join(folder, name)
        os.mkdir(data)
        config = os.path.join(data, "sentinel.conf")
        with open(config, "w") as file:
            file.write(SENTINEL.format(
                host=address[0], port=address[1], folder=data, primary=primary[1]))
        super().__init__(name, ["redis-sentinel", config], folder)


class Node(Process):
    def __init__(self, name, server, folder, host, port, sentinels, log=None):
        self.address, self.monitor = (host, port), (host, port + 10)
        engine = "redis+sentinel://%s/main" % ",".join("%s:%d" % place for place in sentinels)
        command = [
            server, "--config", "none", "--data", "none", "--log-level", "info",
            "--cluster", engine, "--cluster-replicas", "1", "--node", name, "--host", host,
            "--advertise", "%s:%d" % self.address, "--port", str(port), "--drain", "3s",
            "--metrics", "%s:%d" % self.monitor, "--max-per-address", "0"]
        super().__init__(log or name, command, folder)

    async def is_ready(self):
        request = b"GET /readyz HTTP/1.0\r\n\r\n"
        reply = await fetch(asyncio.open_connection(*self.monitor), request, within=1)
        return b" 200 " in reply.split(b"\n")[0]

    async def until_ready(self, within=15):
        await until(self.is_ready, within, "%s is not ready" % self.name)


class Balancer(Process):
    def __init__(self, address, folder, nodes):
        self.address = address
        self.socket = os.path.join(folder, "haproxy.sock")
        config = os.path.join(folder, "haproxy.cfg")
        with open(config, "w") as file:
            file.write(BALANCER.format(host=address[0], port=address[1], folder=folder))
            for node in nodes:
                file.write("  server %s %s:%d port %d\n" % (
                    node.name, *node.address, node.monitor[1]))
        super().__init__("haproxy", ["haproxy", "-db", "-f", config], folder)

    async def is_up(self):
        return await fetch(
            asyncio.open_unix_connection(self.socket), b"show info\n", within=1) != b""

    async def sessions(self):
        """Returns the name of the node behind each connection, by the port of its client."""
        nodes = {}
        answer = await fetch(asyncio.open_unix_connection(self.socket), b"show sess\n", within=2)
        for line in answer.decode().splitlines():
            words = dict(word.split("=", 1) for word in line.split() if "=" in word)
            if words.get("srv", "<none>") != "<none>":
                nodes[int(words["src"].rsplit(":", 1)[1])] = words["srv"]
        return nodes


class Detour(Process):
    """See detour.py."""

    def __init__(self, name, host, pairs, folder):
        program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "detour.py")
        super().__init__(
            name, [sys.executable, program, host, *("%d:%d" % pair for pair in pairs)], folder)

    def say(self, command):
        self.process.stdin.write(command.encode() + b"\n")
        self.process.stdin.flush()


class Cluster:
    """Three nodes, a Redis with two replicas, three Sentinels, and HAProxy before the nodes."""

    def __init__(self, server, folder, host, has_detours):
        self.server, self.folder, self.host = server, folder, host
        engine = [(host, 21001 + number) for number in range(3)]
        self.engine = [Redis("redis1", engine[0], folder)] + [
            Redis("redis%d" % number, engine[number - 1], folder, engine[0]) for number in (2, 3)]
        self.sentinels = [
            Sentinel("sentinel%d" % number, (host, 22000 + number), folder, engine[0])
            for number in (1, 2, 3)]
        self.detours = [self.new_detour(number) for number in range(NODES) if has_detours]
        self.nodes = [self.new_node(number) for number in range(NODES)]
        self.balancer = Balancer((host, 20000), folder, self.nodes)

    def new_node(self, number, port=None, log=None):
        places = [sentinel.address for sentinel in self.sentinels]
        if self.detours:
            places = [(self.host, port) for port in self.detour_ports(number)[3:]]
        return Node("n%d" % (number + 1), self.server, self.folder, self.host,
                    port or 20001 + number, places, log)

    def new_detour(self, number):
        targets = [process.address[1] for process in self.engine + self.sentinels]
        pairs = list(zip(self.detour_ports(number), targets))
        return Detour("detour%d" % (number + 1), self.host, pairs, self.folder)

    def detour_ports(self, number):
        return [23000 + number * 100 + offset for offset in range(6)]

    @property
    def processes(self):
        return [*self.nodes, self.balancer, *self.detours, *self.engine, *self.sentinels]

    async def start(self):
        for redis in self.engine:
            redis.start()
        await until(lambda: self.has_replicas(self.engine[0]), 10, "the replicas are not there")
        for sentinel in self.sentinels:
            sentinel.start()
        for detour in self.detours:
            detour.start()
        await until(self.knows_itself, 20, "the Sentinels do not find each other")
        for node in self.nodes:
            node.start()
        for node in self.nodes:
            await node.until_ready()
        self.balancer.start()
        await until(self.balancer.is_up, 5, "HAProxy does not answer")

    async def has_replicas(self, redis, count=2):
        try:
            role = await ask(redis.address, "ROLE")
        except (OSError, EngineError, asyncio.TimeoutError):
            return False
        return role[0] == "master" and len(role[2]) >= count

    async def knows_itself(self):
        for sentinel in self.sentinels:
            try:
                words = await ask(sentinel.address, "SENTINEL", "MASTER", "main")
            except (OSError, EngineError, asyncio.TimeoutError):
                return False
            fields = dict(zip(words[::2], words[1::2]))
            if fields["num-slaves"] != "2" or fields["num-other-sentinels"] != "2":
                return False
        return True

    async def primary(self):
        """Returns the Redis that most Sentinels call the primary."""
        votes = []
        for sentinel in self.sentinels:
            try:
                votes.append(await ask(
                    sentinel.address, "SENTINEL", "get-master-addr-by-name", "main"))
            except (OSError, EngineError, asyncio.TimeoutError):
                pass
        counts = collections.Counter(int(vote[1]) for vote in votes)
        return max(self.engine, key=lambda redis: counts[redis.address[1]])

    async def until_promoted(self, old, within=20):
        """Waits until another Redis than `old` says that it is the primary, and returns it."""
        end = time.monotonic() + within
        while time.monotonic() < end:
            for redis in self.engine:
                if redis is not old and await self.has_replicas(redis, 0):
                    return redis
            await asyncio.sleep(0.005)
        raise TrialError("no replica was promoted")

    def node_at(self, address):
        return next((node.name for node in self.nodes if node.address == address), None)

    def end(self):
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.end()


class TrialError(Exception):
    """The trial itself cannot go on."""


async def until(condition, within, sentence):
    end = time.monotonic() + within
    while not await condition():
        if time.monotonic() > end:
            raise TrialError(sentence)
        await asyncio.sleep(0.05)


async def fetch(opening, request, within):
    """Returns all that comes back over a new connection; nothing if that fails."""
    async def exchange():
        reader, writer = await opening
        try:
            writer.write(request)
            return await reader.read()
        finally:
            writer.close()

    try:
        return await asyncio.wait_for(exchange(), within)
    except (OSError, asyncio.TimeoutError):
        return b""


def own_host(number):
    """Returns an address of this machine that no other trial uses, for a round with a number."""
    process = os.getpid()
    return "127.%d.%d.%d" % (64 + process // 250 % 64, process % 250, 1 + number % 250)
