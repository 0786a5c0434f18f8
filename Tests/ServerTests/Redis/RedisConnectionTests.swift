import Foundation
import TestSupport
import Testing

@testable import Server
@testable import Shared

@Suite struct RedisConnectionTests {
  private let timers = ManualTimers()
  private let network = MemoryNetwork(seed: 1)
  private let engine: RedisConnection
  private let far: MemoryConnection
  private let received = Received()
  private let answers = Answers()

  /// What the engine has got.
  private final class Received: ConnectionDelegate {
    private var bytes: [UInt8] = []
    var text: String { String(decoding: bytes, as: UTF8.self) }

    func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
      bytes.withUnsafeBufferPointer { self.bytes += $0 }
    }

    func connectionDidDrain(_ connection: any Connection) {}

    func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) {}
  }

  /// What the requests were answered, in order, and why the connection ended.
  private final class Answers {
    var all: [[RedisReply]?] = []
    var end: String?
  }

  init() {
    let ends = network.connect()
    far = ends.far
    far.delegate = received
    engine = RedisConnection(ends.near, replicas: 1, timers: timers)
    engine.onEnd = { [answers] in answers.end = $0 }
  }

  private func send(_ words: String..., confirmed: Replication = .never) {
    var commands = RedisCommands()
    commands.add(words)
    engine.send(commands, confirmed: confirmed) { [answers] in answers.all.append($0) }
    network.run()
  }

  private func reply(_ text: String) {
    far.send(Array(text.utf8).span)
    network.run()
    timers.advance(by: .zero)
  }

  @Test func `replies come in order`() {
    send("SET", "a", "é")
    send("GET", "a")
    #expect(
      received.text == "*3\r\n$3\r\nSET\r\n$1\r\na\r\n$2\r\né\r\n*2\r\n$3\r\nGET\r\n$1\r\na\r\n")
    reply("+OK\r\n")
    #expect(answers.all == [[.status("OK")]])
    #expect(engine.pendingCount == 1)
    reply("$2\r\né\r\n")
    #expect(answers.all == [[.status("OK")], [.bulk(Array("é".utf8))]])
  }

  @Test func `a durable request waits for the replicas`() {
    send("SET", "a", "1", confirmed: .now)
    #expect(received.text.hasSuffix("*3\r\n$4\r\nWAIT\r\n$1\r\n1\r\n$3\r\n300\r\n"))
    reply("+OK\r\n")
    #expect(answers.all.isEmpty)
    reply(":1\r\n")
    #expect(answers.all == [[.status("OK")]])
  }

  /// How often the engine was asked to wait for its replicas.
  private var waits: Int { received.text.components(separatedBy: "WAIT").count - 1 }

  @Test func `what must be durable soon goes out at once, and shares the next wait`() {
    send("SET", "a", "1", confirmed: .soon(within: .milliseconds(5)))
    send("SET", "b", "2", confirmed: .soon(within: .milliseconds(5)))
    #expect(received.text.contains("SET") && waits == 0)
    reply("+A\r\n+B\r\n")
    #expect(answers.all.isEmpty && engine.pendingCount == 0)
    send("SET", "c", "3", confirmed: .now)
    reply("+C\r\n")
    #expect(answers.all.isEmpty)
    reply(":1\r\n")
    #expect(answers.all == [[.status("A")], [.status("B")], [.status("C")]])
    timers.advance(by: .seconds(1))
    network.run()
    #expect(waits == 1 && answers.end == nil)
  }

  @Test func `a wait that was sent before says nothing of it`() {
    send("SET", "a", "1", confirmed: .now)
    send("SET", "b", "2", confirmed: .soon(within: .milliseconds(5)))
    reply("+A\r\n:1\r\n+B\r\n")
    #expect(answers.all == [[.status("A")]])
    timers.advance(by: .milliseconds(5))
    network.run()
    #expect(waits == 2)
    reply(":1\r\n")
    #expect(answers.all == [[.status("A")], [.status("B")]])
  }

  @Test func `the earliest time counts`() {
    send("SET", "a", "1", confirmed: .soon(within: .milliseconds(5)))
    send("SET", "b", "2", confirmed: .withThisTurn)
    #expect(waits == 0)
    timers.advance(by: .zero)
    network.run()
    #expect(waits == 1)
    timers.advance(by: .milliseconds(5))
    network.run()
    #expect(waits == 1)
    reply("+A\r\n+B\r\n:1\r\n")
    #expect(answers.all == [[.status("A")], [.status("B")]])
    #expect(engine.pendingCount == 0)
  }

  @Test func `the end of the connection answers also what only the replicas had to confirm`() {
    send("SET", "a", "1", confirmed: .soon(within: .milliseconds(5)))
    reply("+A\r\n")
    send("SET", "b", "2", confirmed: .now)
    reply("+B\r\n:0\r\n")
    #expect(answers.all == [nil, nil])
    #expect(answers.end == "too few replicas have what was written")
  }

  @Test func `without an answer of the replicas nothing is confirmed`() {
    send("SET", "a", "1", confirmed: .soon(within: .milliseconds(5)))
    reply("+A\r\n")
    timers.advance(by: .milliseconds(5))
    timers.advance(by: .milliseconds(500))
    #expect(answers.end == "no reply for 500 ms")
    timers.advance(by: .zero)
    #expect(answers.all == [nil])
  }

  @Test func `an engine without replicas is never asked for them`() {
    let ends = network.connect()
    ends.far.delegate = received
    let engine = RedisConnection(ends.near, replicas: 0, timers: timers)
    var commands = RedisCommands()
    commands.add("SET", "a", "1")
    for confirmed in [Replication.now, .withThisTurn] {
      engine.send(commands, confirmed: confirmed) { [answers] in answers.all.append($0) }
    }
    network.run()
    ends.far.send(Array("+A\r\n+B\r\n".utf8).span)
    network.run()
    #expect(answers.all == [[.status("A")], [.status("B")]] && waits == 0)
  }

  @Test func `too few replicas end the connection, and nothing counts as done`() {
    send("SET", "a", "1", confirmed: .now)
    send("GET", "a")
    reply("+OK\r\n:0\r\n$1\r\n1\r\n")
    #expect(answers.all == [nil, nil])
    #expect(answers.end == "too few replicas have what was written")
  }

  @Test func `an engine that is silent for half a second is not believed again`() {
    send("GET", "a")
    timers.advance(by: .milliseconds(499))
    #expect(answers.end == nil)
    timers.advance(by: .milliseconds(1))
    #expect(answers.end == "no reply for 500 ms")
    timers.advance(by: .zero)
    #expect(answers.all == [nil])
    reply("$1\r\n1\r\n")
    #expect(answers.all == [nil])
  }

  @Test func `every byte shows that the engine is there`() {
    send("GET", "a")
    for byte in ["$", "1", "\r", "\n", "1"] {
      timers.advance(by: .milliseconds(400))
      reply(byte)
    }
    #expect(answers.end == nil)
    reply("\r\n")
    #expect(answers.all == [[.bulk([0x31])]])
  }

  @Test func `an engine that is asked nothing may be silent`() {
    send("GET", "a")
    reply("$-1\r\n")
    timers.advance(by: .seconds(60))
    #expect(answers.end == nil)
    send("GET", "a")
    timers.advance(by: .milliseconds(400))
    #expect(answers.end == nil)
  }

  @Test(arguments: ["READONLY You can't", "LOADING x", "MASTERDOWN x", "NOREPLICAS x", "MISCONF x"])
  func `an engine that cannot be written ends the connection`(error: String) {
    send("SET", "a", "1")
    reply("-\(error)\r\n")
    #expect(answers.all == [nil])
    #expect(answers.end == error)
  }

  @Test func `other errors are replies`() {
    send("GET")
    reply("-ERR wrong number of arguments\r\n")
    #expect(answers.all == [[.error("ERR wrong number of arguments")]])
    #expect(answers.end == nil)
  }

  @Test(arguments: ["nonsense\r\n", "$-1\r\n$-1\r\n"])
  func `what was not asked for ends the connection`(text: String) {
    send("GET", "a")
    reply(text)
    #expect(answers.end != nil)
  }

  @Test func `there is a limit to what waits`() {
    var commands = RedisCommands()
    for _ in 0..<RedisConnection.maxCommands { commands.add("PING") }
    engine.send(commands, confirmed: .never) { [answers] in answers.all.append($0) }
    send("GET", "a")
    timers.advance(by: .zero)
    #expect(answers.all == [nil])
    #expect(answers.end == nil)
  }

  @Test func `a closed connection answers what it was asked`() {
    send("GET", "a")
    engine.close()
    send("GET", "b")
    timers.advance(by: .zero)
    #expect(answers.all == [nil, nil])
    #expect(answers.end == nil)
  }
}
