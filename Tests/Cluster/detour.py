#!/usr/bin/env python3
"""The way of one node to the engine, which can be cut or made slow. It is a process of its own, so
that its delays do not depend on the players.

detour.py HOST PORT:TARGET ...

It listens at each port, and passes everything on to the port's target. The Sentinels tell where the
primary is: in what they say, each target is replaced by its port. All of them have five digits, so
the length of a reply does not change. Commands come by standard input: `cut` loses every byte from
then on and tells nobody, like a broken network; `mend` ends that; `delay LOW HIGH` holds all that
comes back for so many seconds.
"""
import asyncio
import random
import sys


class Detour:
    def __init__(self, host, pairs):
        self.host, self.pairs = host, pairs
        self.translation = [
            (b"\r\n%d\r\n" % target, b"\r\n%d\r\n" % port) for port, target in pairs]
        self.delay, self.is_cut, self.writers = (0, 0), False, set()

    async def run(self):
        for port, target in self.pairs:
            await asyncio.start_server(
                lambda *ends, to=target: self.pass_on(*ends, to), self.host, port, limit=1 << 20)
        commands = asyncio.StreamReader()
        await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(commands), sys.stdin)
        while line := (await commands.readline()).decode().split():
            self.obey(*line)

    def obey(self, command, *numbers):
        if command == "delay":
            self.delay = tuple(float(number) for number in numbers)
        self.is_cut = command == "cut"
        if command == "mend":
            for writer in list(self.writers):
                writer.transport.abort()

    async def pass_on(self, reader, writer, target):
        self.writers.add(writer)
        back = None
        try:
            while self.is_cut:
                await asyncio.sleep(0.1)
            there, back = await asyncio.open_connection(self.host, target, limit=1 << 20)
            self.writers.add(back)
            await asyncio.gather(self.pump(reader, back, [], (0, 0)),
                                 self.pump(there, writer, self.translation, None))
        except OSError:
            pass
        finally:
            for end in (writer, back):
                self.writers.discard(end)
                if end:
                    end.close()

    async def pump(self, reader, writer, translation, delay):
        """Passes bytes on in one direction, each chunk later than the one before."""
        loop, due = asyncio.get_running_loop(), 0
        while data := await reader.read(1 << 16):
            if self.is_cut:
                continue
            for old, new in translation:
                data = data.replace(old, new)
            wait = random.uniform(*(delay or self.delay))
            due = max(due + 1e-6, loop.time() + wait)
            if wait == 0 and due - loop.time() < 1e-3:
                writer.write(data)
            else:
                loop.call_at(due, self.deliver, writer, data)
        loop.call_at(max(due, loop.time()), writer.close)

    def deliver(self, writer, data):
        if not self.is_cut and not writer.is_closing():
            writer.write(data)


if __name__ == "__main__":
    pairs = [tuple(map(int, pair.split(":"))) for pair in sys.argv[2:]]
    asyncio.run(Detour(sys.argv[1], pairs).run())
