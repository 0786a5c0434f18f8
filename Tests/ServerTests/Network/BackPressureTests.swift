import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct BackPressureTests {
  private let server = TestServer()

  @Test func `who sends at once and reads slowly gets every answer in order`() throws {
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
    // A timer runs as long as commands wait: reads what there is shortly before it is due.
    while let deadline = server.clock.next {
      pauses += 1
      server.clock.advance(by: ClientConnection.patience - .milliseconds(1))
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

  @Test func `who never reads has its commands wait, then is sent away; the opponent plays on`()
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
    // Not answered yet, so it has not given up.
    #expect(try other.askTypes("place 0 0") == ["boardDidChange"])
    server.clock.advance(by: .seconds(1))
    server.network.run()
    let lines = try other.hear()
    #expect(kinds(lines) == ["gameDidEnd", "matchDidEnd"])
    #expect(lines.first?["reason"] == "left")
    #expect(try other.askTypes("start bot") == ["gameDidStart"])
    slow.readOn()
    let heard = try slow.hearTypes()
    #expect(heard.last == "bye tooSlow")
    #expect(heard.filter { $0 == "boardDidChange" }.count == 2)
    #expect(slow.isClosedByServer)
    server.clock.advance(by: .seconds(2))
    #expect(server.clock.next == nil)
    #expect(server.leaks == [])
  }

  @Test func `who asks for nothing and never reads is sent away at a limit`() throws {
    let (slow, other) = server.match()
    let suitor = server.client(as: "cid")
    slow.say("leave")
    _ = other.takeLines()
    slow.stopReading()
    var invitations = 0
    while invitations < 20_000, try suitor.askTypes("start ann") == ["didQueue"] {
      for _ in 0..<250 {
        suitor.sendOnly("cancel")
        suitor.sendOnly("start ann")
      }
      suitor.say("cancel")
      invitations += 251
      server.clock.advance(by: .zero)
    }
    #expect((5_000..<20_000).contains(invitations))
    #expect(try suitor.askTypes("start ann") == ["unknownPlayer"])
    #expect(try other.askTypes("start bot") == ["gameDidStart"])
    slow.readOn()
    #expect(slow.takeLines().last?.contains(#""code":"tooSlow""#) == true)
    #expect(slow.isClosedByServer)
  }
}
