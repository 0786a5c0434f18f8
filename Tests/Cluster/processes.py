"""The processes of a cluster on one machine: Redis, Sentinels, nodes and HAProxy.

Everything listens at an address of its own, 127.x.y.z, so that neither other programs nor the
connections of clients can take a port.
"""
import asyncio
import collections
import glob
import os
import re
import shutil
import signal
import ssl
import subprocess
import sys
import time

from clocks import Clock, compile_clock
from resp import PASSWORD, EngineError, Security, ask, fill

NODES = 3
# The files that operators copy. Only addresses, ports, paths and maxmemory are changed in them.
SHIPPED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "cluster")
PRIMARY = "tictactoe"
# As sentinel.conf has it, in seconds.
DOWN_AFTER = 2
# The users of users.acl and sentinel-users.acl, with their passwords.
USER, ADMIN = ("tictactoe", "CHANGE-ME"), ("admin", "CHANGE-ME-ADMIN")
SENTINEL_USER = ("tictactoe", "CHANGE-ME-TOO")
SENTINEL_ADMIN = ("default", "CHANGE-ME-SENTINELS")


def shipped(name, folder, *changes):
    """Writes a file of docs/cluster into a folder, with changes, each a pattern for whole lines and
    what takes their place: nothing removes them. Returns its path."""
    with open(os.path.join(SHIPPED, name)) as file:
        text = file.read()
    for pattern, lines in changes:
        line = "^%s$" % pattern if lines else "^%s\n" % pattern
        text, count = re.subn(line, lines or "", text, flags=re.MULTILINE)
        if not count:
            raise TrialError("%s has no line %s" % (name, pattern))
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    return path


def tls_lines(port, certificates):
    """What uncomments the lines for TLS in a shipped file that has a port."""
    return [
        ("port %d" % port, None), ("#port 0", "port 0"), ("#(tls-replication .*)", r"\1"),
        *[("#%s /etc/redis/tls/(.*)" % name, r"%s %s/\1" % (name, certificates))
          for name in ("tls-cert-file", "tls-key-file", "tls-ca-cert-file")]]


class Process:
    def __init__(self, name, command, folder):
        self.name, self.command = name, command
        self.log = os.path.join(folder, name + ".log")
        self.process = self.clock = None
        self.is_frozen = False

    def start(self):
        self.end()
        environment = {**os.environ, **self.clock.environment} if self.clock else None
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=log, stderr=log, env=environment)

    @property
    def exit_code(self):
        """None while the process runs."""
        return self.process.poll() if self.process else 0

    def send(self, number):
        if self.exit_code is None:
            self.process.send_signal(number)

    @property
    def is_away(self):
        return self.is_frozen or self.exit_code is not None

    def freeze(self):
        self.is_frozen = True
        self.send(signal.SIGSTOP)

    def wake(self):
        self.is_frozen = False
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
    """With a folder of certificates it has the users and the TLS of the shipped files."""

    def __init__(self, name, address, folder, primary=None, certificates=None):
        self.address = address
        data = os.path.join(folder, name)
        os.mkdir(data)
        changes = [
            ("bind .*", "bind " + address[0]),
            ("replica-announce-ip .*", "replica-announce-ip " + address[0]),
            ("dir .*", "dir " + data),
            # Room for --fill.
            ("maxmemory .*", "maxmemory 8gb")]
        if certificates:
            changes += tls_lines(6379, certificates) + [
                ("#tls-port .*", "tls-port %d" % address[1]), ("requirepass .*", None),
                ("masterauth .*", None), ("#(masteruser .*)", r"\1"), ("#(masterauth .*)", r"\1"),
                ("#aclfile .*", "aclfile " + shipped("users.acl", data))]
        else:
            changes.append(("port .*", "port %d" % address[1]))
        if primary:
            changes.append(("#replicaof .*", "replicaof %s %d" % primary))
        super().__init__(name, ["redis-server", shipped("redis.conf", data, *changes)], folder)
        self.data = data

    def forget(self):
        """Removes all its data."""
        shutil.rmtree(os.path.join(self.data, "appendonlydir"), ignore_errors=True)
        for path in glob.glob(os.path.join(self.data, "*.rdb")):
            os.remove(path)

    def cut_file(self, count):
        """Cuts the end off the file to which all writes are appended."""
        for path in glob.glob(os.path.join(self.data, "appendonlydir", "*.incr.aof")):
            os.truncate(path, max(0, os.path.getsize(path) - count))


class Sentinel(Process):
    def __init__(self, name, address, folder, primary, certificates=None):
        self.address = address
        data = os.path.join(folder, name)
        os.mkdir(data)
        changes = [
            ("bind .*", "bind " + address[0]),
            ("sentinel announce-ip .*", "sentinel announce-ip " + address[0]),
            ("dir .*", "dir " + data),
            (r"(sentinel monitor \w+) \S+ \d+ 2", r"\1 %s %d 2" % primary)]
        if certificates:
            changes += tls_lines(26379, certificates) + [
                ("#tls-port .*", "tls-port %d" % address[1]), ("sentinel auth-pass .*", None),
                ("#(sentinel auth-user .*)", r"\1"), ("#(sentinel auth-pass .*)", r"\1"),
                ("#(sentinel sentinel-pass .*)", r"\1"),
                ("#aclfile .*", "aclfile " + shipped("sentinel-users.acl", data))]
        else:
            changes.append(("port .*", "port %d" % address[1]))
        super().__init__(
            name, ["redis-sentinel", shipped("sentinel.conf", data, *changes)], folder)


class Node(Process):
    """`address` is where HAProxy of the node's host listens for this node only."""

    def __init__(self, name, server, folder, host, number, sentinels, log=None,
                 certificates=None):
        self.port, self.monitor = 20001 + number, (host, 20011 + number)
        self.address = (host, 20021 + number)
        data = os.path.join(folder, log or name)
        os.mkdir(data)
        self.engine = os.path.join(data, "cluster")
        # Of an operator who moves the primary.
        self.operator = os.path.join(data, "operator")
        places = ",".join("%s:%d" % place for place in sentinels)
        for path, user, sentinel in [
                (self.engine, USER, SENTINEL_USER), (self.operator, ADMIN, SENTINEL_ADMIN)]:
            with open(path, "w") as file:
                if certificates:
                    file.write(
                        "rediss+sentinel://%s:%s@%s/%s?ca=%s&cert=%s&key=%s&sentinel-user=%s"
                        "&sentinel-password=%s\n" % (
                            *user, places, PRIMARY, os.path.join(certificates, "ca.crt"),
                            os.path.join(certificates, "host.crt"),
                            # A relative path begins at the folder of this file.
                            os.path.relpath(os.path.join(certificates, "host.key"), data),
                            *sentinel))
                else:
                    file.write("redis+sentinel://:%s@%s/%s\n" % (PASSWORD, places, PRIMARY))
        config = shipped(
            "tictactoe-server.conf", data,
            ("cluster-file = .*", "cluster-file = " + self.engine), ("node = .*", "node = " + name),
            ("advertise = .*", "advertise = %s:%d" % self.address),
            ("metrics = .*", "metrics = %s:%d" % self.monitor),
            ("admin = .*", "admin = %s/admin.sock" % data),
            (r"trust-proxy = 10\..*", None))
        command = [
            server, "--config", config, "--host", host, "--port", str(self.port),
            "--log-level", "info", "--drain", "3s", "--max-per-address", "0"]
        super().__init__(log or name, command, folder)
        self.socket = "%s/admin.sock" % data
        self.config = config

    async def admin(self, *words):
        """Types a command of the operator at this node, and returns the reply."""
        tool = await asyncio.create_subprocess_exec(
            self.command[0], "admin", *words, "--socket", self.socket,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
        reply = (await tool.communicate())[0].decode()
        if tool.returncode != 0:
            raise TrialError("admin %s: exit code %s: %s" % (
                " ".join(words), tool.returncode, reply.strip()))
        return reply

    def advertise(self, address):
        """From its next start on it advertises another address."""
        with open(self.config) as file:
            lines = file.read().splitlines()
        with open(self.config, "w") as file:
            for line in lines:
                is_address = line.startswith("advertise = ")
                file.write("%s\n" % ("advertise = %s:%d" % address if is_address else line))

    async def readyz(self):
        request = b"GET /readyz HTTP/1.0\r\n\r\n"
        return await fetch(asyncio.open_connection(*self.monitor), request, within=1)

    async def is_ready(self):
        return b" 200 " in (await self.readyz()).split(b"\n")[0]

    async def until_ready(self, within=15):
        await until(self.is_ready, within, "%s is not ready" % self.name)


class Balancer(Process):
    """HAProxy of the host of a node. `address` is where players begin."""

    def __init__(self, number, host, folder, nodes):
        self.address = (host, 20031 + number)
        data = os.path.join(folder, "haproxy%d" % (number + 1))
        os.mkdir(data)
        self.socket = os.path.join(data, "haproxy.sock")
        own = nodes[number]
        certificate = "ssl crt " + os.path.join(folder, "tictactoe.pem")
        config = shipped(
            "haproxy.cfg", data, ("  chroot .*", "  stats socket %s level admin" % self.socket),
            ("  user .*", None), ("  group .*", None), ("  maxconn .*", "  maxconn 4000"),
            (r"  bind :::7778 v4v6 ssl crt \S+", "  bind %s:%d %s" % (*self.address, certificate)),
            (r"  bind :::7779 v4v6 ssl crt \S+", "  bind %s:%d %s" % (*own.address, certificate)),
            *[(r"  server %s 10\.0\.0\.\d:7777" % node.name,
               "  server %s %s:%d port %d" % (node.name, host, node.port, node.monitor[1]))
              for node in nodes],
            (r"  server here 127\.0\.0\.1:7777 (.*) port 9100 (.*)",
             r"  server here %s:%d \1 port %d \2" % (host, own.port, own.monitor[1])))
        super().__init__(
            "haproxy%d" % (number + 1), ["haproxy", "-db", "-f", config], folder)

    async def is_up(self):
        return await fetch(
            asyncio.open_unix_connection(self.socket), b"show info\n", within=1) != b""

    async def sessions(self):
        """Returns the name of the node behind each connection, by the port of its client."""
        nodes = {}
        answer = await fetch(asyncio.open_unix_connection(self.socket), b"show sess\n", within=2)
        for line in answer.decode().splitlines():
            words = dict(word.split("=", 1) for word in line.split() if "=" in word)
            if words.get("fe") == "play" and words.get("srv", "<none>") != "<none>":
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
    """Three nodes, a Redis with two replicas, three Sentinels, and HAProxy before the nodes. If it
    is secure, Redis and the Sentinels have TLS and users with few rights, as docs/cluster.md says.
    With clocks, those of the nodes and of Redis can be set.
    """

    def __init__(
            self, server, folder, host, has_detours, is_secure=False, has_clocks=False):
        self.server, self.folder, self.host = server, folder, host
        self.certificates = make_authority(folder, host) if is_secure else None
        if is_secure:
            Security.tls = ssl.create_default_context(
                cafile=os.path.join(self.certificates, "ca.crt"))
            Security.tls.load_cert_chain(
                os.path.join(self.certificates, "host.crt"),
                os.path.join(self.certificates, "host.key"))
            Security.logins = [("AUTH", *ADMIN), ("AUTH", *SENTINEL_ADMIN)]
        engine = [(host, 21001 + number) for number in range(3)]
        self.engine = [
            Redis("redis%d" % number, engine[number - 1], folder,
                  engine[0] if number > 1 else None, self.certificates) for number in (1, 2, 3)]
        self.sentinels = [
            Sentinel("sentinel%d" % number, (host, 22000 + number), folder, engine[0],
                     self.certificates) for number in (1, 2, 3)]
        self.detours = [self.new_detour(number) for number in range(NODES) if has_detours]
        self.nodes = [self.new_node(number) for number in range(NODES)]
        if has_clocks:
            library = compile_clock(folder)
            for process in self.nodes + self.engine:
                process.clock = Clock(library, os.path.join(folder, process.name + ".clock"))
        make_certificate(os.path.join(folder, "tictactoe.pem"))
        self.balancers = [
            Balancer(number, host, folder, self.nodes) for number in range(NODES)]
        # Where the players of the trial begin.
        self.balancer = self.balancers[0]

    def new_node(self, number, elsewhere=0, log=None):
        """With `elsewhere` it has other ports than the node with its name."""
        places = [sentinel.address for sentinel in self.sentinels]
        if self.detours:
            places = [(self.host, port) for port in self.detour_ports(number)[3:]]
        return Node("abc"[number], self.server, self.folder, self.host, number + elsewhere,
                    places, log, self.certificates)

    def new_twin(self, node):
        """A fourth node, which advertises the address of another one."""
        twin = Node("d", self.server, self.folder, self.host, NODES,
                    [sentinel.address for sentinel in self.sentinels],
                    certificates=self.certificates)
        twin.advertise(node.address)
        return twin

    def new_detour(self, number):
        targets = [process.address[1] for process in self.engine + self.sentinels]
        pairs = list(zip(self.detour_ports(number), targets))
        return Detour("detour%d" % (number + 1), self.host, pairs, self.folder)

    def detour_ports(self, number):
        return [23000 + number * 100 + offset for offset in range(6)]

    @property
    def processes(self):
        return [*self.nodes, *self.balancers, *self.detours, *self.engine, *self.sentinels]

    async def start(self, megabytes=0):
        """With `megabytes` the engine has so much besides what the cluster needs."""
        for redis in self.engine:
            redis.start()
        await until(lambda: self.has_replicas(self.engine[0]), 10, "the replicas are not there")
        if megabytes:
            await fill(self.engine[0].address, megabytes)
            await until(lambda: self.has_replicas(self.engine[0]), 120, "the replicas are away")
            info = await ask(self.engine[0].address, "INFO", "memory")
            used = next(line for line in info.split() if line.startswith("used_memory_human"))
            print("  the engine has %s" % used, flush=True)
        for sentinel in self.sentinels:
            sentinel.start()
        for detour in self.detours:
            detour.start()
        await until(self.knows_itself, 20, "the Sentinels do not find each other")
        for node in self.nodes:
            node.start()
        for node in self.nodes:
            await node.until_ready()
        for balancer in self.balancers:
            balancer.start()
        for balancer in self.balancers:
            await until(balancer.is_up, 5, "HAProxy does not answer")

    async def has_replicas(self, redis, count=2):
        try:
            role = await ask(redis.address, "ROLE")
        except (OSError, EngineError, asyncio.TimeoutError):
            return False
        return role[0] == "master" and len(role[2]) >= count

    async def knows_itself(self):
        for sentinel in self.sentinels:
            try:
                words = await ask(sentinel.address, "SENTINEL", "MASTER", PRIMARY)
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
                    sentinel.address, "SENTINEL", "get-master-addr-by-name", PRIMARY))
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
        return next((node for node in self.nodes if node.address == address), None)

    def end(self):
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.end()


def make_certificate(path):
    """Writes a certificate that nobody has signed, and its key."""
    key = path + ".key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
         "-nodes", "-days", "2", "-subj", "/CN=play.example.org", "-keyout", key, "-out", path],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(key) as source, open(path, "a") as file:
        file.write(source.read())


def make_authority(folder, host):
    """Makes a folder with the certificate of an authority, and with one for an address and its key.
    Returns its path."""
    folder = os.path.join(folder, "tls")
    os.mkdir(folder)

    def openssl(*arguments):
        subprocess.run(
            ["openssl", *arguments], check=True, cwd=folder, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)

    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    openssl("req", "-x509", *key, "-days", "2", "-subj", "/CN=authority", "-keyout", "ca.key",
            "-out", "ca.crt")
    openssl("req", *key, "-subj", "/CN=host", "-addext", "subjectAltName=IP:" + host, "-keyout",
            "host.key", "-out", "host.csr")
    openssl("x509", "-req", "-in", "host.csr", "-CA", "ca.crt", "-CAkey", "ca.key",
            "-copy_extensions", "copy", "-days", "2", "-out", "host.crt")
    return folder


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


def own_host(number, of_stranger=False):
    """Returns an address of this machine that no other trial uses, for a round with a number; with
    `of_stranger` another one, from where a client comes."""
    process = os.getpid()
    return "127.%d.%d.%d" % (
        (128 if of_stranger else 64) + process // 250 % 64, process % 250, 1 + number % 250)
