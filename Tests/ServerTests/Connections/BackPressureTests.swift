import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct BackPressureTests {
  private let server = TestServer()

  @Test func `a client that reads slowly gets every reply in order`() throws {
    let count = 20_000
    let connection = server.connect()
    for number in 1...count {
      let line = #"{"type":"help","command":"ping","id":\#(number)}"# + "\n"
      connection.send(Array(line.utf8).span)
    }
    connection.isReading = false
    server.network.run()
    var received: [UInt8] = []
    var pauses = 0
    // A timer runs while commands wait. Read shortly before it is due.
    while let deadline = server.clock.next {
      pauses += 1
      server.clock.advance(by: ClientConnection.readTimeout - .milliseconds(1))
      connection.isReading = true
      while server.clock.next == deadline, server.network.step() {}
      received += connection.takeReceived()
      connection.isReading = false
      server.network.run()
    }
    connection.isReading = true
    server.network.run()
    received += connection.takeReceived()
    let lines = received.split(separator: UInt8(ascii: "\n"))
    #expect(lines.count == count + 1)
    #expect(pauses > 10)
    let isInOrder = lines.dropFirst().enumerated().allSatisfy { index, line in
      line.starts(with: #"{"type":"help","re":\#(index + 1),"#.utf8)
    }
    #expect(isInOrder)
  }

  @Test func `a client that never reads has to wait, then is disconnected`()
    throws
  {
    let (slow, other) = server.match()
    slow.stopReading()
    slow.sendOnly("place 1 1")
    for _ in 0..<100 { slow.sendOnly("help") }
    slow.sendOnly("resign")
    server.network.run()
    #expect(try other.hearTypes() == ["boardDidChange"])
    server.clock.advance(by: .seconds(9))
    // There is no answer yet, so the server has not given up.
    #expect(try other.askTypes("place 0 0") == ["boardDidChange"])
    server.clock.advance(by: .seconds(1))
    server.network.run()
    let lines = try other.hear()
    #expect(kinds(lines) == ["presenceDidChange"])
    #expect(try other.askTypes("leave") == ["gameDidEnd", "matchDidEnd"])
    #expect(try other.askTypes("start bot") == ["gameDidStart"])
    #expect(slow.isReset)
    server.clock.advance(by: .seconds(2))
    #expect(server.clock.next == nil)
    #expect(server.leaks == [])
  }

  @Test func `endless invitations do not close any connection`() throws {
    let (ann, bob) = (server.client(as: "ann"), server.client(as: "bob"))
    bob.stopReading()
    for _ in 0..<20_000 {
      ann.sendOnly("start bob")
      ann.sendOnly("cancel")
    }
    server.network.run()
    let lines = ann.takeLines()
    #expect(lines.count == 40_000)
    let refusal = try #require(lines.first { $0.contains("tooFast") })
    #expect(refusal.contains(#""field":"opponent","retry":1000"#))
    server.clock.advance(by: .seconds(60))
    bob.readOn()
    #expect(!bob.isClosedByServer)
    let heard = kinds(try bob.takeLines().map { try JSON($0) })
    #expect(heard.count < 2_000)
    #expect(heard.last == "invitationDidEnd")
    // After bob has read, everything is as before.
    #expect(try ann.askTypes("start bob") == ["didQueue"])
    #expect(kinds(try bob.takeLines().map { try JSON($0) }) == ["invited"])
  }

  @Test func `endless requests for a rematch do not close any connection`() throws {
    let (ann, bob) = server.match()
    ann.say("resign")
    _ = bob.takeLines()
    bob.stopReading()
    for _ in 0..<20_000 {
      ann.sendOnly("start")
      ann.sendOnly("cancel")
    }
    server.network.run()
    #expect(ann.takeLines().contains { $0.contains("tooFast") })
    bob.readOn()
    _ = bob.takeLines()
    #expect(!bob.isClosedByServer)
    #expect(try bob.askTypes("start") == ["didQueue"])
  }
}
