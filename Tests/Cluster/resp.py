"""Asks a Redis or a Sentinel, in its own protocol (RESP2)."""
import asyncio
import os
import random

# That of docs/cluster/redis.conf.
PASSWORD = "CHANGE-ME"


class Security:
    """How this program reaches Redis and the Sentinels. It is set once, before the first command."""
    # An SSLContext; None without TLS.
    tls = None
    # The first one that is accepted counts. A Sentinel may have none.
    logins = [("AUTH", PASSWORD)]


class EngineError(Exception):
    """A reply that is an error, or none that can be read."""


async def ask(address, *words, within=2):
    """Sends one command over a connection of its own, and returns the reply.

    Raises OSError, asyncio.TimeoutError or EngineError.
    """
    return (await ask_all(address, [words], within))[0]


async def ask_all(address, commands, within=2):
    return await asyncio.wait_for(exchange(address, commands), within)


async def connect(address):
    """Returns a reader and a writer of a connection that is logged in."""
    reader, writer = await asyncio.open_connection(*address, limit=1 << 26, ssl=Security.tls)
    for login in Security.logins:
        writer.write(encode(login))
        try:
            await read_reply(reader)
            break
        except EngineError:
            pass
    return reader, writer


async def exchange(address, commands):
    reader, writer = await connect(address)
    try:
        writer.write(b"".join(encode(words) for words in commands))
        return [await read_reply(reader) for _ in commands]
    finally:
        writer.close()


def encode(words):
    parts = [b"*%d\r\n" % len(words)]
    for word in words:
        word = str(word).encode()
        parts.append(b"$%d\r\n%s\r\n" % (len(word), word))
    return b"".join(parts)


async def read_reply(reader):
    line = (await reader.readline()).decode().rstrip("\r\n")
    kind, rest = line[:1], line[1:]
    if kind == "+":
        return rest
    if kind == ":":
        return int(rest)
    if kind == "$":
        if rest == "-1":
            return None
        return (await reader.readexactly(int(rest) + 2))[:-2].decode()
    if kind == "*":
        return None if rest == "-1" else [await read_reply(reader) for _ in range(int(rest))]
    raise EngineError(rest or "the connection has ended")


async def fill(address, megabytes):
    """Writes values of 4 kB that cannot be compressed, and waits until they are written."""
    reader, writer = await connect(address)
    noise = os.urandom(1 << 20)
    try:
        for megabyte in range(megabytes):
            for number in range(256):
                start = random.randrange(len(noise) - 4096)
                key = b"fill:%d:%d" % (megabyte, number)
                writer.write(b"*3\r\n$3\r\nSET\r\n$%d\r\n%s\r\n$4096\r\n%s\r\n" % (
                    len(key), key, noise[start:start + 4096]))
            await writer.drain()
            for _ in range(256):
                await read_reply(reader)
    finally:
        writer.close()
